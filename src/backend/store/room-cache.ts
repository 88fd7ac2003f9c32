// All rooms in memory, with the orders and groups that lists need, so that a list costs no more than its rows. rooms.ts
// writes changes through.

import { ROOM_FLAG } from '../../model.ts';
import type { RoomCache } from './caches.ts';
import type { StoredRoom } from './records.ts';
import { ROOM_STATE } from './schema.ts';
import type { Store } from './store.ts';

const COLUMNS = `id, name, key, owner, admin, flags, flags2, floor, sort_order AS "order", view, password, directory,
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
    shared: undefined,
    open: undefined,
    floorCounts: undefined,
  };
  for (const row of store.db.prepare(`SELECT ${COLUMNS} FROM room WHERE dropped = ${ROOM_STATE.there}`).all()) {
    cacheRoom(cache, { ...row, generation: 0, rearranged: 0 } as unknown as StoredRoom);
  }
  return cache;
}

/** The user's personal rooms, and those that the user administers, each once. */
export function countRoomsOf(store: Store, user: number): number {
  const { byOwner, byAdmin } = roomCache(store);
  const [owned, administered] = [byOwner, byAdmin].map((rooms) => rooms.get(user) ?? new Set<StoredRoom>());
  return owned!.union(administered!).size;
}

/** Puts a room into the cache, under the keys that it has now. */
export function cacheRoom(cache: RoomCache, room: StoredRoom): void {
  cache.byId.set(room.id, room);
  cache.byKey.set(room.key, room);
  if (room.owner !== null) addTo(cache.byOwner, room.owner, room);
  if (room.admin !== null) addTo(cache.byAdmin, room.admin, room);
  forgetLists(cache);
}

function addTo(sets: Map<number, Set<StoredRoom>>, user: number, room: StoredRoom): void {
  sets.getOrInsertComputed(user, () => new Set()).add(room);
}

/** Takes a room out of the cache. Call it before its keys change. */
export function uncacheRoom(cache: RoomCache, room: StoredRoom): void {
  cache.byId.delete(room.id);
  cache.byKey.delete(room.key);
  if (room.owner !== null) cache.byOwner.get(room.owner)?.delete(room);
  if (room.admin !== null) cache.byAdmin.get(room.admin)?.delete(room);
  forgetLists(cache);
}

function forgetLists(cache: RoomCache): void {
  cache.shared = undefined;
  cache.open = undefined;
  cache.floorCounts = undefined;
}

/** Rooms that are not personal, in list order. */
export function sharedRooms(store: Store): readonly StoredRoom[] {
  const cache = roomCache(store);
  cache.shared ??= inListOrder([...cache.byId.values()].filter((room) => room.owner === null));
  return cache.shared;
}

/** Shared rooms that need no invitation, no password and no guessing, in list order. */
export function openRooms(store: Store): readonly StoredRoom[] {
  const cache = roomCache(store);
  cache.open ??= sharedRooms(store).filter((room) => !(room.flags & ROOM_FLAG.private));
  return cache.open;
}

/** Rooms that have this user as their room admin. */
export function roomsAdministeredBy(store: Store, userId: number): StoredRoom[] {
  return [...(roomCache(store).byAdmin.get(userId) ?? [])];
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
  const cache = roomCache(store);
  if (!cache.floorCounts) {
    cache.floorCounts = new Map();
    for (const { floor } of cache.byId.values()) cache.floorCounts.set(floor, (cache.floorCounts.get(floor) ?? 0) + 1);
  }
  return cache.floorCounts;
}
