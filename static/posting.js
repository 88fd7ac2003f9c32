// Writing: a new message, or an answer to one.

import { getJson, request } from './api.js';
import { dropDraft, keepDraft, readDraft } from './drafts.js';
import { byId, element } from './elements.js';
import { fullTime } from './formats.js';
import { refreshRoom } from './messages.js';
import { announce, confirm, errorBox, loadingNote } from './notices.js';
import { apiPath, routeTo } from './route.js';
import { attachmentField } from './uploads.js';

/** a long thread names its beginning and its latest messages */
const MAX_REFERENCES = 12;

/** Shows the form; `msgnum` is the message that is answered, undefined for a new one. Throws Problem. */
export async function openForm(room, msgnum, user, signal) {
  byId('detail').replaceChildren(loadingNote('One moment…'));
  const kept = readDraft(user, room.name, msgnum);
  const draft = kept ?? (msgnum === undefined ? emptyDraft() : await answerTo(room, msgnum, signal));
  signal.throwIfAborted();
  const form = formFor(room, msgnum, user, draft);
  byId('detail').replaceChildren(form);
  focusFirst(form);
  if (kept) announce('This is what you had written.');
}

/** The first field with nothing in it, or the end of the text. */
function focusFirst(form) {
  const controls = [...form.elements].filter((control) => control.matches('input:not([type=file]), textarea'));
  const text = controls.at(-1);
  const isAnswer = text.value !== '';
  (isAnswer ? text : controls.find((control) => control.value === '')).focus();
  text.setSelectionRange(text.value.length, text.value.length);
}

const emptyDraft = () => ({ to: '', cc: '', subject: '', text: '', references: '', attachments: [] });

/** Mail goes to people; what is written elsewhere stays in the room. */
const isMail = (room) => room.info.is_mailbox;

async function answerTo(room, msgnum, signal) {
  const path = apiPath(room.name, msgnum, 'json');
  const message = await getJson(`${path}?text=plain`, signal);
  const subject = message.subj ?? '';
  return {
    ...emptyDraft(),
    to: isMail(room) ? ((message.locl ? message.from : message.rfca) ?? '') : '',
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`.trim(),
    text: quote(message),
    references: referencesOf(message),
  };
}

function quote(message) {
  const lines = message.text.trimEnd().split('\n');
  const quoted = lines.map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`)).join('\n');
  return `${message.from ?? ''}, ${fullTime(new Date(message.time * 1000))}:\n${quoted}\n\n`;
}

/** References are parted by `|` in what is read and by `!` in what is sent. */
function referencesOf({ wefw = '', msgn }) {
  const all = [...wefw.split(/[|!]/), msgn].filter(Boolean);
  return (all.length > MAX_REFERENCES ? [all[0], ...all.slice(1 - MAX_REFERENCES)] : all).join('!');
}

function field(label, control) {
  return element('p', { class: 'field' }, element('label', { for: control.id }, label), control);
}

function line(id, value, properties = {}) {
  const input = element('input', { id, autocomplete: 'off', ...properties });
  input.value = value;
  return input;
}

function formFor(room, msgnum, user, draft) {
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
  const keep = () => keepDraft(user, room.name, msgnum, read());
  const files = attachmentField(draft.attachments, keep);
  const leave = () => {
    dropDraft(user, room.name, msgnum);
    form.removeEventListener('input', keep);
  };
  const sendButton = element('button', { type: 'submit', class: 'primary' }, isMail(room) ? 'Send' : 'Post');

  const refuse = (control, words) => {
    control.setAttribute('aria-invalid', 'true');
    problems.replaceChildren(errorBox({ title: words, detail: '' }));
    control.focus();
  };
  const submit = async (event) => {
    event.preventDefault();
    if (sendButton.ariaDisabled === 'true') return;
    problems.replaceChildren();
    for (const control of [to, text]) control.removeAttribute('aria-invalid');
    sendButton.ariaDisabled = 'true';
    try {
      if (!(await files.settled())) return;
      const message = read();
      if (isMail(room) && message.to === '') return refuse(to, 'To whom? Please name at least one recipient.');
      if (message.text.trim() === '' && files.records.length === 0)
        return refuse(text, 'Please write something first.');
      const posted = await post(room, message);
      leave();
      await finish(room, posted, message);
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
    element('h3', { id: 'form-title', tabindex: '-1' }, msgnum === undefined ? 'New message' : 'Reply'),
    isMail(room) && [field('To', to), field('Copy to', cc)],
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

/** Answers the number of the new message. Throws Problem. */
async function post(room, message) {
  const parameters = {
    subj: message.subject,
    wefw: message.references,
    mailto: isMail(room) ? message.to : '',
    mailcc: isMail(room) ? message.cc : '',
    att: message.attachments.map((record) => record.ref).join('!'),
  };
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  // whichever of one's own rooms is open, mail leaves from the mailbox
  const path = apiPath(isMail(room) ? '_MAIL_' : room.name, 'new');
  const answer = await request(`${path}?${query}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: `${message.text.trimEnd()}\n`,
  });
  return Number(/\d+/.exec(answer.headers.get('ETag') ?? '')?.[0]);
}

async function finish(room, posted, message) {
  if (isMail(room)) announce(`Your message to ${message.to} is on its way.`);
  else announce('Your message is posted.');
  await refreshRoom();
  location.replace(isMail(room) || !posted ? routeTo(room.name) : routeTo(room.name, posted));
}
