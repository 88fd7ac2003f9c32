// What can be done with the message that is open: answer, forward, move, keep as new, delete; and the way along the room.

import { request } from './api.js';
import { element } from './elements.js';
import { canPost, focusRow, neighbours, refreshRoom, setSeen } from './messages.js';
import { announce, confirm } from './notices.js';
import { roomsFor } from './rooms.js';
import { apiPath, routeTo } from './route.js';
import { isEditable, isWiki } from './wiki-page.js';

/** The toolbar; `message` is undefined while it loads. */
export function toolbar(room, msgnum, message) {
  const { previous, next } = neighbours(msgnum);
  const link = (text, action, properties = {}) =>
    element('a', { class: 'button', href: routeTo(room.name, msgnum, action), ...properties }, text);
  const button = (text, click) => element('button', { type: 'button', on: { click } }, text);
  const isPage = canPost(room) && isWiki(room.info);
  const step = (name, sign, number) =>
    number !== undefined &&
    element('a', { class: 'button', href: routeTo(room.name, number), 'aria-label': name, title: name }, sign);
  return element(
    'p',
    { class: 'actions toolbar' },
    element('a', { class: 'back', href: routeTo(room.name) }, element('bdi', {}, room.name)),
    isPage && message && isEditable(message) && link('Edit', 'edit', { class: 'button primary' }),
    canPost(room) && !isPage && link('Reply', 'reply', { class: 'button primary' }),
    canPost(room) && message && hasOthers(room, message) && link('Reply to all', 'reply-all'),
    !room.isGuest && link('Forward', 'forward'),
    !room.isGuest && room.info.can_delete_messages && button('Move', () => move(room, msgnum)),
    !room.isGuest && button('Mark unread', () => keepUnread(room, msgnum)),
    room.info.can_delete_messages && !room.isGuest && button('Delete', () => remove(room, msgnum)),
    step('Previous', '‹', previous),
    step('Next', '›', next),
  );
}

const hasOthers = (room, { rcpt = [], cccc = [] }) => room.info.is_mailbox && rcpt.length + cccc.length > 1;

async function keepUnread(room, msgnum) {
  await tell(async () => {
    await setSeen(msgnum, false);
    location.replace(routeTo(room.name));
    announce('The message is marked as unread.');
  });
}

async function remove(room, msgnum) {
  if (!(await confirm('Delete this message? Nobody will be able to read it here any more.', 'Delete'))) return;
  await tell(async () => {
    await request(apiPath(room.name, msgnum), { method: 'DELETE' });
    await leave(room, msgnum);
    announce('The message is deleted.');
  });
}

async function move(room, msgnum) {
  const options = roomsFor(room.info).map(({ name }) => element('option', { value: name }, name));
  const field = element('select', { 'aria-label': 'Room' }, options);
  if (!(await confirm('Move this message to which room?', 'Move', field))) return;
  await tell(async () => {
    const Destination = new URL(apiPath(field.value, ''), location.href).pathname;
    await request(apiPath(room.name, msgnum), { method: 'MOVE', headers: { Destination } });
    await leave(room, msgnum);
    announce(`The message is in ${field.value} now.`);
  });
}

/** The message is gone from here. */
async function leave(room, msgnum) {
  const { previous, next } = neighbours(msgnum);
  await refreshRoom();
  // replaced, so that "back" does not lead to what is gone
  location.replace(routeTo(room.name));
  const neighbour = next ?? previous;
  if (neighbour !== undefined) focusRow(neighbour);
}

async function tell(act) {
  try {
    await act();
  } catch (problem) {
    announce(problem.message);
  }
}
