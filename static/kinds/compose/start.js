// What a form of writing begins with: an empty message, an answer, messages that go on, a draft of the server.

import { isMarkedAsFile } from '../../../src/mime/message-facts.ts';
import { readMessage, takeAttachments, takeMessage, takePart } from '../../api/messages.js';
import { readPreference } from '../../api/preferences.js';
import { t } from '../../core/i18n.js';
import { writeRecipient } from '../../formats/addresses.js';
import { answerTo } from '../../formats/answer-to.js';
import { forwardedHtml, splitForwarded } from '../../formats/forwarded.js';
import { withContentIds } from '../../formats/mail-body.js';
import { forwardSubject, quoteText, replySubject } from '../../formats/mail-text.js';
import { parseMailto } from '../../formats/mailto.js';
import { escaped, linesToHtml } from '../../formats/rich-output.js';
import { fullTime } from '../../formats/times.js';
import { user } from '../../model/session.js';
import { hasFiles } from '../message/files.js';

/** @import { Message, Part, UploadRecord } from '../../api/interface.d.ts' */
/** @import { AnswerKind } from '../../formats/answer-to.js' */
/** @import { MessageDraft } from '../../model/drafts.js' */
/** @import { RoomStore } from '../../model/room-store.js' */
/** @import { InlineImage } from '../../ui/editor/editor.js' */

/** a long thread names its beginning and its latest messages */
const MAX_REFERENCES = 12;
const NOBODY = { username: '', email: '', addresses: [] };
const EMPTY_LINE = '<p><br></p>';
/** where the signature is kept on a device when the server keeps none, and whether one writes without form */
export const SIGNATURE = 'signature';
const PLAIN = 'plain-writing';

export const writesPlain = () => localStorage.getItem(PLAIN) === 'on';

/** @param {boolean} isOn */
export function setWritesPlain(isOn) {
  if (isOn) localStorage.setItem(PLAIN, 'on');
  else localStorage.removeItem(PLAIN);
}

/** '' where there is none. */
export const readSignature = async () =>
  (await readPreference(SIGNATURE).catch(() => '')) || (localStorage.getItem(SIGNATURE) ?? '');

/**
 * @typedef {object} Beginning
 * @property {MessageDraft} draft
 * @property {InlineImage[]} pictures those of its text
 */

/** @returns {MessageDraft} */
const emptyDraft = () => ({
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  text: '',
  html: '',
  isPlain: writesPlain(),
  references: '',
  attachments: [],
});

/**
 * `name` is to whom it goes, '' for nobody yet, or what a link with mailto: says.
 * @param {string} name @param {boolean} isMail @returns {Promise<Beginning>}
 */
export async function beginNew(name, isMail) {
  const sign = isMail ? await signed() : { text: '', html: '' };
  const { body, ...named } = parseMailto(name) ?? { to: name === '' ? [] : [name], body: '' };
  const words = body === '' ? sign : { text: body + sign.text, html: linesToHtml(body) + sign.html };
  return { draft: { ...emptyDraft(), ...named, ...words }, pictures: [] };
}

/** Below what will be written. */
async function signed() {
  const signature = await readSignature();
  if (signature.trim() === '') return { text: '', html: '' };
  return { text: `\n\n-- \n${signature}`, html: `${EMPTY_LINE}${linesToHtml(`-- \n${signature}`)}` };
}

/**
 * An answer; `selected` is quoted alone where it is not ''. Throws Problem.
 * @param {RoomStore} store
 * @param {number} msgnum
 * @param {AnswerKind} how
 * @param {string} selected
 * @param {AbortSignal} signal
 * @returns {Promise<Beginning>}
 */
export async function beginReply({ name, info }, msgnum, how, selected, signal) {
  const [plain, rich, sign] = await Promise.all([
    readMessage(name, msgnum, { isPlain: true, signal }),
    selected === '' ? readMessage(name, msgnum, { signal }) : undefined,
    info.is_mailbox ? signed() : { text: '', html: '' },
  ]);
  const text = selected || plain.text.trimEnd();
  const lead = `${plain.from ?? ''}, ${fullTime(new Date(plain.time * 1000))}:`;
  const { html: quoted, pictures } = rich ? await inlined(name, rich) : { html: linesToHtml(text), pictures: [] };
  return {
    draft: {
      ...emptyDraft(),
      ...(info.is_mailbox ? answerTo(plain, user.get() ?? NOBODY, how) : {}),
      subject: replySubject(plain.subj ?? ''),
      text: `${lead}\n${quoteText(text)}\n\n${sign.text}`,
      html: `${EMPTY_LINE}${sign.html}<p>${escaped(lead)}</p><blockquote>${quoted}</blockquote>`,
      references: referencesOf(plain),
    },
    pictures,
  };
}

/**
 * The message goes on to others, with its files. Throws Problem.
 * @param {RoomStore} store
 * @param {number} msgnum
 * @param {AbortSignal} signal
 * @returns {Promise<Beginning>}
 */
export async function beginForward({ name }, msgnum, signal) {
  const [plain, rich, taken, sign] = await Promise.all([
    readMessage(name, msgnum, { isPlain: true, signal }),
    readMessage(name, msgnum, { hasRemote: true, signal }),
    takeAttachments(name, msgnum),
    signed(),
  ]);
  const { rcpt, cccc, time, subj } = plain;
  const facts = [
    [t('message.from'), authorOf(plain)],
    [t('message.date'), time && fullTime(new Date(time * 1000))],
    [t('compose.subject'), subj],
    [t('message.recipients'), rcpt?.join(', ')],
    [t('message.copies'), cccc?.join(', ')],
  ];
  const head = [
    `-------- ${t('compose.forwarded')} --------`,
    ...facts.filter(([, value]) => value).map(([label, value]) => `${label}: ${value}`),
  ].join('\n');
  const { html, pictures, isShown } = await inlined(name, rich);
  // the rest of a very long text is in the message itself
  const whole = rich.is_cut ? await takeMessage(name, msgnum) : [];
  const [words, body] = isTextAlone(plain)
    ? [quoteText(plain.text), `<blockquote>${html}</blockquote>`]
    : [plain.text.trimEnd(), html];
  return {
    draft: {
      ...emptyDraft(),
      subject: forwardSubject(subj ?? ''),
      text: sign.text,
      html: `${EMPTY_LINE}${sign.html}`,
      forwarded: {
        html: forwardedHtml(linesToHtml(head), body),
        text: `${head}\n\n${words}`,
        files: taken.filter(isShown),
      },
      attachments: [...taken.filter((file) => !isShown(file)), ...whole],
    },
    pictures,
  };
}

/** Name and address. @param {Message} message */
function authorOf({ from = '', rfca: address = '' }) {
  const name = from === address ? '' : from;
  return address === '' ? name : writeRecipient({ name, address });
}

/** No part of it is HTML; alternatives are in no list. @param {Message} message */
const isTextAlone = ({ content_type, parts }) =>
  content_type.startsWith('text/plain') || (parts.some(isTextOf('text/plain')) && !parts.some(isTextOf('text/html')));

/** @param {string} type @returns {(part: Part) => boolean} */
const isTextOf = (type) => (part) => part.content_type === type && !isMarkedAsFile({ ...part, name: part.filename });

/**
 * Messages go on to others as files, as they are. Throws Problem.
 * @param {RoomStore} store
 * @param {number[]} numbers
 * @returns {Promise<Beginning>}
 */
export async function beginAttached({ name, byNumber }, numbers) {
  const sign = await signed();
  const attachments = [];
  for (const each of numbers) attachments.push(...(await takeMessage(name, each)));
  const [first] = attachments;
  const subject = byNumber.get(numbers[0])?.subject ?? first?.uploadfilename.replace(/\.eml$/, '') ?? '';
  const html = `${EMPTY_LINE}${sign.html}`;
  return {
    draft: { ...emptyDraft(), text: sign.text, html, subject: forwardSubject(subject), attachments },
    pictures: [],
  };
}

/**
 * A draft of the server. Throws Problem.
 * @param {RoomStore} store
 * @param {number} msgnum
 * @param {AbortSignal} signal
 * @returns {Promise<Beginning>}
 */
export async function beginFromDraft({ name }, msgnum, signal) {
  const message = await readMessage(name, msgnum, { hasRemote: true, signal });
  const isPlain = message.content_type.startsWith('text/plain');
  const [plain, taken, { html, pictures, isShown }] = await Promise.all([
    readMessage(name, msgnum, { isPlain: true, signal }),
    hasFiles(message) ? takeAttachments(name, msgnum) : [],
    inlined(name, message),
  ]);
  const text = plain.text.trimEnd();
  const written = splitForwarded(html, text);
  return {
    draft: {
      ...emptyDraft(),
      to: message.rcpt ?? [],
      cc: message.cccc ?? [],
      bcc: message.bccc ?? [],
      subject: message.subj ?? '',
      isPlain,
      text,
      html: isPlain ? linesToHtml(text) : written.html,
      forwarded: written.forwarded && { ...written.forwarded, files: taken.filter(isShown) },
      references: (message.wefw ?? '').replaceAll('|', '!'),
      attachments: taken.filter((file) => !isShown(file)),
      saved: msgnum,
    },
    pictures,
  };
}

/**
 * Its HTML with the pictures that it shows, which travel with the text. Throws Problem.
 * @param {string} room
 * @param {Message} message
 */
export async function inlined(room, { msgnum, parts, text }) {
  const { html, shown } = withContentIds(text, parts);
  const pictures = shown.map(async ({ part: { partnum, content_type, filename }, cid }) => {
    const blob = await takePart(room, msgnum, partnum);
    return { cid, file: new File([blob], filename || 'picture', { type: content_type }) };
  });
  const numbers = new Set(shown.map(({ part }) => part.partnum));
  const isShown = (/** @type {UploadRecord} */ { partnum }) => partnum !== undefined && numbers.has(partnum);
  return { html, isShown, pictures: await Promise.all(pictures) };
}

/** References are parted by `|` in what is read and by `!` in what is sent. @param {Partial<Message>} message */
export function referencesOf({ wefw = '', msgn }) {
  const all = [...wefw.split(/[|!]/), msgn].filter(Boolean);
  return (all.length > MAX_REFERENCES ? [all[0], ...all.slice(1 - MAX_REFERENCES)] : all).join('!');
}
