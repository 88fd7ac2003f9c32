// What can be done with the message that is open: answer, forward, move, keep as new, delete; and the way along the
// room.

import { messageOf, request } from '../../api/request.js';
import { element } from '../../core/dom.js';
import { apiPath, fromHere, routeTo } from '../../core/router.js';
import { roomsFor } from '../../shell/rooms.js';
import { announce, confirm } from '../../ui/notices.js';
import { isEditable, isWiki } from '../wiki/edit.js';
import { focusRow } from './list.js';
import { canPost, neighbours, refreshRoom, setSeen } from './room.js';

/** @import { Properties } from '../../core/dom.js' */
/** @import { Message } from '../../api/interface.d.ts' */
/** @import { OpenRoom } from './room.js' */

/**
 * What the toolbar holds; `message` is undefined while it loads.
 * @param {OpenRoom} room @param {number} msgnum @param {Message} [message]
 */
export function actions(room, msgnum, message) {
  const { previous, next } = neighbours(msgnum);
  /** @type {(text: string, action: string, properties?: Properties) => HTMLElement} */
  const link = (text, action, properties = {}) =>
    element('a', { class: 'button', href: routeTo(room.name, msgnum, action), ...properties }, text);
  /** @type {(text: string, click: () => void) => HTMLElement} */
  const button = (text, click) => element('button', { type: 'button', on: { click } }, text);
  const isPage = canPost(room) && isWiki(room.info);
  /** @type {(name: string, sign: string, number?: number) => HTMLElement | false} */
  const step = (name, sign, number) =>
    number !== undefined &&
    element('a', { class: 'button', href: routeTo(room.name, number), 'aria-label': name, title: name }, sign);
  return [
    element('a', { class: 'back', href: routeTo(room.name) }, element('bdi', {}, room.name)),
    isPage && message && isEditable(message) && link('Edit', 'edit', { class: 'button primary' }),
    message && isWiki(room.info) && link('History', 'history'),
    canPost(room) && !isPage && link('Reply', 'reply', { class: 'button primary' }),
    canPost(room) && message && hasOthers(room, message) && link('Reply to all', 'reply-all'),
    !room.isGuest && link('Forward', 'forward'),
    !room.isGuest &&
      room.info.can_delete_messages &&
      roomsFor(room.info).length > 0 &&
      button('Move', () => move(room, msgnum)),
    !room.isGuest && button('Mark unread', () => keepUnread(room, msgnum)),
    room.info.can_delete_messages && !room.isGuest && button('Delete', () => remove(room, msgnum)),
    step('Previous', '‹', previous),
    step('Next', '›', next),
  ];
}

/** @param {OpenRoom} room @param {Message} message */
const hasOthers = (room, { rcpt = [], cccc = [] }) => room.info.is_mailbox && rcpt.length + cccc.length > 1;

/** @param {OpenRoom} room @param {number} msgnum */
async function keepUnread(room, msgnum) {
  await tell(async () => {
    const go = fromHere();
    await setSeen(msgnum, false);
    go(routeTo(room.name));
    announce('The message is marked as unread.');
  });
}

/** @param {OpenRoom} room @param {number} msgnum */
async function remove(room, msgnum) {
  if (!(await confirm('Delete this message? Nobody will be able to read it here any more.', 'Delete'))) return;
  await tell(async () => {
    await leave(room, msgnum, () => request(apiPath(room.name, msgnum), { method: 'DELETE' }));
    announce('The message is deleted.');
  });
}

/** @param {OpenRoom} room @param {number} msgnum */
async function move(room, msgnum) {
  const options = roomsFor(room.info).map(({ name }) => element('option', { value: name }, name));
  const field = element('select', { 'aria-label': 'Room' }, options);
  if (!(await confirm('Move this message to which room?', 'Move', field))) return;
  await tell(async () => {
    const Destination = new URL(apiPath(field.value, ''), location.href).pathname;
    await leave(room, msgnum, () => request(apiPath(room.name, msgnum), { method: 'MOVE', headers: { Destination } }));
    announce(`The message is in ${field.value} now.`);
  });
}

/**
 * Behind `act` the message is gone from here.
 * @param {OpenRoom} room @param {number} msgnum @param {() => Promise<unknown>} act
 */
async function leave(room, msgnum, act) {
  const go = fromHere();
  const { previous, next } = neighbours(msgnum);
  await act();
  await refreshRoom();
  if (!go(routeTo(room.name))) return;
  const neighbour = next ?? previous;
  if (neighbour !== undefined) focusRow(neighbour);
}

/** @param {() => Promise<void>} act */
async function tell(act) {
  try {
    await act();
  } catch (problem) {
    announce(messageOf(problem));
  }
}
