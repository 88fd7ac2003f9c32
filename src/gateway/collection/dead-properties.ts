// Properties that clients set on rooms and members (dead properties of RFC 4918 section 4, and names, colours and the
// like): kept by a room server that is ours. Any other has no place for them.

import {
  changeKeptProperties,
  readAllKeptProperties,
  readKeptProperties,
  readRoomProperties,
} from '../../client/collection/properties.ts';
import type { Identity } from '../../client/connection/identity.ts';
import { hasMembers } from '../../client/server.ts';
import type { App } from '../app.ts';
import type { RoomContext } from '../room-context.ts';

/** `{namespace}name` → the element as XML that stands for itself */
export type PropertyTexts = ReadonlyMap<string, string>;

export interface PropertyChange {
  /** `{namespace}name` */
  key: string;
  /** XML of the whole element; undefined removes it */
  text: string | undefined;
}

const NONE: PropertyTexts = new Map();
const NONE_ANYWHERE: ReadonlyMap<string, PropertyTexts> = new Map();

/** Whether the room server keeps them at all. */
export function canKeepProperties({ pool }: App, identity: Identity): Promise<boolean> {
  return hasMembers(pool, identity);
}

/** Those of one member by its name (Member.name), of the room itself for ''. Throws as openCollection. */
export async function readProperties({ app, caller, room }: RoomContext, member: string): Promise<PropertyTexts> {
  if (!(await canKeepProperties(app, caller.identity))) return NONE;
  return readKeptProperties(app.pool, caller.identity, room, member);
}

/** Those of the room and of all its members, by name, '' for the room. Throws as openCollection. */
export async function readAllProperties({
  app,
  caller,
  room,
}: RoomContext): Promise<ReadonlyMap<string, PropertyTexts>> {
  if (!(await canKeepProperties(app, caller.identity))) return NONE_ANYWHERE;
  return readAllKeptProperties(app.pool, caller.identity, room);
}

/** Those of all rooms that the caller knows, by the name of the room. */
export async function readHomeProperties(app: App, identity: Identity): Promise<ReadonlyMap<string, PropertyTexts>> {
  if (!(await canKeepProperties(app, identity))) return NONE_ANYWHERE;
  const rooms = await readRoomProperties(app.pool, identity);
  return new Map([...rooms].map(([room, { properties }]) => [room, properties]));
}

/**
 * Makes all changes or none; false where they cannot be kept. Throws as openCollection, forbidden,
 * insufficient_storage.
 */
export async function changeProperties(
  { app, caller, room }: RoomContext,
  member: string,
  changes: readonly PropertyChange[],
): Promise<boolean> {
  if (!(await canKeepProperties(app, caller.identity))) return false;
  const kept = changes.map(({ key, text }) => ({ name: key, value: text }));
  await app.pool.withRoom(caller.identity, room, (connection) => changeKeptProperties(connection, member, kept));
  return true;
}
