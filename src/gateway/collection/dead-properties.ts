// Properties that clients set on rooms and members (dead properties of RFC 4918 section 4, and names, colours and the
// like): kept by a room server that is ours. Any other has no place for them.

import { unlessGone } from '../../errors.ts';
import { MAX_HELD_PROPERTY_BYTES, PROPERTY_MEMBERS_AT_ONCE } from '../../limits/dav.ts';
import type { KeptProperty, PropertyChange, RoomProperties } from '../../room-server/collections.ts';
import type { Identity } from '../../room-server/connection/identity.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { App } from '../app.ts';
import type { RoomContext } from '../room-context.ts';

/** Finds properties of members by their names. */
export interface PropertyLookup {
  /** names that may be asked for at once: what is found of them is held */
  namesAtOnce: number;
  find(names: readonly string[]): Promise<ReadonlyMap<string, readonly KeptProperty[]>>;
}

const NONE: readonly KeptProperty[] = [];

/** Those of one member by its name (Member.name), of the room itself for ''. Throws as openCollection. */
export async function keptPropertiesOf(
  { app, caller, room }: RoomContext,
  member: string,
): Promise<readonly KeptProperty[]> {
  const { properties } = await serverOf(app.pool, caller.identity);
  return (await unlessGone(properties.of(app.pool, caller.identity, room, member))) ?? NONE;
}

/**
 * What finds those of many members by their names. Most rooms have none or few, which are read here and held; of the
 * others those of each member are asked for, so that no list is ever held whole. Throws as openCollection.
 */
export async function propertyLookup(
  context: RoomContext,
  maxBytes = MAX_HELD_PROPERTY_BYTES,
): Promise<PropertyLookup> {
  const { app, caller, room } = context;
  const held = new Map<string, KeptProperty[]>();
  const isHeld = { namesAtOnce: Number.POSITIVE_INFINITY, find: async () => held };
  const server = await serverOf(app.pool, caller.identity);
  let bytes = 0;
  for await (const page of server.properties.all(app.pool, caller.identity, room)) {
    for (const [member, properties] of page) {
      held.getOrInsertComputed(member, () => []).push(...properties);
      for (const { value } of properties) bytes += Buffer.byteLength(value);
    }
    if (bytes > maxBytes) {
      return { namesAtOnce: PROPERTY_MEMBERS_AT_ONCE, find: (names) => propertiesOfEach(context, names) };
    }
  }
  return isHeld;
}

async function propertiesOfEach(context: RoomContext, names: readonly string[]) {
  const found = await Promise.all(names.map((name) => keptPropertiesOf(context, name)));
  return new Map(names.map((name, i) => [name, found[i]!]));
}

/** Sync-tokens and properties of all rooms that the caller knows, by name; undefined if the server cannot list them. */
export async function homeRooms(
  app: App,
  identity: Identity,
): Promise<ReadonlyMap<string, RoomProperties> | undefined> {
  return (await serverOf(app.pool, identity)).properties.ofRooms(app.pool, identity);
}

/**
 * Makes all changes or none; false where they cannot be kept. `member`: as for keptPropertiesOf. Throws as
 * openCollection, forbidden, insufficient_storage.
 */
export async function keepProperties(
  { app, caller, room }: RoomContext,
  member: string,
  changes: readonly PropertyChange[],
): Promise<boolean> {
  const { lacks, properties } = await serverOf(app.pool, caller.identity);
  if (lacks.properties) return false;
  await app.pool.visitRoom(caller.identity, room, (connection) => properties.change(connection, member, changes));
  return true;
}
