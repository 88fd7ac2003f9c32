// The write locks of a room (RFC 4918 sections 6 and 7) as one request needs them: which cover a member, and which keep
// a change from being made.

import { unlessGone } from '../../errors.ts';
import type { WriteLock } from '../../fleet/locks.ts';
import { collectionKind, type EnteredRoom, isBelow, parentFolder } from '../../model.ts';
import { nameKey } from '../../protocol/names.ts';
import { fullPersonalName, personalName } from '../../protocol/room-facts.ts';
import { openMember } from '../collection/collection.ts';
import type { RoomContext } from '../room-context.ts';

/** What a change does to a member, or to the room itself. */
export interface MemberChange {
  /** '' is the room; a folder's ends in a slash, and all that lies below is changed with it where it comes or goes */
  name: string;
  /** it comes into being or goes, so the folder it is in changes, too (RFC 4918 section 7.4) */
  isMembership: boolean;
}

/** A room for its locks: the same text for all who mean the same room, however they spell it. */
async function lockCollectionOf({ app, caller }: RoomContext, entered: EnteredRoom): Promise<string> {
  if (!entered.isPersonal) return `room/${nameKey(entered.name)}`;
  // an administrator sees the rooms of others with the number of their owner (protocol section 8)
  if (personalName(entered.name).owner !== undefined) return `personal/${nameKey(entered.name)}`;
  const account = await app.pool.accountOf(caller.identity);
  return `personal/${fullPersonalName(account, nameKey(entered.name))}`;
}

/** The locks that are in force in the room. */
export async function roomLocks(context: RoomContext, entered: EnteredRoom): Promise<RoomLocks> {
  const collection = await lockCollectionOf(context, entered);
  return new RoomLocks(collection, await context.app.fleet.locks.inCollection(collection));
}

/** Those of what has been deleted or moved away, and of all that lay below (RFC 4918 sections 7.5 and 9.6). */
export async function removeLocks(context: RoomContext, entered: EnteredRoom, name: string): Promise<void> {
  await context.app.fleet.locks.removeFrom(await lockCollectionOf(context, entered), name);
}

export class RoomLocks {
  readonly collection: string;
  readonly #all: readonly WriteLock[];
  readonly #byName = new Map<string, WriteLock[]>();

  constructor(collection: string, locks: readonly WriteLock[]) {
    this.collection = collection;
    this.#all = locks;
    for (const lock of locks) this.#byName.getOrInsertComputed(lock.name, () => []).push(lock);
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  withToken(token: string): WriteLock | undefined {
    return this.#all.find((lock) => lock.token === token);
  }

  /** The locks on a member: its own, and deep ones of the folders around it. */
  covering(name: string): readonly WriteLock[] {
    if (this.isEmpty) return [];
    const found = [...(this.#byName.get(name) ?? [])];
    for (let folder = parentFolder(name); folder !== undefined; folder = parentFolder(folder)) {
      for (const lock of this.#byName.get(folder) ?? []) if (lock.isDeep) found.push(lock);
    }
    return found;
  }

  /** The locks whose tokens a change needs: of those on one resource, which are all shared then, one is enough. */
  guarding({ name, isMembership }: MemberChange): readonly WriteLock[] {
    if (this.isEmpty) return [];
    const found = new Set(this.covering(name));
    if (!isMembership) return [...found];
    const parent = parentFolder(name);
    if (parent !== undefined) for (const lock of this.#byName.get(parent) ?? []) found.add(lock);
    for (const lock of this.#all) if (isBelow(name, lock.name)) found.add(lock);
    return [...found];
  }
}

/**
 * What the locks of an entered room call the member that `segment` names, where that is known without asking; undefined
 * where it is not.
 */
export async function knownLockName(
  context: RoomContext,
  entered: EnteredRoom,
  segment: string,
): Promise<string | undefined> {
  const isFiles = collectionKind(entered) === 'files';
  return !isFiles && (await roomLocks(context, entered)).isEmpty ? segment : undefined;
}

/**
 * Where a request leads: the room, and what its locks call the member that `segment` names, be it by any of its names,
 * or its number. That is asked for only where there are locks, or may be folders. Throws as openMember, but for a
 * member that is not there.
 */
export async function lockPlace(
  context: RoomContext,
  segment: string,
): Promise<{ entered: EnteredRoom; isFiles: boolean; name: string }> {
  const { app, caller, room } = context;
  const { entered } = await app.pool.readInRoom(caller.identity, room, []);
  const isFiles = collectionKind(entered) === 'files';
  const known = await knownLockName(context, entered, segment);
  if (known !== undefined) return { entered, isFiles, name: known };
  const member = await unlessGone(openMember(context, segment, false));
  return { entered, isFiles, name: member?.name ?? segment };
}
