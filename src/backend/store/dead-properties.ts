// Dead properties (RFC 4918 section 4) of rooms and their members. They belong to the member's name: they survive when
// another message takes the name, and are deleted with the last one.

import { ROOM_STATE } from './schema.ts';
import type { Store } from './store.ts';

/** Of the room itself if `member` is empty. */
export interface DeadProperty {
  /** name of the member, or its number */
  member: string;
  /** `{namespace}name`, or whatever a client calls it */
  name: string;
  /** XML */
  value: string;
}

/**
 * Marks a room whose creator has not filled it yet: the next start deletes such rooms. DAV clients cannot set it,
 * because the names of their properties contain a blank.
 */
export const UNFINISHED_MARK = 'unfinished';

/** The numbers of such rooms. */
export function unfinishedRooms(store: Store): number[] {
  // one query a room: rooms are few, and properties may be many
  const sql = `SELECT r.id FROM room r CROSS JOIN dead_property d ON d.room = r.id AND d.member = '' AND d.name = ?
    WHERE r.dropped = ${ROOM_STATE.there}`;
  return store
    .prepare(sql)
    .all(UNFINISHED_MARK)
    .map(({ id }) => Number(id));
}

/** All of one member, by name. */
export function propertiesOfMember(store: Store, roomId: number, member: string): DeadProperty[] {
  return store.all<DeadProperty>`SELECT member, name, value FROM dead_property WHERE room = ${roomId}
    AND member = ${member} ORDER BY name`;
}

/** The properties in a room after one of them, by member and name; those of the room itself come first. */
export function propertiesInRoom(
  store: Store,
  roomId: number,
  after: Pick<DeadProperty, 'member' | 'name'>,
  limit: number,
): DeadProperty[] {
  return store.all<DeadProperty>`SELECT member, name, value FROM dead_property WHERE room = ${roomId}
    AND (member, name) > (${after.member}, ${after.name}) ORDER BY member, name LIMIT ${limit}`;
}

/** Sets a property; removes it where `value` is undefined. Inside a transaction only. */
export function setProperty(
  store: Store,
  roomId: number,
  { member, name }: Pick<DeadProperty, 'member' | 'name'>,
  value: string | undefined,
): void {
  if (value === undefined) {
    store.run`DELETE FROM dead_property WHERE room = ${roomId} AND member = ${member} AND name = ${name}`;
  } else {
    store.run`INSERT OR REPLACE INTO dead_property (room, member, name, value)
      VALUES (${roomId}, ${member}, ${name}, ${value})`;
  }
}

/** Copies the properties of one member to another, replacing its own. Inside a transaction only. */
export function copyProperties(
  store: Store,
  source: { room: number; member: string },
  target: { room: number; member: string },
): void {
  dropProperties(store, target.room, target.member);
  store.run`INSERT INTO dead_property (room, member, name, value) SELECT ${target.room}, ${target.member}, name, value
    FROM dead_property WHERE room = ${source.room} AND member = ${source.member}`;
}

/** Deletes the properties of a removed member. Inside a transaction only. */
export function dropProperties(store: Store, roomId: number, member: string): void {
  store.run`DELETE FROM dead_property WHERE room = ${roomId} AND member = ${member}`;
}
