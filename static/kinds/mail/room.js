// The open room: its banner, its list of messages, the mark up to where the reader has read.

import { getJson, messageOf, request, sendJson } from '../../api/request.js';
import { byId, element, query, renew } from '../../core/dom.js';
import { inTurn } from '../../core/in-turn.js';
import { apiPath, routeTo } from '../../core/router.js';
import { kindOf, markRoom } from '../../shell/rooms.js';
import { announce } from '../../ui/notices.js';
import { aboutRoom, readAbout } from './about.js';
import { BY_SUBJECT, focusRow, markCurrentMessage, messageList } from './list.js';

/** @import { Mailbox, MailboxEntry, Room } from '../../api/interface.d.ts' */

/** rows shown at a time: a room may hold tens of thousands */
const SLICE = 100;
/** what has been read stays in sight above what is new */
const READ_ABOVE_NEW = 10;
const BY_TIME = new Set([3, 7, 8]);
/** @type {Record<number, string>} views whose members are more than text: programs that speak DAV write them */
const FOR_PROGRAMS = {
  2: 'an address book program (CardDAV)',
  3: 'a calendar program (CalDAV)',
  4: 'a task program (CalDAV)',
  5: 'a notes program (WebDAV)',
  7: 'a calendar program (CalDAV)',
};

/**
 * Rows as of `mailbox`, of which from … to are shown.
 * @typedef {{ name: string, info: Room, rows: MailboxEntry[], banner: string, picture?: HTMLImageElement,
 *   from: number, to: number, isGuest: boolean }} OpenRoom
 */

/** @type {OpenRoom | undefined} */
let open;

/** For what runs only while a room is open. */
function theRoom() {
  if (!open) throw new Error('no room is open');
  return open;
}

export const openRoomName = () => open?.name;

/** the highest message number in the room that is open */
export const highestKnown = () => theRoom().rows.reduce((highest, row) => Math.max(highest, row.msgnum), 0);

export function closeRoom() {
  open = undefined;
  byId('room').replaceChildren();
}

/**
 * Reads the room and shows it, unless it is the one that is open. Throws Problem.
 * @param {string} name
 * @param {boolean} isGuest
 * @param {AbortSignal} signal
 * @returns {Promise<OpenRoom>}
 */
export async function openRoom(name, isGuest, signal) {
  if (open?.name.toLowerCase() === name.toLowerCase()) return open;
  const read = await readRoom(name, signal);
  const room = { isGuest, ...read, ...(await readAbout(read, signal)), ...firstSlice(read.rows) };
  signal.throwIfAborted();
  open = room;
  showRoom();
  const row = query(byId('room'), '[tabindex="0"][data-msgnum]');
  row?.scrollIntoView({ block: 'nearest' });
  return room;
}

/** @param {string} name @param {AbortSignal} [signal] */
async function readRoom(name, signal) {
  /** @type {[Room, Mailbox]} */
  const [info, { msgs: rows }] = await Promise.all([
    getJson(apiPath(name, ''), signal),
    getJson(apiPath(name, 'mailbox'), signal),
  ]);
  if (BY_TIME.has(info.default_view)) rows.sort((a, b) => a.time - b.time);
  if (BY_SUBJECT.has(info.default_view)) rows.sort((a, b) => a.subject.localeCompare(b.subject));
  return { name: info.name, info, rows };
}

/** Looks whether the open room has changed. */
export const refreshRoom = () => inTurn(readAnew);

async function readAnew() {
  const room = open;
  if (!room) return;
  const { info, rows } = await readRoom(room.name);
  if (open !== room || JSON.stringify([info, rows]) === JSON.stringify([room.info, room.rows])) return;
  const known = new Set(room.rows.map((row) => row.msgnum));
  const added = rows.filter((row) => !known.has(row.msgnum)).length;
  if (room.to === room.rows.length) room.to = rows.length;
  Object.assign(room, { info, rows, to: Math.min(room.to, rows.length) });
  showAnew();
  if (added > 0) announce(added === 1 ? 'One new message.' : `${added} new messages.`);
}

/** The room that is open, with everything where the reader has it. */
export function showAnew() {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement ? active.dataset.msgnum : undefined;
  const current = query(byId('room'), '[aria-current]')?.dataset.msgnum;
  const scroll = byId('room').scrollTop;
  showRoom();
  markCurrentMessage(Number(current));
  byId('room').scrollTop = scroll;
  if (focused) focusRow(Number(focused));
}

/**
 * What is new is in sight, or else the end, where a room's latest messages are.
 * @param {MailboxEntry[]} rows
 */
function firstSlice(rows) {
  const firstNew = rows.findIndex((row) => !row.seen);
  const wanted = firstNew < 0 ? rows.length : firstNew - READ_ABOVE_NEW;
  const from = Math.max(0, Math.min(wanted, rows.length - SLICE));
  return { from, to: Math.min(rows.length, from + SLICE) };
}

const unreadCount = () => theRoom().rows.filter((row) => !row.seen).length;

function showRoom() {
  const room = theRoom();
  const { rows, from, to, info } = room;
  renew(byId('room'), [
    roomHeader(),
    aboutRoom(room),
    rows.length === 0 &&
      element(
        'p',
        { class: 'empty' },
        canPost(room) && kindOf(info) === ''
          ? 'There are no messages here yet. Write the first one.'
          : 'There is nothing here yet.',
      ),
    from > 0 && moreButton('Show earlier messages', true),
    messageList(room),
    to < rows.length && moreButton('Show later messages', false),
    FOR_PROGRAMS[info.default_view] && addressForPrograms(),
  ]);
}

function roomHeader() {
  const room = theRoom();
  const { name, info, rows, isGuest } = room;
  const count = rows.length === 1 ? 'One message' : `${rows.length} messages`;
  const unread = unreadCount();
  const notes = [
    kindOf(info),
    kindOf(info) ? undefined : count,
    unread > 0 && `${unread} new`,
    info.is_read_only && 'read only',
  ];
  return element(
    'header',
    { class: 'pane-header' },
    element('a', { class: 'back to-rooms', href: '#/' }, 'Rooms'),
    element('h2', { id: 'room-title', tabindex: '-1', dir: 'auto' }, name),
    element(
      'p',
      { class: 'pane-note', id: 'room-note' },
      notes.filter(Boolean).join(', '),
      !isGuest &&
        (info.is_room_aide || !info.is_mailbox) &&
        element('a', { class: 'settings', href: routeTo(name, 'settings') }, 'Settings'),
    ),
    element(
      'p',
      { class: 'actions' },
      canPost(room) &&
        element(
          'a',
          { class: 'button primary', href: routeTo(name, 'new') },
          kindOf(info) === 'Wiki' ? 'New page' : 'New message',
        ),
      unread > 0 &&
        !isGuest &&
        element('button', { type: 'button', id: 'mark-all', on: { click: markAllRead } }, 'Mark all as read'),
    ),
  );
}

/**
 * Whether a text can be written here as far as the room tells; the room server has the last word.
 * @param {OpenRoom} room
 */
export function canPost({ info, isGuest }) {
  if (isGuest || FOR_PROGRAMS[info.default_view]) return false;
  return !info.is_read_only || info.is_room_aide;
}

function addressForPrograms() {
  const { name, info } = theRoom();
  const address = new URL(apiPath(name, ''), location.href).href;
  return element(
    'p',
    { class: 'hint' },
    `To add and change things here, give ${FOR_PROGRAMS[info.default_view]} this address: `,
    element('code', {}, address),
  );
}

/** @param {string} text @param {boolean} isEarlier */
function moreButton(text, isEarlier) {
  const click = () => {
    const room = theRoom();
    const { rows, from, to } = room;
    const neighbour = isEarlier ? rows[from - 1] : rows[to];
    if (isEarlier) room.from = Math.max(0, from - SLICE);
    else room.to = Math.min(rows.length, to + SLICE);
    const current = query(byId('room'), '[aria-current]')?.dataset.msgnum;
    showRoom();
    markCurrentMessage(Number(current));
    focusRow(neighbour.msgnum);
  };
  return element('p', { class: 'more' }, element('button', { type: 'button', on: { click } }, text));
}

/**
 * `{ previous, next }`: the message numbers beside this one, undefined at the ends
 * @param {number} msgnum
 */
export function neighbours(msgnum) {
  const { rows } = theRoom();
  const at = rows.findIndex((row) => row.msgnum === msgnum);
  return { previous: rows[at - 1]?.msgnum, next: at < 0 ? undefined : rows[at + 1]?.msgnum };
}

/**
 * The message counts as read, or as not read; older ones stay as they are. Throws Problem.
 * @param {number} msgnum @param {boolean} seen
 */
export function setSeen(msgnum, seen) {
  const room = theRoom();
  return inTurn(async () => {
    const row = room.rows.find((each) => each.msgnum === msgnum);
    if (room.isGuest || !row || row.seen === seen) return;
    await sendJson(apiPath(room.name, msgnum), 'PATCH', { seen });
    row.seen = seen;
    if (open === room) showMarks();
  });
}

async function markAllRead() {
  const room = theRoom();
  const highest = highestKnown();
  try {
    await inTurn(async () => {
      await request(`${apiPath(room.name, 'slrp')}?last=${highest}`);
      for (const row of room.rows) row.seen ||= row.msgnum <= highest;
    });
    if (open !== room) return;
    showMarks();
    announce('Everything here is marked as read.');
    byId('room-title').focus();
  } catch (problem) {
    announce(messageOf(problem));
  }
}

function showMarks() {
  showAnew();
  markRoom(theRoom().name, unreadCount() > 0);
}
