// The open room: its banner, its list of messages, the mark up to where the reader has read.

import { getJson, request, sendJson } from './api.js';
import { byId, element, renew } from './elements.js';
import { inTurn } from './in-turn.js';
import { BY_SUBJECT, focusRow, markCurrentMessage, messageList } from './message-list.js';
import { announce } from './notices.js';
import { aboutRoom, readAbout } from './room-about.js';
import { kindOf, markRoom } from './rooms.js';
import { apiPath, routeTo } from './route.js';

/** rows shown at a time: a room may hold tens of thousands */
const SLICE = 100;
/** what has been read stays in sight above what is new */
const READ_ABOVE_NEW = 10;
const BY_TIME = new Set([3, 7, 8]);
/** views whose members are more than text: programs that speak DAV write them */
const FOR_PROGRAMS = {
  2: 'an address book program (CardDAV)',
  3: 'a calendar program (CalDAV)',
  4: 'a task program (CalDAV)',
  5: 'a notes program (WebDAV)',
  7: 'a calendar program (CalDAV)',
};

/** `{ name, info, rows, banner, picture, from, to, isGuest }`: rows as of `mailbox`, of which from … to are shown */
let open;

export const openRoomName = () => open?.name;

/** the highest message number in the room that is open */
export const highestKnown = () => open.rows.reduce((highest, row) => Math.max(highest, row.msgnum), 0);

export function closeRoom() {
  open = undefined;
  byId('room').replaceChildren();
}

/** Reads the room and shows it, unless it is the one that is open. Throws Problem. */
export async function openRoom(name, isGuest, signal) {
  if (open?.name.toLowerCase() === name.toLowerCase()) return open;
  const room = { isGuest, ...(await readRoom(name, signal)) };
  Object.assign(room, await readAbout(room, signal));
  signal.throwIfAborted();
  open = room;
  placeSlice();
  showRoom();
  const row = byId('room').querySelector('[tabindex="0"][data-msgnum]');
  row?.scrollIntoView({ block: 'nearest' });
  return room;
}

async function readRoom(name, signal) {
  const [info, mailbox] = await Promise.all([
    getJson(apiPath(name, ''), signal),
    getJson(apiPath(name, 'mailbox'), signal),
  ]);
  const rows = mailbox.msgs;
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
  const focused = document.activeElement?.dataset.msgnum;
  const current = byId('room').querySelector('[aria-current]')?.dataset.msgnum;
  const scroll = byId('room').scrollTop;
  showRoom();
  markCurrentMessage(Number(current));
  byId('room').scrollTop = scroll;
  if (focused) focusRow(Number(focused));
}

/** Puts what is new into sight, or else the end, where a room's latest messages are. */
function placeSlice() {
  const { rows } = open;
  const firstNew = rows.findIndex((row) => !row.seen);
  const wanted = firstNew < 0 ? rows.length : firstNew - READ_ABOVE_NEW;
  open.from = Math.max(0, Math.min(wanted, rows.length - SLICE));
  open.to = Math.min(rows.length, open.from + SLICE);
}

const unreadCount = () => open.rows.filter((row) => !row.seen).length;

function showRoom() {
  const { rows, from, to, info } = open;
  renew(byId('room'), [
    roomHeader(),
    aboutRoom(open),
    rows.length === 0 &&
      element(
        'p',
        { class: 'empty' },
        canPost(open) && kindOf(info) === ''
          ? 'There are no messages here yet. Write the first one.'
          : 'There is nothing here yet.',
      ),
    from > 0 && moreButton('Show earlier messages', true),
    messageList(open),
    to < rows.length && moreButton('Show later messages', false),
    FOR_PROGRAMS[info.default_view] && addressForPrograms(),
  ]);
}

function roomHeader() {
  const { name, info, rows } = open;
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
      !open.isGuest &&
        (info.is_room_aide || !info.is_mailbox) &&
        element('a', { class: 'settings', href: routeTo(name, 'settings') }, 'Settings'),
    ),
    element(
      'p',
      { class: 'actions' },
      canPost(open) &&
        element(
          'a',
          { class: 'button primary', href: routeTo(name, 'new') },
          kindOf(info) === 'Wiki' ? 'New page' : 'New message',
        ),
      unread > 0 &&
        !open.isGuest &&
        element('button', { type: 'button', id: 'mark-all', on: { click: markAllRead } }, 'Mark all as read'),
    ),
  );
}

/** Whether a text can be written here as far as the room tells; the room server has the last word. */
export function canPost({ info, isGuest }) {
  if (isGuest || FOR_PROGRAMS[info.default_view]) return false;
  return !info.is_read_only || info.is_room_aide;
}

function addressForPrograms() {
  const address = new URL(apiPath(open.name, ''), location.href).href;
  return element(
    'p',
    { class: 'hint' },
    `To add and change things here, give ${FOR_PROGRAMS[open.info.default_view]} this address: `,
    element('code', {}, address),
  );
}

function moreButton(text, isEarlier) {
  const click = () => {
    const { rows, from, to } = open;
    const neighbour = isEarlier ? rows[from - 1] : rows[to];
    if (isEarlier) open.from = Math.max(0, from - SLICE);
    else open.to = Math.min(rows.length, to + SLICE);
    const current = byId('room').querySelector('[aria-current]')?.dataset.msgnum;
    showRoom();
    markCurrentMessage(Number(current));
    focusRow(neighbour.msgnum);
  };
  return element('p', { class: 'more' }, element('button', { type: 'button', on: { click } }, text));
}

/** `{ previous, next }`: the message numbers beside this one, undefined at the ends */
export function neighbours(msgnum) {
  const at = open.rows.findIndex((row) => row.msgnum === msgnum);
  return { previous: open.rows[at - 1]?.msgnum, next: at < 0 ? undefined : open.rows[at + 1]?.msgnum };
}

/** The message counts as read, or as not read; older ones stay as they are. Throws Problem. */
export function setSeen(msgnum, seen) {
  const room = open;
  return inTurn(async () => {
    const row = room.rows.find((each) => each.msgnum === msgnum);
    if (room.isGuest || !row || row.seen === seen) return;
    await sendJson(apiPath(room.name, msgnum), 'PATCH', { seen });
    row.seen = seen;
    if (open === room) showMarks();
  });
}

async function markAllRead() {
  const room = open;
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
    announce(problem.message);
  }
}

function showMarks() {
  showAnew();
  markRoom(open.name, unreadCount() > 0);
}
