// Floors and rooms: the list at the side, and the page that greets a member.

import { getJson } from '../api/request.js';
import { byId, element, hiddenText, query, queryAll, renew } from '../core/dom.js';
import { inTurn } from '../core/in-turn.js';
import { routeTo } from '../core/router.js';

/** @import { Floor, Room, RoomListEntry } from '../api/interface.d.ts' */

/** @type {Record<number, string>} views that are not plain lists of messages (`current_view`), by number */
const KINDS = {
  2: 'Contacts',
  3: 'Calendar',
  4: 'Tasks',
  5: 'Notes',
  6: 'Wiki',
  7: 'Calendar',
  8: 'Journal',
  10: 'Blog',
  12: 'Files',
};

/**
 * `'Calendar'`, or '' for rooms that hold messages and nothing else
 * @param {Room | RoomListEntry} room
 */
export const kindOf = (room) => KINDS[room.default_view] ?? '';

const GUIDE = '../s/guide/';

/** @type {Floor[]} */
let floors = [];
/** @type {RoomListEntry[]} */
let rooms = [];
let shown = '';

export const allFloors = () => floors;

/**
 * Where a message of the room `info` may go: rooms of the same kind that are no secret from the reader.
 * @param {Room} info
 */
export const roomsFor = (info) =>
  rooms.filter((room) => room.name !== info.name && !room.is_zapped && kindOf(room) === kindOf(info));

/** Reads the lists anew and shows them. Throws Problem. */
export const loadRooms = () => inTurn(readRooms);

async function readRooms() {
  const known = rooms;
  /** @type {[Floor[], RoomListEntry[]]} */
  const lists = await Promise.all([getJson('../f/'), getJson('../r/')]);
  // cleared meanwhile: they belong to somebody who has gone
  if (rooms !== known) return;
  [floors, rooms] = lists;
  rooms.sort((a, b) => a.rorder - b.rorder || a.name.localeCompare(b.name));
  showRooms();
}

export const areRoomsLoaded = () => rooms.length > 0;

export function clearRooms() {
  floors = [];
  rooms = [];
  shown = '';
  byId('rooms').replaceChildren();
}

/**
 * The room's unread mark goes when everything in it was read.
 * @param {string} name @param {boolean} hasNew
 */
export function markRoom(name, hasNew) {
  const room = rooms.find((each) => each.name === name);
  if (!room || room.hasnewmsgs === hasNew) return;
  room.hasnewmsgs = hasNew;
  showRooms();
}

/**
 * Marks the room that is open, undefined for none.
 * @param {string} [name]
 */
export function markCurrent(name) {
  const wanted = name?.toLowerCase();
  for (const link of queryAll(byId('rooms'), 'a[data-room]')) {
    if (link.dataset.room?.toLowerCase() === wanted) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/**
 * The room in the list at the side, or the first one.
 * @param {string} [name]
 */
export function focusRoom(name = '') {
  const nav = byId('rooms');
  (query(nav, `a[data-room="${CSS.escape(name)}"]`) ?? query(nav, 'a[data-room]'))?.focus();
}

/** `{ title, rooms }` in the order of the page: one's own rooms, then floor by floor, then what was forgotten. */
function groups() {
  const known = rooms.filter((room) => !room.is_zapped);
  const shared = known.filter((room) => !room.is_mailbox);
  return [
    { title: 'Yours', rooms: known.filter((room) => room.is_mailbox) },
    ...floors.map((floor) => ({ title: floor.name, rooms: shared.filter((room) => room.floor === floor.num) })),
    { title: 'Forgotten', rooms: rooms.filter((room) => room.is_zapped) },
  ].filter((group) => group.rooms.length > 0);
}

/** Built once more only when something differs, so that focus and what is typed stay where they are. */
function showRooms() {
  const state = JSON.stringify([floors, rooms]);
  if (state === shown) return;
  shown = state;
  const nav = byId('rooms');
  const current = query(nav, '[aria-current]')?.dataset.room;
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && nav.contains(active) ? active.dataset.room : undefined;
  let list = query(nav, '.room-groups');
  if (!list) {
    list = element('div', { class: 'room-groups' });
    nav.replaceChildren(finder(), list, elsewhere());
  }
  renew(list, groups().map(groupElement));
  markCurrent(current);
  if (focused) query(nav, `a[data-room="${CSS.escape(focused)}"]`)?.focus();
  filterRooms();
}

/** @param {{ title: string, rooms: RoomListEntry[] }} group @param {number} index */
function groupElement({ title, rooms: members }, index) {
  const id = `rooms-${index}`;
  return element(
    'section',
    { class: 'room-group', 'aria-labelledby': id },
    element('h2', { id, dir: 'auto' }, title),
    element('ul', {}, members.map(roomItem)),
  );
}

/** @param {RoomListEntry} room */
function roomItem(room) {
  // a calendar that is called Calendar needs no note
  const kind = kindOf(room) === room.name ? '' : kindOf(room);
  const notes = [kind, room.is_password_protected && 'password', room.is_read_only && 'read only'];
  const note = notes.filter(Boolean).join(', ');
  return element(
    'li',
    {},
    element(
      'a',
      { href: routeTo(room.name), 'data-room': room.name, class: room.hasnewmsgs ? 'has-new' : false },
      element('bdi', { class: 'room-name' }, room.name),
      note && element('span', { class: 'room-note' }, note),
      room.hasnewmsgs && hiddenText('(new messages)'),
    ),
  );
}

const elsewhere = () =>
  element(
    'ul',
    { class: 'elsewhere' },
    element('li', {}, element('a', { href: '#/people' }, 'Who is online')),
    element('li', {}, element('a', { href: '#/new-room' }, 'New room')),
    element('li', {}, element('a', { href: GUIDE }, 'Guide')),
  );

/**
 * A field that narrows the list, or leads to the messages that hold what is typed; Enter opens the first room left, or
 * a room of that name that no list shows.
 */
function finder() {
  return element(
    'form',
    { class: 'finder', role: 'search', on: { submit: openFound } },
    element('label', { for: 'room-finder', class: 'visually-hidden' }, 'Find a room or messages'),
    element('input', {
      id: 'room-finder',
      type: 'search',
      placeholder: 'Find a room or messages',
      autocomplete: 'off',
      on: { input: filterRooms },
    }),
    element('a', { id: 'search-link', hidden: true, on: { click: clearFinder } }),
  );
}

function filterRooms() {
  const typed = byId('room-finder').value.trim();
  const words = typed.toLowerCase();
  const link = byId('search-link');
  link.hidden = typed === '';
  link.href = `#/search/${encodeURIComponent(typed)}`;
  link.textContent = `Messages with “${typed}”`;
  for (const group of queryAll(byId('rooms'), '.room-group')) {
    let left = 0;
    for (const item of group.querySelectorAll('li')) {
      item.hidden = !item.querySelector('a')?.dataset.room?.toLowerCase().includes(words);
      if (!item.hidden) left++;
    }
    group.hidden = left === 0;
  }
}

/** @param {SubmitEvent} event */
function openFound(event) {
  event.preventDefault();
  const input = byId('room-finder');
  const name = input.value.trim();
  if (name === '') return;
  const first = query(byId('rooms'), '.room-group li:not([hidden]) a');
  const exact = rooms.find((room) => room.name.toLowerCase() === name.toLowerCase());
  clearFinder();
  location.hash = routeTo(exact?.name ?? first?.dataset.room ?? name);
}

function clearFinder() {
  byId('room-finder').value = '';
  // the link is still to be followed
  setTimeout(filterRooms);
}

/**
 * What greets a member: where something is new. `fullname` is undefined for guests.
 * @param {string} [fullname]
 */
export function showHome(fullname) {
  const fresh = groups()
    .flatMap((group) => group.rooms)
    .filter((room) => room.hasnewmsgs && !room.is_zapped);
  const title = element('h2', { id: 'home-title', tabindex: '-1' }, 'Welcome');
  if (fullname) title.append(', ', element('bdi', {}, fullname));
  byId('home').replaceChildren(
    title,
    fresh.length === 0
      ? element('p', {}, 'You have read everything. Choose a room to look around.')
      : element('p', {}, 'There is something new in these rooms:'),
    element('ul', { class: 'fresh' }, fresh.map(roomItem)),
    element(
      'p',
      { class: 'hint' },
      'In a list of messages the arrow keys or ',
      element('kbd', {}, 'j'),
      ' and ',
      element('kbd', {}, 'k'),
      ' move, ',
      element('kbd', {}, 'Enter'),
      ' opens and ',
      element('kbd', {}, 'Esc'),
      ' goes back. The ',
      element('a', { href: GUIDE }, 'guide'),
      ' tells the rest.',
    ),
  );
}
