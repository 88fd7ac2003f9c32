// Whether a room is a calendar of the caller, where scheduling takes place (RFC 6638 section 3.1), by which addresses
// he is known in it, and what its objects were before they change.

import { MAX_OBJECT_BYTES } from '../../limits/backend.ts';
import { parseObject } from '../../mime/objects/components.ts';
import type { Component } from '../../mime/objects/content-lines.ts';
import { addressKey } from '../../mime/scheduling/lines.ts';
import { collectionKind, type EnteredRoom, ROOM_FLAG2 } from '../../model.ts';
import { personalName } from '../../protocol/room-facts.ts';
import { collectContents } from '../../room-server/message-content.ts';
import { ownAddresses } from '../../room-server/users.ts';
import { userPath } from '../paths.ts';
import type { RoomContext } from '../room-context.ts';

/** A calendar or a task list, whosever it is. */
export function holdsCalendar(entered: Pick<EnteredRoom, 'defaultView' | 'flags'>): boolean {
  const kind = collectionKind(entered);
  return kind === 'calendar' || kind === 'tasks';
}

/** A personal calendar or task list of the caller himself; the inbox is none. */
export function isOwnCalendar(entered: EnteredRoom): boolean {
  // administrators see the rooms of others with the number of their owner
  const isKept = (entered.flags2 & ROOM_FLAG2.system) !== 0;
  return holdsCalendar(entered) && !isKept && entered.isPersonal && personalName(entered.name).owner === undefined;
}

/** The keys of the caller's calendar addresses: mail, and his principal (RFC 6638 section 2.4.1). */
export async function ownAddressKeys({ app, caller }: Pick<RoomContext, 'app' | 'caller'>): Promise<Set<string>> {
  const addresses = await ownAddresses(app.pool, caller.identity);
  const { name } = await app.pool.identify(caller.identity);
  return new Set([...addresses.map((address) => `mailto:${address}`), userPath(app, name)].map(addressKey));
}

/** The calendar object that a message holds; undefined for one that is gone, or none. Throws as pool.readInRoom. */
export async function storedObject(context: RoomContext, msgnum: number): Promise<Component | undefined> {
  const { app, caller, room } = context;
  const bounds = { maxEach: MAX_OBJECT_BYTES, maxBytes: MAX_OBJECT_BYTES };
  const [content] = await collectContents(app.pool, caller.identity, room, [{ msgnum, form: 'part' }], bounds);
  return Buffer.isBuffer(content) ? parseObject(content.toString('utf8')).object : undefined;
}
