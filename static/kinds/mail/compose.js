// Writing: a new message, or an answer to one.

import { getJson, Problem, request } from '../../api/request.js';
import { byId, element } from '../../core/dom.js';
import { apiPath, fromHere, routeTo } from '../../core/router.js';
import { fullTime } from '../../formats/times.js';
import { dropDraft, keepDraft, readDraft } from '../../model/drafts.js';
import { field, line } from '../../ui/form.js';
import { announce, confirm, errorBox, loadingNote } from '../../ui/notices.js';
import { suggestions } from '../../ui/suggestions.js';
import { refreshRoom } from './room.js';
import { attachmentField } from './uploads.js';

/** @import { MessageDraft } from '../../model/drafts.js' */
/** @import { Control } from '../../core/dom.js' */
/** @import { Message, UploadRecord } from '../../api/interface.d.ts' */
/** @import { OpenRoom } from './room.js' */

/** a long thread names its beginning and its latest messages */
const MAX_REFERENCES = 12;

/** @typedef {'new' | 'reply' | 'reply-all' | 'forward'} Writing */

/** @type {Record<Writing, string>} */
const TITLES = { new: 'New message', reply: 'Reply', 'reply-all': 'Reply to all', forward: 'Forward' };

/**
 * Shows the form for `page`: new (to the user `name`), reply, reply-all or forward, all but the first of the message
 * `msgnum`. Throws Problem. Answers its title.
 * @param {OpenRoom} room
 * @param {{ page: Writing, msgnum?: number, name?: string }} route
 * @param {string} user
 * @param {AbortSignal} signal
 */
export async function openForm(room, { page, msgnum, name = '' }, user, signal) {
  byId('detail').replaceChildren(loadingNote('One moment…'));
  const place = page === 'new' ? ['new', name].join('/').replace(/\/$/, '') : `${msgnum}/${page}`;
  /** @type {MessageDraft | undefined} */
  const kept = readDraft(user, room.name, place);
  const draft =
    kept ?? (msgnum === undefined ? { ...emptyDraft(), to: name } : await draftFrom(room, msgnum, page, user, signal));
  signal.throwIfAborted();
  const form = formFor(room, { page, msgnum, place, isMail: room.info.is_mailbox || page === 'forward' }, user, draft);
  byId('detail').replaceChildren(form);
  focusFirst(form);
  if (kept) announce('This is what you had written.');
  return TITLES[page];
}

/**
 * The first field with nothing in it, or the end of the text.
 * @param {HTMLFormElement} form
 */
function focusFirst(form) {
  const controls = /** @type {Control[]} */ ([...form.elements]).filter((control) =>
    control.matches('input:not([type=file]), textarea'),
  );
  const text = /** @type {HTMLTextAreaElement} */ (controls.at(-1));
  const hasAll = text.value !== '' && controls[0].value !== '';
  (hasAll ? text : controls.find((control) => control.value === ''))?.focus();
  const end = byId('form-title').textContent === TITLES.forward ? 0 : text.value.length;
  text.setSelectionRange(end, end);
}

/** @returns {MessageDraft} */
const emptyDraft = () => ({ to: '', cc: '', subject: '', text: '', references: '', attachments: [] });

/**
 * @param {OpenRoom} room
 * @param {number} msgnum
 * @param {Writing} page
 * @param {string} user
 * @param {AbortSignal} signal
 * @returns {Promise<MessageDraft>}
 */
async function draftFrom(room, msgnum, page, user, signal) {
  const path = apiPath(room.name, msgnum, 'json');
  /** @type {Message} */
  const message = await getJson(`${path}?text=plain`, signal);
  const subject = message.subj ?? '';
  if (page === 'forward') {
    /** @type {UploadRecord[]} */
    const attachments = await getJson(['../p', encodeURIComponent(room.name), msgnum].join('/'), signal);
    return { ...emptyDraft(), subject: `Fwd: ${subject}`.trim(), text: forwarded(message), attachments };
  }
  const author = (message.locl ? message.from : message.rfca) ?? '';
  const isSelf = (/** @type {string} */ name) => nameIn(name) === nameIn(user);
  const others = [...(message.rcpt ?? []), ...(message.cccc ?? [])].filter(
    (name) => !isSelf(name) && nameIn(name) !== nameIn(author),
  );
  return {
    ...emptyDraft(),
    to: room.info.is_mailbox ? author : '',
    cc: page === 'reply-all' ? others.join(', ') : '',
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`.trim(),
    text: quote(message),
    references: referencesOf(message),
  };
}

/**
 * `Bob Smith <bob@example.org>` → `bob`
 * @param {string} recipient
 */
const nameIn = (recipient) =>
  (/<([^<>]*)>/.exec(recipient)?.[1] ?? recipient).split('@')[0].replaceAll('_', ' ').trim().toLowerCase();

/** @param {Message} message */
function forwarded({ from, rfca, rcpt, time, subj, text }) {
  const head = [
    ['From', from ?? rfca],
    ['To', rcpt?.join(', ')],
    ['Date', time && fullTime(new Date(time * 1000))],
    ['Subject', subj],
  ];
  const lines = head.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`);
  return ['', '', '-------- Forwarded message --------', ...lines, '', text.trimEnd(), ''].join('\n');
}

/** @param {Message} message */
function quote(message) {
  const lines = message.text.trimEnd().split('\n');
  const quoted = lines.map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`)).join('\n');
  return `${message.from ?? ''}, ${fullTime(new Date(message.time * 1000))}:\n${quoted}\n\n`;
}

/**
 * References are parted by `|` in what is read and by `!` in what is sent.
 * @param {Message} message
 */
function referencesOf({ wefw = '', msgn }) {
  const all = [...wefw.split(/[|!]/), msgn].filter(Boolean);
  return (all.length > MAX_REFERENCES ? [all[0], ...all.slice(1 - MAX_REFERENCES)] : all).join('!');
}

/**
 * @param {OpenRoom} room
 * @param {{ page: Writing, msgnum?: number, place: string, isMail: boolean }} form
 * @param {string} user
 * @param {MessageDraft} draft
 */
function formFor(room, { page, msgnum, place, isMail }, user, draft) {
  const to = line('mail-to', draft.to, { required: true, autocapitalize: 'none', spellcheck: 'false', dir: 'auto' });
  const cc = line('mail-cc', draft.cc, { autocapitalize: 'none', spellcheck: 'false', dir: 'auto' });
  const subject = line('subject', draft.subject, { dir: 'auto', maxlength: '200' });
  const text = element('textarea', { id: 'text', rows: '11', dir: 'auto' });
  text.value = draft.text;
  const problems = element('div');
  const read = () => ({
    to: to.value.trim(),
    cc: cc.value.trim(),
    subject: subject.value.trim(),
    text: text.value,
    references: draft.references,
    attachments: files.records,
  });
  const keep = () => keepDraft(user, room.name, place, read());
  const files = attachmentField(draft.attachments, keep);
  const leave = () => {
    dropDraft(user, room.name, place);
    form.removeEventListener('input', keep);
  };
  const sendButton = element('button', { type: 'submit', class: 'primary' }, isMail ? 'Send' : 'Post');

  /** @type {(control: Control, words: string) => void} */
  const refuse = (control, words) => {
    control.setAttribute('aria-invalid', 'true');
    problems.replaceChildren(errorBox(new Problem(0, words, '')));
    control.focus();
  };
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (sendButton.ariaDisabled === 'true') return;
    problems.replaceChildren();
    for (const control of [to, text]) control.removeAttribute('aria-invalid');
    sendButton.ariaDisabled = 'true';
    const go = fromHere();
    try {
      if (!(await files.settled())) return;
      const message = read();
      if (isMail && message.to === '') return refuse(to, 'To whom? Please name at least one recipient.');
      if (message.text.trim() === '' && files.records.length === 0)
        return refuse(text, 'Please write something first.');
      const posted = await post(room, message, isMail);
      leave();
      await finish(room, page === 'forward' ? msgnum : posted, message, isMail, go);
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
    } finally {
      sendButton.ariaDisabled = null;
    }
  };
  const discard = async () => {
    const { text: written, attachments, subject: about } = read();
    const isWorthAsking = written !== draft.text || about !== draft.subject || attachments.length > 0;
    if (isWorthAsking && !(await confirm('Throw away what you have written?', 'Throw away'))) return;
    files.discard();
    leave();
    location.replace(routeTo(room.name, ...(msgnum === undefined ? [] : [msgnum])));
  };

  const form = element(
    'form',
    { class: 'form compose', 'aria-labelledby': 'form-title', novalidate: true, on: { submit, input: keep } },
    element(
      'p',
      { class: 'actions toolbar' },
      element('a', { class: 'back', href: routeTo(room.name) }, element('bdi', {}, room.name)),
    ),
    element('h3', { id: 'form-title', tabindex: '-1' }, TITLES[page]),
    isMail && [field('To', to), suggestions(to), field('Copy to', cc), suggestions(cc)],
    field('Subject', subject),
    field('Message', text),
    files.node,
    problems,
    element(
      'p',
      { class: 'actions' },
      sendButton,
      element('button', { type: 'button', class: 'quiet', on: { click: discard } }, 'Discard'),
    ),
  );
  return form;
}

/**
 * Answers the number of the new message. Throws Problem.
 * @param {OpenRoom} room @param {MessageDraft} message @param {boolean} isMail
 */
async function post(room, message, isMail) {
  const parameters = {
    subj: message.subject,
    wefw: message.references,
    mailto: isMail ? message.to : '',
    mailcc: isMail ? message.cc : '',
    att: message.attachments.map((record) => record.ref).join('!'),
  };
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  // whichever of one's own rooms is open, mail leaves from the mailbox
  const path = apiPath(isMail ? '_MAIL_' : room.name, 'new');
  const answer = await request(`${path}?${query}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: `${message.text.trimEnd()}\n`,
  });
  return Number(/\d+/.exec(answer.headers.get('ETag') ?? '')?.[0]);
}

/**
 * `next` is the message to go on with.
 * @param {OpenRoom} room
 * @param {number | undefined} next
 * @param {MessageDraft} message
 * @param {boolean} isMail
 * @param {(address: string) => boolean} go
 */
async function finish(room, next, message, isMail, go) {
  if (isMail) announce(`Your message to ${message.to} is on its way.`);
  else announce('Your message is posted.');
  await refreshRoom();
  // what was mailed from a mailbox is not in it
  const isHere = next && room.rows.some((row) => row.msgnum === next);
  go(routeTo(room.name, ...(isHere ? [next] : [])));
}
