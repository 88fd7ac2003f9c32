// Rooms of the embedded server: all of them in memory, written through, found by number, name or macro
// (protocol section 8), with the orders and groups that lists need; and floors.

import type { SQLInputValue } from 'node:sqlite';
import { BACKEND_LIST_PAGE_ROWS, MAX_KEPT_CHANGES } from '../../limits/backend.ts';
import { ROOM_FLAG } from '../../model.ts';
import { foldName, lookKey } from '../../protocol/name-rules.ts';
import { nameKey } from '../../protocol/names.ts';
import { fullPersonalName, OWN_ROOM, ROOM_MACRO, type RoomFacts } from '../../protocol/room-facts.ts';
import type { ChangeScope } from '../../system/change-counts.ts';
import { now } from '../../system/clock.ts';
import type { RoomCache, StoredRoom, StoredUser } from './records.ts';
import { ROOM_STATE } from './schema.ts';
import type { Store } from './store.ts';

/** keys of the rooms the server itself relies on; they keep their names */
export const BASE_ROOM_KEY = 'lobby';

export const AIDE_ROOM_KEY = 'aide';

export const TRASHCAN_ROOM_KEY = 'trashcan';

/** room names of GOTO and MOVE that stand for others, lower case */
const MACROS: ReadonlyMap<string, string> = new Map([
  ['_baseroom_', BASE_ROOM_KEY],
  ['_bitbucket_', TRASHCAN_ROOM_KEY],
  ...(['mail', 'trash', 'drafts', 'calendar', 'tasks', 'contacts', 'notes'] as const).map((role): [string, string] => [
    nameKey(ROOM_MACRO[role]),
    nameKey(OWN_ROOM[role]),
  ]),
]);

/** The settings of a room that is to be made. */
export type NewRoom = Pick<StoredRoom, 'name' | 'flags' | 'view'> &
  Partial<Pick<StoredRoom, 'owner' | 'admin' | 'maker' | 'flags2' | 'floor' | 'order' | 'password'>>;

/** undefined for a room that is not there (any more). */
export function roomById(store: Store, id: number): StoredRoom | undefined {
  return roomCache(store).byId.get(id);
}

/** The room of this full name, any case. */
export function roomByName(store: Store, fullName: string): StoredRoom | undefined {
  return roomCache(store).byKey.get(nameKey(fullName));
}

/**
 * The room a user means: a macro, the user's personal room by its short name, or a full name. Folds blanks and composed
 * letters as stored names are folded. Does not check rights.
 */
export function findRoom(store: Store, user: StoredUser | undefined, name: string): StoredRoom | undefined {
  const { byKey } = roomCache(store);
  const key = nameKey(name);
  const wanted = MACROS.get(key) ?? key;
  const found = (user && byKey.get(personalKey(user.id, wanted))) ?? byKey.get(wanted);
  if (found) return found;
  const folded = foldName(name);
  return folded === name ? undefined : findRoom(store, user, folded);
}

/** `'_MAIL_'` → `'Mail'`; other names as they are: how refusals name a room */
export function withoutMacro(name: string): string {
  const macro = MACROS.get(nameKey(name));
  return macro === undefined ? name : macro.charAt(0).toUpperCase() + macro.slice(1);
}

/** The room where sessions begin, the Lobby. */
export function baseRoom(store: Store): StoredRoom {
  return roomCache(store).byKey.get(BASE_ROOM_KEY)!;
}

/** Base room, Aide and Trashcan: not to be renamed or deleted. */
export function isServerRoom(room: StoredRoom): boolean {
  return room.key === BASE_ROOM_KEY || room.key === AIDE_ROOM_KEY || room.key === TRASHCAN_ROOM_KEY;
}

/** `'0000000002.Mail'` for personal rooms */
export function fullName(room: StoredRoom): string {
  return room.owner === null ? room.name : fullPersonalName(room.owner, room.name);
}

export function roomFacts({ name, owner, view }: StoredRoom): RoomFacts {
  return { name, isPersonal: owner !== null, defaultView: view };
}

/** The name a user sees: short for own personal rooms. */
export function shownName(room: StoredRoom, user: StoredUser | undefined): string {
  return room.owner !== null && room.owner === user?.id ? room.name : fullName(room);
}

/** The scope of changes of its content. */
export function scopeOf({ name, owner }: StoredRoom): ChangeScope {
  return owner === null ? { rooms: [nameKey(name)] } : { users: [owner] };
}

/** Creates a room whose name is free. Does not check rights. */
export function createRoom(store: Store, room: NewRoom): StoredRoom {
  const owner = room.owner ?? null;
  const time = now();
  const row: StoredRoom = {
    id: 0,
    name: room.name,
    key: owner === null ? nameKey(room.name) : personalKey(owner, nameKey(room.name)),
    owner,
    admin: room.admin ?? null,
    maker: room.maker ?? owner ?? room.admin ?? null,
    flags: room.flags | ROOM_FLAG.inUse,
    flags2: room.flags2 ?? 0,
    floor: room.floor ?? 0,
    order: room.order ?? (owner === null ? 64 : 0),
    view: room.view,
    password: room.password ?? '',
    directory: '',
    created: time,
    changed: time,
    highest: 0,
    total: 0,
    sequence: 0,
    changesFrom: 0,
    infoMessage: 0,
    generation: 0,
    rearranged: 0,
  };
  const cache = roomCache(store);
  return store.transaction(() => {
    const { lastInsertRowid } = store.run`INSERT INTO room (name, key, look_key, owner, admin, maker, flags, flags2,
      floor, sort_order, view, password, created, changed) VALUES (${row.name}, ${row.key}, ${lookKey(row.name)},
      ${owner}, ${row.admin}, ${row.maker}, ${row.flags}, ${row.flags2}, ${row.floor}, ${row.order}, ${row.view},
      ${row.password}, ${time}, ${time})`;
    row.id = Number(lastInsertRowid);
    cacheRoom(cache, row);
    store.onRollback(() => uncacheRoom(cache, row));
    store.noteChange(row.id);
    return row;
  });
}

const EDITABLE = {
  name: 'name',
  admin: 'admin',
  maker: 'maker',
  flags: 'flags',
  flags2: 'flags2',
  floor: 'floor',
  order: 'sort_order',
  view: 'view',
  password: 'password',
  directory: 'directory',
  changed: 'changed',
  infoMessage: 'info_message',
} as const;

/** Changes columns of a room, in the database and in the shared row. */
export function updateRoom(
  store: Store,
  room: StoredRoom,
  changes: Partial<Pick<StoredRoom, keyof typeof EDITABLE>>,
): void {
  const key =
    changes.name === undefined
      ? room.key
      : room.owner === null
        ? nameKey(changes.name)
        : personalKey(room.owner, nameKey(changes.name));
  const assignments = ['key = ?'];
  const values: SQLInputValue[] = [key];
  if (changes.name !== undefined) {
    assignments.push('look_key = ?');
    values.push(lookKey(changes.name));
  }
  for (const [field, value] of Object.entries(changes)) {
    assignments.push(`${EDITABLE[field as keyof typeof EDITABLE]} = ?`);
    values.push(value);
  }
  store.transaction(() => {
    store.prepare(`UPDATE room SET ${assignments.join(', ')} WHERE id = ?`).run(...values, room.id);
    const isContent = Object.keys(changes).every((field) => field === 'changed' || field === 'infoMessage');
    store.noteChange(room.id, isContent ? undefined : 'all');
    const before = { ...room };
    exchange(store, room, { ...changes, key });
    store.onRollback(() => exchange(store, room, before));
  });
}

function exchange(store: Store, room: StoredRoom, fields: Partial<StoredRoom>): void {
  const cache = roomCache(store);
  uncacheRoom(cache, room);
  Object.assign(room, fields);
  cacheRoom(cache, room);
}

/**
 * Call it whenever messages are added to a room, removed or renamed, with the new highest number, count, time of change
 * and sequence. `isAppended`: one message was added after all others, and nothing else changed. Inside a transaction
 * only.
 */
export function updateRoomContents(
  store: Store,
  roomId: number,
  contents: Pick<StoredRoom, 'highest' | 'total' | 'changed' | 'sequence'>,
  isAppended = false,
): void {
  const room = roomById(store, roomId);
  if (!room) {
    writeContents(store, roomId, contents);
    return;
  }
  store.noteChange(roomId);
  const before = { highest: room.highest, total: room.total, changed: room.changed, sequence: room.sequence };
  Object.assign(room, contents);
  room.generation++;
  if (!isAppended) room.rearranged++;
  store.atEnd(`contents of room ${roomId}`, () => writeContents(store, roomId, room));
  store.onRollback(() => {
    Object.assign(room, before);
    room.generation++;
    room.rearranged++;
  });
}

function writeContents(
  store: Store,
  roomId: number,
  { highest, total, changed, sequence }: Pick<StoredRoom, 'highest' | 'total' | 'changed' | 'sequence'>,
): void {
  store.run`UPDATE room SET highest = ${highest}, total = ${total}, changed = ${changed}, sequence = ${sequence}
    WHERE id = ${roomId}`;
}

/** Records that changes up to this sequence are no longer known. Inside a transaction only. */
export function forgetChanges(store: Store, roomId: number, upTo: number): void {
  store.run`UPDATE room SET changes_from = max(changes_from, ${upTo}) WHERE id = ${roomId}`;
  const room = roomById(store, roomId);
  if (!room) return;
  const before = room.changesFrom;
  room.changesFrom = Math.max(before, upTo);
  store.onRollback(() => {
    room.changesFrom = before;
  });
}

/** Takes a room that is being deleted from the database out of memory; removal.ts does the rest, in one transaction. */
export function removeRoomFromMemory(store: Store, room: StoredRoom): void {
  const cache = roomCache(store);
  uncacheRoom(cache, room);
  store.noteChange(undefined, 'all');
  store.onRollback(() => cacheRoom(cache, room));
}

/** The key of the personal room with this short name's key. */
export function personalKey(owner: number, key: string): string {
  return fullPersonalName(owner, key);
}

/** Numbers of the rooms that have a picture. */
export const roomsWithPictures = (store: Store): ReadonlySet<number> =>
  new Set(store.all`SELECT id FROM room WHERE picture_type IS NOT NULL`.map(({ id }) => Number(id)));

/** Whether there is a floor of this number. */
export function floorExists(store: Store, num: number): boolean {
  return store.get`SELECT 1 FROM floor WHERE num = ${num}` !== undefined;
}

/** Adds a floor whose number and name are free. Inside a transaction only. */
export function addFloor(store: Store, num: number, name: string): void {
  store.run`INSERT INTO floor (num, name, key) VALUES (${num}, ${name}, ${nameKey(name)})`;
}

/** A member that is gone from a room. It is remembered for a while for clients that ask for changes (RFC 6578). */
export interface RemovedMember {
  message: number;
  /** its name; empty: its number */
  name: string;
}

/** Records members that were removed or renamed. Inside a transaction only. */
export function noteRemoved(store: Store, roomId: number, sequence: number, members: readonly RemovedMember[]): void {
  const insert = store.prepare(
    'INSERT OR REPLACE INTO removed_member (room, sequence, message, name, time) VALUES (?, ?, ?, ?, ?)',
  );
  const time = now();
  for (const { message, name } of members) insert.run(roomId, sequence, message, name || String(message), time);
  const oldest = sequence - MAX_KEPT_CHANGES;
  if (oldest <= 0) return;
  const { changes } = store.run`DELETE FROM removed_member WHERE room = ${roomId} AND sequence <= ${oldest}`;
  if (changes > 0) forgetChanges(store, roomId, oldest);
}

/** Forgets some members removed before `time`; true if there may be more. One short transaction. */
export function pruneRemoved(store: Store, time: number): boolean {
  return store.transaction(() => {
    const rows = store.all<{ room: number; sequence: number; message: number }>`SELECT room, sequence, message
      FROM removed_member WHERE time < ${time} ORDER BY time LIMIT ${BACKEND_LIST_PAGE_ROWS}`;
    const remove = store.prepare('DELETE FROM removed_member WHERE room = ? AND sequence = ? AND message = ?');
    const latest = new Map<number, number>();
    for (const { room, sequence, message } of rows) {
      remove.run(room, sequence, message);
      latest.set(room, Math.max(sequence, latest.get(room) ?? 0));
    }
    for (const [room, sequence] of latest) forgetChanges(store, room, sequence);
    return rows.length === BACKEND_LIST_PAGE_ROWS;
  });
}

const COLUMNS = `id, name, key, owner, admin, maker, flags, flags2, floor, sort_order AS "order", view, password, directory,
  created, changed, highest, total, sequence, changes_from AS changesFrom, info_message AS infoMessage`;

/** All rooms; read from the database once. */
export function roomCache(store: Store): RoomCache {
  store.caches.rooms ??= readRooms(store);
  return store.caches.rooms;
}

function readRooms(store: Store): RoomCache {
  const cache: RoomCache = {
    byId: new Map(),
    byKey: new Map(),
    byOwner: new Map(),
    byAdmin: new Map(),
    byMaker: new Map(),
    shared: undefined,
  };
  for (const row of store.db.prepare(`SELECT ${COLUMNS} FROM room WHERE dropped = ${ROOM_STATE.there}`).all()) {
    cacheRoom(cache, { ...row, generation: 0, rearranged: 0 } as unknown as StoredRoom);
  }
  return cache;
}

/** The number of rooms that the user owns or has created; who administers them does not matter. */
export function countRoomsOf(store: Store, user: number): number {
  const { byOwner, byMaker } = roomCache(store);
  const [owned, made] = [byOwner, byMaker].map((rooms) => rooms.get(user) ?? new Set<StoredRoom>());
  return owned!.union(made!).size;
}

/** Puts a room into the cache, under the keys that it has now. */
function cacheRoom(cache: RoomCache, room: StoredRoom): void {
  cache.byId.set(room.id, room);
  cache.byKey.set(room.key, room);
  if (room.owner !== null) addTo(cache.byOwner, room.owner, room);
  if (room.admin !== null) addTo(cache.byAdmin, room.admin, room);
  if (room.maker !== null) addTo(cache.byMaker, room.maker, room);
  cache.shared = undefined;
}

function addTo(sets: Map<number, Set<StoredRoom>>, user: number, room: StoredRoom): void {
  sets.getOrInsertComputed(user, () => new Set()).add(room);
}

/** Takes a room out of the cache. Call it before its keys change. */
function uncacheRoom(cache: RoomCache, room: StoredRoom): void {
  cache.byId.delete(room.id);
  cache.byKey.delete(room.key);
  if (room.owner !== null) cache.byOwner.get(room.owner)?.delete(room);
  if (room.admin !== null) cache.byAdmin.get(room.admin)?.delete(room);
  if (room.maker !== null) cache.byMaker.get(room.maker)?.delete(room);
  cache.shared = undefined;
}

/** Rooms that are not personal, in list order. */
export function sharedRooms(store: Store): readonly StoredRoom[] {
  const cache = roomCache(store);
  cache.shared ??= inListOrder([...cache.byId.values()].filter((room) => room.owner === null));
  return cache.shared;
}

/** Shared rooms that need no invitation, no password and no guessing, in list order. */
export function openRooms(store: Store): readonly StoredRoom[] {
  return sharedRooms(store).filter((room) => !(room.flags & ROOM_FLAG.private));
}

/** Rooms that have this user as their room admin. */
export function roomsAdministeredBy(store: Store, userId: number): StoredRoom[] {
  return [...(roomCache(store).byAdmin.get(userId) ?? [])];
}

/** Call it when a user is deleted: the rooms lose their administrator or maker. */
export function releaseRooms(store: Store, user: number): void {
  const made = [...(roomCache(store).byMaker.get(user) ?? [])];
  for (const room of made) updateRoom(store, room, { maker: null });
  for (const room of roomsAdministeredBy(store, user)) updateRoom(store, room, { admin: null });
}

/** Personal rooms of this user. */
export function roomsOwnedBy(store: Store, userId: number): StoredRoom[] {
  return [...(roomCache(store).byOwner.get(userId) ?? [])];
}

/** Sorts in place, by full name. */
export function inListOrder(rooms: StoredRoom[]): StoredRoom[] {
  return rooms.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Rooms on each floor, personal ones included. */
export function roomsOnFloors(store: Store): ReadonlyMap<number, number> {
  const byFloor = Map.groupBy(roomCache(store).byId.values(), ({ floor }) => floor);
  return new Map([...byFloor].map(([floor, rooms]) => [floor, rooms.length]));
}
