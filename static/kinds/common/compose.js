// Writing: a new message, or an answer to one.

import { postMessage, readMessage, takeAttachments } from '../../api/messages.js';
import { Problem } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { t } from '../../core/i18n.js';
import { fromHere, routeTo } from '../../core/router.js';
import { fullTime } from '../../formats/times.js';
import { dropDraft, keepDraft, readDraft } from '../../model/drafts.js';
import { MAIL } from '../../model/room-store.js';
import { isOneself, nameIn } from '../../model/session.js';
import { line } from '../../ui/form.js';
import { icon } from '../../ui/icon.js';
import { announce, confirm, errorBox } from '../../ui/notices.js';
import { actionButton } from '../../ui/pane.js';
import { showWaiting } from './reading.js';
import { recipientsField } from './recipients.js';
import { attachmentField } from './uploads.js';

/** @import { Message } from '../../api/interface.d.ts' */
/** @import { MessageDraft } from '../../model/drafts.js' */
/** @import { RoomStore } from '../../model/room-store.js' */

/** a long thread names its beginning and its latest messages */
const MAX_REFERENCES = 12;

/** @typedef {'new' | 'reply' | 'reply-all' | 'forward'} Writing */
/** @typedef {{ page: Writing, msgnum?: number, name?: string }} WritingRoute */

const WRITINGS = ['new', 'reply', 'reply-all', 'forward'];

/**
 * Whether it asks for one of these forms.
 * @param {{ page: string }} route
 * @returns {route is WritingRoute}
 */
export function isWriting(route) {
  return WRITINGS.includes(route.page);
}

/**
 * Shows the form: for a new message (to the user `name`), or one that comes from the message `msgnum`. Throws Problem.
 * Answers its title.
 * @param {HTMLElement} pane
 * @param {RoomStore} store
 * @param {WritingRoute} route
 * @param {string} username
 * @param {AbortSignal} signal
 */
export async function openForm(pane, store, { page, msgnum, name = '' }, username, signal) {
  showWaiting(pane);
  const place = page === 'new' ? ['new', name].join('/').replace(/\/$/, '') : `${msgnum}/${page}`;
  const kept = /** @type {MessageDraft | undefined} */ (readDraft(username, store.name, place));
  const fresh = { ...emptyDraft(), to: name };
  const draft = kept ?? (msgnum === undefined ? fresh : await draftFrom(store, msgnum, page, signal));
  signal.throwIfAborted();
  const isMail = store.info.is_mailbox || page === 'forward';
  const { form, focus } = formFor(store, { page, msgnum, place, isMail }, username, draft);
  pane.replaceChildren(form);
  focus();
  if (kept) announce(t('compose.kept'));
  return titleOf(page, isMail);
}

/** @param {Writing} page @param {boolean} isMail */
const titleOf = (page, isMail) => t(page === 'new' && !isMail ? 'compose.topic' : `compose.${page}`);

/** @returns {MessageDraft} */
const emptyDraft = () => ({ to: '', cc: '', subject: '', text: '', references: '', attachments: [] });

/**
 * @param {RoomStore} store
 * @param {number} msgnum
 * @param {Writing} page
 * @param {AbortSignal} signal
 * @returns {Promise<MessageDraft>}
 */
async function draftFrom({ name, info }, msgnum, page, signal) {
  const message = await readMessage(name, msgnum, { isPlain: true, signal });
  const subject = message.subj ?? '';
  if (page === 'forward') {
    const attachments = await takeAttachments(name, msgnum);
    return { ...emptyDraft(), subject: `Fwd: ${subject}`.trim(), text: forwarded(message), attachments };
  }
  const author = (message.locl ? message.from : message.rfca) ?? '';
  const recipients = [...(message.rcpt ?? []), ...(message.cccc ?? [])];
  const others = recipients.filter((each) => !isOneself(each) && nameIn(each) !== nameIn(author));
  // an answer to one's own message goes on to those whom it went to
  const to = isOneself(author) ? (message.rcpt ?? []).join(', ') : author;
  const cc = isOneself(author) ? (message.cccc ?? []) : others;
  return {
    ...emptyDraft(),
    to: info.is_mailbox ? to : '',
    cc: page === 'reply-all' ? cc.join(', ') : '',
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`.trim(),
    text: quote(message),
    references: referencesOf(message),
  };
}

/** @param {Message} message */
function forwarded({ from, rfca, rcpt, time, subj, text }) {
  const head = [
    [t('message.from'), from ?? rfca],
    [t('message.recipients'), rcpt?.join(', ')],
    [t('message.date'), time && fullTime(new Date(time * 1000))],
    [t('compose.subject'), subj],
  ];
  const lines = head.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`);
  return ['', '', `-------- ${t('compose.forwarded')} --------`, ...lines, '', text.trimEnd(), ''].join('\n');
}

/** @param {Message} message */
function quote(message) {
  const lines = message.text.trimEnd().split('\n');
  const quoted = lines.map((each) => (each.startsWith('>') ? `>${each}` : `> ${each}`)).join('\n');
  return `${message.from ?? ''}, ${fullTime(new Date(message.time * 1000))}:\n${quoted}\n\n`;
}

/** References are parted by `|` in what is read and by `!` in what is sent. @param {Message} message */
export function referencesOf({ wefw = '', msgn }) {
  const all = [...wefw.split(/[|!]/), msgn].filter(Boolean);
  return (all.length > MAX_REFERENCES ? [all[0], ...all.slice(1 - MAX_REFERENCES)] : all).join('!');
}

/** A label beside its field, as on an envelope. @param {string} label @param {HTMLInputElement} input */
const address = (label, input) =>
  element('div', { class: 'address' }, element('label', { for: input.id }, label), input);

/**
 * @param {RoomStore} store
 * @param {{ page: Writing, msgnum?: number, place: string, isMail: boolean }} form
 * @param {string} username
 * @param {MessageDraft} draft
 */
function formFor(store, { page, msgnum, place, isMail }, username, draft) {
  const to = recipientsField('mail-to', t('compose.to'), draft.to, () => keep());
  const cc = recipientsField('mail-cc', t('compose.cc'), draft.cc, () => keep());
  const subject = line('subject', draft.subject, { dir: 'auto', maxlength: '200', class: false });
  const text = element('textarea', {
    id: 'text',
    class: 'editor prose',
    rows: '12',
    dir: 'auto',
    'aria-label': t('compose.text'),
    placeholder: t('compose.text'),
  });
  text.value = draft.text;
  const problems = element('div');
  const read = () => ({
    to: to.text(),
    cc: cc.text(),
    subject: subject.value.trim(),
    text: text.value,
    references: draft.references,
    attachments: files.records,
  });
  const keep = () => keepDraft(username, store.name, place, read());
  const files = attachmentField(draft.attachments, keep);
  const leave = () => {
    dropDraft(username, store.name, place);
    form.removeEventListener('input', keep);
  };
  const sendButton = element(
    'button',
    { type: 'submit', class: 'btn', 'data-kind': 'primary' },
    icon('send', { size: 'small' }),
    t(isMail ? 'compose.send' : 'compose.post'),
  );

  /** @type {(control: { focus: () => void }, words: string) => void} */
  const refuse = (control, words) => {
    problems.replaceChildren(errorBox(new Problem(0, words, '')));
    control.focus();
  };
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (sendButton.ariaDisabled === 'true') return;
    problems.replaceChildren();
    text.removeAttribute('aria-invalid');
    for (const each of [to, cc]) each.finish();
    sendButton.ariaDisabled = 'true';
    const go = fromHere();
    try {
      if (!(await files.settled())) return;
      const message = read();
      if (isMail && message.to === '') return refuse(to, t('compose.no-recipient'));
      const broken = [to, cc].find((each) => each.broken().length > 0);
      if (isMail && broken) return refuse(broken, t('compose.broken', { names: broken.broken().join(', ') }));
      if (message.text.trim() === '' && files.records.length === 0) {
        text.setAttribute('aria-invalid', 'true');
        return refuse(text, t('compose.no-text'));
      }
      const posted = await post(store, message, isMail);
      leave();
      await finish(store, page === 'forward' ? msgnum : posted, message, isMail, go);
    } catch (problem) {
      problems.replaceChildren(errorBox(problem));
    } finally {
      sendButton.ariaDisabled = null;
    }
  };
  const back = routeTo(store.name, ...(msgnum === undefined ? [] : [msgnum]));
  const discard = async () => {
    const { text: written, attachments, subject: about } = read();
    const isWorthAsking = written !== draft.text || about !== draft.subject || attachments.length > 0;
    if (isWorthAsking && !(await confirm(t('compose.discard-question'), t('compose.throw-away')))) return;
    files.discard();
    leave();
    location.replace(back);
  };
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  };

  const form = element(
    'form',
    {
      class: 'pane compose',
      'aria-labelledby': 'form-title',
      novalidate: true,
      on: { submit, input: keep, keydown },
    },
    element(
      'header',
      { class: 'pane-head' },
      element('h2', { id: 'form-title', tabindex: -1 }, titleOf(page, isMail)),
      element(
        'div',
        { class: 'group push' },
        actionButton({ label: t('compose.discard'), icon: 'trash', run: discard }),
        actionButton({ label: t('ui.close'), icon: 'close', href: back }),
      ),
    ),
    element(
      'div',
      { class: 'pane-body' },
      element(
        'div',
        { class: 'sheet' },
        problems,
        isMail && [to.node, cc.node],
        address(t('compose.subject'), subject),
        text,
        files.list,
      ),
    ),
    element(
      'footer',
      { class: 'pane-foot group', 'data-gap': '2' },
      sendButton,
      files.button,
      element(
        'span',
        { class: 'muted small push not-phone', 'aria-hidden': 'true' },
        element('kbd', {}, 'Ctrl'),
        ' ',
        element('kbd', {}, 'Enter'),
      ),
    ),
  );
  /** The first field with nothing in it, or the text: at its end, or above what is forwarded. */
  const focus = () => {
    if (isMail && draft.to === '') return to.focus();
    if (draft.subject === '') return subject.focus();
    const end = page === 'forward' ? 0 : text.value.length;
    text.focus();
    text.setSelectionRange(end, end);
  };
  return { form, focus };
}

/**
 * Answers the number of the new message. Throws Problem.
 * @param {RoomStore} store @param {MessageDraft} message @param {boolean} isMail
 */
function post(store, message, isMail) {
  const parameters = {
    subj: message.subject,
    wefw: message.references,
    mailto: isMail ? message.to : '',
    mailcc: isMail ? message.cc : '',
    att: message.attachments.map((record) => record.ref).join('!'),
  };
  // whichever of one's own rooms is open, mail leaves from the mailbox
  return postMessage(isMail ? MAIL : store.name, parameters, `${message.text.trimEnd()}\n`);
}

/**
 * `next` is the message to go on with.
 * @param {RoomStore} store
 * @param {number | undefined} next
 * @param {MessageDraft} message
 * @param {boolean} isMail
 * @param {(address: string) => boolean} go
 */
async function finish(store, next, message, isMail, go) {
  announce(isMail ? t('compose.sent', { to: message.to }) : t('compose.posted'));
  await store.refresh({ own: next });
  // what was mailed from a mailbox is not in it
  const isHere = next && store.byNumber.has(next);
  go(routeTo(store.name, ...(isHere ? [next] : [])));
}
