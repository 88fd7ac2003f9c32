// Floors and rooms as they stand at the side, and how much in each is unread.

import { nameKey } from '../../src/protocol/names.ts';
import { hasNews, OWN_ROOM, roleOf } from '../../src/protocol/room-facts.ts';
import { beginEventsAt } from '../api/events.js';
import { readStart } from '../api/rooms.js';
import { t } from '../core/i18n.js';
import { inTurn } from '../core/in-turn.js';
import { signal } from '../core/signal.js';
import { user } from './session.js';

/** @import { Floor, RoomListEntry } from '../api/interface.d.ts' */
/** @import { RoomRole } from '../../src/protocol/room-facts.ts' */
/** @import { RoomLists } from '../api/rooms.js' */
/** @import { RoomListEntry as ListedRoom } from '../api/interface.d.ts' */

/**
 * `plate` is what stands on the door of the floor.
 * @typedef {{ id: string, title: string, plate: string, rooms: ListedRoom[] }} Group
 */

/** @type {RoomLists} */
const NOTHING = { floors: [], rooms: [] };
/**
 * Counts that the page knows better than the list: of rooms that were opened, and after which reading of the list.
 * @type {Map<string, { unread: number, reading: number }>}
 */
const counted = new Map();
/** readings of the list so far */
let readings = 0;
/** how often everything was forgotten */
let clearings = 0;

/** the room that is open knows its own count best @type {{ name: string, unread: number } | undefined} */
let open;

/** read anew, or a count has changed */
export const lists = signal(NOTHING);

/** Reads the lists anew, with their counts. Throws Problem. */
export const loadRooms = () =>
  inTurn(async () => {
    const reading = ++readings;
    const since = clearings;
    const read = await readStart();
    // cleared meanwhile: they belong to somebody who has gone
    if (clearings === since) setRooms(read, reading);
  });

/** the rooms that everybody has, in the order of their use */
/** @type {RoomRole[]} */
const ORDER = ['mail', 'calendar', 'tasks', 'contacts', 'notes', 'drafts', 'sent', 'archive', 'trash'];

/** What one of one's own rooms is for. @param {OwnedRoom} room */
export const roleIn = (room) => roleOf(factsOf(room));

/** @typedef {{ name: string, is_mailbox: boolean, default_view: number }} OwnedRoom */
/** @param {OwnedRoom} room */
const factsOf = ({ name, is_mailbox, default_view }) => ({ name, isPersonal: is_mailbox, defaultView: default_view });

/**
 * One's own room for this, if its name means that room alone: a Citadel server takes a shared room of the same name first.
 * @param {RoomRole} role
 */
export function roomOfRole(role) {
  const own = lists.get().rooms.find((each) => roleIn(each) === role);
  return own && lists.get().rooms.every((each) => each === own || nameKey(each.name) !== nameKey(own.name))
    ? own
    : undefined;
}

/** Whether what is unread there is news. @param {OwnedRoom} room */
export const isNewsRoom = (room) => hasNews(factsOf(room));

/** Among one's own rooms, those before what one has made. @param {ListedRoom} room */
function placeOf(room) {
  const role = roleIn(room);
  return role ? ORDER.indexOf(role) : ORDER.length;
}

/**
 * What was counted in a room after the list was asked for is newer than the list.
 * @param {RoomLists} read @param {number} [reading]
 */
export function setRooms({ floors, rooms, lastEventId }, reading = ++readings) {
  if (lastEventId !== undefined) beginEventsAt(lastEventId);
  for (const { name, unread, hasnewmsgs } of rooms) {
    const isNewer = (counted.get(name)?.reading ?? -1) >= reading;
    if (!isNewer && (unread !== undefined || !hasnewmsgs)) counted.delete(name);
  }
  rooms.sort((a, b) => a.rorder - b.rorder || placeOf(a) - placeOf(b) || a.name.localeCompare(b.name));
  lists.set({ floors, rooms });
}

export const areRoomsLoaded = () => lists.get().rooms.length > 0;

export function clearRooms() {
  clearings += 1;
  counted.clear();
  lists.set(NOTHING);
}

export const allFloors = () => lists.get().floors;

/** @param {string} name */
export const roomNamed = (name) => lists.get().rooms.find((each) => each.name.toLowerCase() === name.toLowerCase());

/**
 * What the reader is told that a room is called: one's own rooms have their names from the room server, in English.
 * @param {string} name
 */
export function roomTitle(name) {
  const room = roomNamed(name);
  const role = room && roleIn(room);
  // of several for drafts the others have names of their own
  return role && room.name === OWN_ROOM[role] ? t(`own.${role}`) : name;
}

/**
 * What is not there is not asked for. Of rooms that one has forgotten nothing is told, and one that is not listed yet
 * was made just now.
 * @param {string} name
 */
export function mayHavePicture(name) {
  const room = roomNamed(name);
  const isTold = lists.get().rooms.some(({ has_picture }) => has_picture !== undefined);
  return room !== undefined && (room.has_picture ?? !isTold);
}

/**
 * One's own room of a view: the first one. @param {number} view
 */
export const ownRoom = (view) => lists.get().rooms.find((room) => room.is_mailbox && room.default_view === view);

/** What one has sent, or not yet sent: it is read, and its lists tell to whom it goes. @param {OwnedRoom} room */
export const isSentRoom = (room) => ['sent', 'drafts'].includes(roleIn(room) ?? '');

/** @param {OwnedRoom} room */
export const isDraftsRoom = (room) => roleIn(room) === 'drafts';

/**
 * The number, where it is known; true for some. Nothing is kept of what guests have read.
 * @param {ListedRoom} room @returns {number | boolean}
 */
export function unreadOf(room) {
  if (!user.get() || !isNewsRoom(room)) return 0;
  return open?.name === room.name ? open.unread : (counted.get(room.name)?.unread ?? room.unread ?? room.hasnewmsgs);
}

/** Another one when something has come, gone or changed there. @param {ListedRoom} room */
export const markOf = ({ mtime, highest, total }) => [mtime, highest, total].join(' ');

/** For adding up: some are at least one. @param {ListedRoom} room */
export const unreadCount = (room) => (room.is_zapped ? 0 : Number(unreadOf(room)));

export const totalUnread = () => lists.get().rooms.reduce((sum, room) => sum + unreadCount(room), 0);

/** The room with something unread that follows another one at the side. @param {string | undefined} name */
export function nextUnreadRoom(name) {
  const rooms = groupsOf({ own: '', forgotten: '' }).flatMap((group) => group.rooms);
  const here = rooms.findIndex((room) => room.name === name);
  const order = [...rooms.slice(here + 1), ...rooms.slice(0, Math.max(0, here))];
  return order.find((room) => unreadCount(room) > 0);
}

/** @param {{ name: string, unread: number } | undefined} room undefined for none */
export function setOpenCount(room) {
  open = room;
}

/** Of a room that is or was open. @param {string} name @param {number} unread */
export function setUnread(name, unread) {
  const room = roomNamed(name);
  if (!room) return;
  const before = counted.get(room.name)?.unread;
  counted.set(room.name, { unread, reading: readings });
  if (before === unread) return;
  lists.set({ ...lists.get() });
}

/** One's own rooms, then floor by floor, then what was forgotten. @param {{ own: string, forgotten: string }} titles */
export function groupsOf({ own, forgotten }) {
  const { floors, rooms } = lists.get();
  const known = rooms.filter((room) => !room.is_zapped);
  const shared = known.filter((room) => !room.is_mailbox);
  /** @type {Group[]} */
  const groups = [
    { id: 'own', title: own, plate: '★', rooms: known.filter((room) => room.is_mailbox) },
    ...floors.map((floor, i) => floorGroup(floor, i, shared)),
    { id: 'forgotten', title: forgotten, plate: '–', rooms: rooms.filter((room) => room.is_zapped) },
  ];
  return groups.filter((group) => group.rooms.length > 0);
}

/** @param {Floor} floor @param {number} place @param {ListedRoom[]} shared @returns {Group} */
const floorGroup = ({ num, name }, place, shared) => ({
  id: `floor-${num}`,
  title: name,
  plate: place === 0 ? 'G' : String(place),
  rooms: shared.filter((room) => room.floor === num),
});

/**
 * Where a message of the room `info` may go: rooms for the same that are no secret from the reader.
 * @param {{ name: string, default_view: number }} info @param {(room: RoomListEntry) => boolean} isAlike
 */
export const roomsFor = (info, isAlike) =>
  lists.get().rooms.filter((room) => room.name !== info.name && !room.is_zapped && isAlike(room));
