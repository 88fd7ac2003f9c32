// One message: who, when, its text, what is attached, and what can be done with it.

import { getJson, getText, request } from './api.js';
import { byId, element } from './elements.js';
import { fullTime, size } from './formats.js';
import { groupwareCard, isGroupware } from './groupware.js';
import { messageFrame } from './message-frame.js';
import { canPost, focusRow, markRead, neighbours, refreshRoom } from './messages.js';
import { announce, confirm, loadingNote } from './notices.js';
import { apiPath, routeTo } from './route.js';

/** Shows the message and moves the read mark. Throws Problem. Answers its subject. */
export async function openMessage(room, msgnum, signal) {
  byId('detail').replaceChildren(toolbar(room, msgnum), loadingNote('Loading the message…'));
  const message = await getJson(apiPath(room.name, msgnum, 'json'), signal);
  const body = isGroupware(message.content_type)
    ? groupwareCard(await getText(apiPath(room.name, msgnum), signal))
    : messageFrame(message.text, (event) => articleKey(event, room, msgnum));
  signal.throwIfAborted();
  const article = element(
    'article',
    { 'aria-labelledby': 'message-title', on: { keydown: (event) => articleKey(event, room, msgnum) } },
    toolbar(room, msgnum),
    element('h3', { id: 'message-title', tabindex: '-1', dir: 'auto' }, message.subj || '(no subject)'),
    facts(message),
    body,
    attachments(room, message),
  );
  byId('detail').replaceChildren(article);
  await markRead(msgnum);
  return message.subj;
}

function toolbar(room, msgnum) {
  const { previous, next } = neighbours(msgnum);
  const step = (text, number) =>
    number === undefined ? false : element('a', { class: 'button', href: routeTo(room.name, number) }, text);
  return element(
    'p',
    { class: 'actions toolbar' },
    element('a', { class: 'back', href: routeTo(room.name) }, element('bdi', {}, room.name)),
    canPost(room) && element('a', { class: 'button primary', href: routeTo(room.name, msgnum, 'reply') }, 'Reply'),
    step('Previous', previous),
    step('Next', next),
    room.info.can_delete_messages &&
      !room.isGuest &&
      element('button', { type: 'button', on: { click: () => remove(room, msgnum) } }, 'Delete'),
  );
}

function facts(message) {
  const time = message.time ? new Date(message.time * 1000) : undefined;
  const address = message.rfca && !message.locl ? ` <${message.rfca}>` : '';
  const fact = (name, value) => value && element('div', {}, element('dt', {}, name), element('dd', {}, value));
  return element(
    'dl',
    { class: 'facts' },
    fact('From', element('bdi', {}, `${message.from ?? message.rfca ?? 'Nobody'}${address}`)),
    fact('To', message.rcpt && element('bdi', {}, message.rcpt.join(', '))),
    fact('Copy', message.cccc && element('bdi', {}, message.cccc.join(', '))),
    fact('Date', time && element('time', { datetime: time.toISOString() }, fullTime(time))),
  );
}

/** Parts that are files; a picture that the text shows is none. */
function attachments(room, message) {
  const shown = (part) => part.content_id !== '' && message.text.includes(`/${encodeURIComponent(part.content_id)}"`);
  const files = message.parts.filter(
    (part) => part.disposition === 'attachment' || (part.filename !== '' && !shown(part)),
  );
  if (files.length === 0) return undefined;
  return element(
    'section',
    { class: 'attachments', 'aria-labelledby': 'attachments-title' },
    element('h4', { id: 'attachments-title' }, files.length === 1 ? 'Attachment' : 'Attachments'),
    element(
      'ul',
      {},
      files.map((part) => element('li', {}, fileLink(room, message, part))),
    ),
  );
}

function fileLink(room, message, part) {
  const filename = part.filename || `part-${part.partnum}`;
  return element(
    'a',
    { href: apiPath(room.name, message.msgnum, part.partnum), download: filename },
    element('bdi', {}, filename),
    ' ',
    element('span', { class: 'file-size' }, size(part.content_length)),
  );
}

function articleKey(event, room, msgnum) {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  const { previous, next } = neighbours(msgnum);
  if (event.key === 'Escape') location.hash = routeTo(room.name);
  else if (event.key === 'j' && next !== undefined) location.hash = routeTo(room.name, next);
  else if (event.key === 'k' && previous !== undefined) location.hash = routeTo(room.name, previous);
}

async function remove(room, msgnum) {
  if (!(await confirm('Delete this message? Nobody will be able to read it here any more.', 'Delete'))) return;
  const { previous, next } = neighbours(msgnum);
  try {
    await request(apiPath(room.name, msgnum), { method: 'DELETE' });
    announce('The message is deleted.');
    await refreshRoom();
    const neighbour = next ?? previous;
    // replaced, so that "back" does not lead to what is gone
    location.replace(routeTo(room.name));
    if (neighbour !== undefined) focusRow(neighbour);
  } catch (problem) {
    announce(problem.message);
  }
}
