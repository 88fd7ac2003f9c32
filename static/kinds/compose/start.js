// What a form of writing begins with: an empty message, an answer, a message that goes on, a draft of the server.

import { readMessage, takeAttachments, takePart } from '../../api/messages.js';
import { readPreference } from '../../api/preferences.js';
import { t } from '../../core/i18n.js';
import { answerTo } from '../../formats/answer-to.js';
import { withContentIds } from '../../formats/mail-body.js';
import { forwardSubject, quoteText, replySubject } from '../../formats/mail-text.js';
import { parseMailto } from '../../formats/mailto.js';
import { escaped, linesToHtml } from '../../formats/rich-output.js';
import { fullTime } from '../../formats/times.js';
import { user } from '../../model/session.js';
import { hasFiles } from '../message/files.js';

/** @import { Message, UploadRecord } from '../../api/interface.d.ts' */
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
  const quoted = rich ? withContentIds(rich.text, rich.parts) : linesToHtml(text);
  return {
    draft: {
      ...emptyDraft(),
      ...(info.is_mailbox ? answerTo(plain, user.get() ?? NOBODY, how) : {}),
      subject: replySubject(plain.subj ?? ''),
      text: `${lead}\n${quoteText(text)}\n\n${sign.text}`,
      html: `${EMPTY_LINE}${sign.html}<p>${escaped(lead)}</p><blockquote>${quoted}</blockquote>`,
      references: referencesOf(plain),
    },
    pictures: rich ? await picturesOf(name, rich) : [],
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
    readMessage(name, msgnum, { signal }),
    takeAttachments(name, msgnum),
    signed(),
  ]);
  const { from, rfca, rcpt, time, subj } = plain;
  const facts = [
    [t('message.from'), from ?? rfca],
    [t('message.recipients'), rcpt?.join(', ')],
    [t('message.date'), time && fullTime(new Date(time * 1000))],
    [t('compose.subject'), subj],
  ];
  const head = [
    `-------- ${t('compose.forwarded')} --------`,
    ...facts.filter(([, value]) => value).map(([label, value]) => `${label}: ${value}`),
  ].join('\n');
  const pictures = await picturesOf(name, rich);
  return {
    draft: {
      ...emptyDraft(),
      subject: forwardSubject(subj ?? ''),
      text: `${sign.text}\n\n${head}\n\n${plain.text.trimEnd()}\n`,
      html: `${EMPTY_LINE}${sign.html}${linesToHtml(head)}${withContentIds(rich.text, rich.parts)}`,
      attachments: withoutPictures(taken, rich),
    },
    pictures,
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
  const message = await readMessage(name, msgnum, { signal });
  const isPlain = message.content_type.startsWith('text/plain');
  const [plain, taken] = await Promise.all([
    isPlain ? readMessage(name, msgnum, { isPlain, signal }) : undefined,
    hasFiles(message) ? takeAttachments(name, msgnum) : [],
  ]);
  const pictures = await picturesOf(name, message);
  return {
    draft: {
      ...emptyDraft(),
      to: message.rcpt ?? [],
      cc: message.cccc ?? [],
      bcc: message.bccc ?? [],
      subject: message.subj ?? '',
      isPlain,
      text: plain?.text.trimEnd() ?? '',
      html: plain ? linesToHtml(plain.text.trimEnd()) : withContentIds(message.text, message.parts),
      references: (message.wefw ?? '').replaceAll('|', '!'),
      attachments: withoutPictures(taken, message),
      saved: msgnum,
    },
    pictures,
  };
}

/**
 * Those that its text shows. Throws Problem.
 * @param {string} room
 * @param {Message} message
 * @returns {Promise<InlineImage[]>}
 */
export async function picturesOf(room, message) {
  const { msgnum } = message;
  return Promise.all(
    shownPictures(message).map(async ({ partnum, content_id, content_type, filename }) => {
      const blob = await takePart(room, msgnum, partnum);
      return { cid: content_id, file: new File([blob], filename || 'picture', { type: content_type }) };
    }),
  );
}

/** @param {Message} message */
function shownPictures({ parts, text }) {
  const html = withContentIds(text, parts);
  return parts.filter(
    ({ content_id, content_type }) => content_type.startsWith('image/') && html.includes(`cid:${content_id}"`),
  );
}

/** They travel with the text already. @param {UploadRecord[]} taken @param {Message} message */
function withoutPictures(taken, message) {
  const shown = new Set(shownPictures(message).map(({ partnum }) => partnum));
  return taken.filter(({ partnum }) => partnum === undefined || !shown.has(partnum));
}

/** References are parted by `|` in what is read and by `!` in what is sent. @param {Partial<Message>} message */
export function referencesOf({ wefw = '', msgn }) {
  const all = [...wefw.split(/[|!]/), msgn].filter(Boolean);
  return (all.length > MAX_REFERENCES ? [all[0], ...all.slice(1 - MAX_REFERENCES)] : all).join('!');
}
