// Checks before a change, for both interfaces: conditional header fields (RFC 9110 section 13) with If
// (RFC 4918 section 10.4), and write locks (RFC 4918 sections 6 and 7), whose tokens the request must submit.

import { AppError, unlessGone } from '../errors.ts';
import type { WriteLock } from '../fleet/locks.ts';
import { evaluate, type LastModified, needsLastModified, type Validators } from '../http/conditional.ts';
import { type ConditionList, comparablePath, parseIf, type ResourceState, submittedTokens } from '../http/if-header.ts';
import { MAX_IF_RESOURCES } from '../limits/dav.ts';
import { collectionKind, type EnteredRoom, isBelow, parentFolder } from '../model.ts';
import { nameKey } from '../protocol/names.ts';
import { fullPersonalName, personalName } from '../protocol/room-facts.ts';
import { now } from '../system/clock.ts';
import { openMember } from './collection/collection.ts';
import { openNamed } from './message/open-message.ts';
import { lastModifiedOf, messageEtag } from './message/representation.ts';
import { encodedPath, realName, roomPath } from './paths.ts';
import type { RoomContext } from './room-context.ts';

/** The resource of a request in its current state. */
export interface Target extends Pick<Validators, 'etag' | 'exists' | keyof LastModified> {
  entered: EnteredRoom;
  /** name of the member, '' for the room; of a missing one, the name that it would have */
  name: string;
}

/** A change in a room that may be another one. */
export interface LockedChange extends MemberChange {
  context: RoomContext;
  entered: EnteredRoom;
}

/** Data for the conditional header fields If and If-Unmodified-Since. */
export interface IfConditions {
  lists: readonly ConditionList[];
  others: ReadonlyMap<string, ResourceState>;
  /** of the requested resource, if a condition needs it */
  modified?: { etag: string; time: LastModified } | undefined;
}

/**
 * Reads the If header, and the time of the last modification if a condition needs it. Called before a connection is
 * taken, since it may have to find resources. Throws bad_request for a malformed If.
 */
export async function readIfConditions(context: RoomContext): Promise<IfConditions> {
  const { exchange } = context;
  const segment = exchange.params.name;
  const modified = segment && needsLastModified(exchange) ? await modifiedAt(context, segment) : undefined;
  const header = exchange.header('if');
  if (header === undefined) return { lists: [], others: new Map(), modified };
  const lists = parseIf(header);
  return { lists, others: await otherStates(context, lists), modified };
}

async function modifiedAt(context: RoomContext, segment: string): Promise<IfConditions['modified']> {
  try {
    const message = await openNamed(context, segment);
    return { etag: messageEtag(message.msgnum), time: lastModifiedOf(message, segment) };
  } catch (error) {
    // missing, or the request itself will be refused
    if (error instanceof AppError && ['not_found', 'forbidden'].includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * Checks that the request may make these changes, without asking the room server. Throws precondition_failed, and
 * locked with the roots of the locks in the way.
 */
export async function requirePreconditions(
  context: RoomContext,
  { lists, others, modified }: IfConditions,
  target: Target,
  changes: readonly LockedChange[],
): Promise<void> {
  const { exchange } = context;
  const locksHere = await roomLocks(context, target.entered);
  const lockTokens = tokensOf(locksHere, target.name);
  const { etag, exists } = (await isLockPlaceholder(context, locksHere, target, lists))
    ? { etag: undefined, exists: false }
    : target;
  // another version came since
  const time = !modified || modified.etag === etag ? (modified?.time ?? target) : { lastModified: now() };
  if (evaluate(exchange, { lastModified: time.lastModified, etag, exists, lockTokens, others }) !== 'proceed') {
    throw new AppError('precondition_failed', 'The resource has changed.');
  }
  const inTheWay = new Map<string, string[]>();
  for (const change of changes) {
    const { context: there, entered } = change;
    const locks = entered === target.entered ? locksHere : await roomLocks(there, entered);
    const missing = await unsubmitted(there, locks.guarding(change), submittedTokens(lists));
    if (missing.length > 0) inTheWay.set(locks.collection, lockRoots(there, missing));
  }
  if (inTheWay.size === 0) return;
  const condition = { name: 'lock-token-submitted', hrefs: [...inTheWay.values()].flat() };
  throw new AppError('locked', 'This is locked, and the request has no token of the lock.', { condition });
}

/**
 * The same for a room, which has no entity tag. `isGoing`: it is deleted or renamed, else only read. Throws not_found,
 * too.
 */
export async function requireRoomUnlocked(context: RoomContext, isGoing: boolean): Promise<EnteredRoom> {
  const { app, caller, room } = context;
  const { entered } = await app.pool.readInRoom(caller.identity, room, []);
  const changes = isGoing ? [{ context, entered, name: '', isMembership: true }] : [];
  await requirePreconditions(
    context,
    await readIfConditions(context),
    { entered, name: '', lastModified: entered.mtime || undefined },
    changes,
  );
  return entered;
}

/** The empty file that a LOCK made counts as new for the lock's owner: davfs2 writes it with `If-None-Match: *`. */
async function isLockPlaceholder(
  { exchange, app, caller }: RoomContext,
  locks: RoomLocks,
  { name, etag }: Target,
  lists: readonly ConditionList[],
): Promise<boolean> {
  if (exchange.method !== 'PUT' || exchange.header('if-none-match')?.trim() !== '*') return false;
  const tokens = submittedTokens(lists);
  const made = locks.covering(name).filter(({ token, made }) => tokens.has(token) && made !== undefined);
  if (made.length === 0) return false;
  const account = await app.pool.accountOf(caller.identity);
  return made.some((lock) => lock.account === account && messageEtag(lock.made!) === etag);
}

/** The locks that the caller has not opened: of shared locks on one resource, one token is enough. */
async function unsubmitted(
  { app, caller }: RoomContext,
  guarding: readonly WriteLock[],
  tokens: ReadonlySet<string>,
): Promise<WriteLock[]> {
  if (guarding.length === 0) return [];
  const account = await app.pool.accountOf(caller.identity);
  const opened = new Set<string>();
  for (const lock of guarding) if (lock.account === account && tokens.has(lock.token)) opened.add(lock.name);
  return guarding.filter(({ name }) => !opened.has(name));
}

/** The addresses of the locked resources, each once. */
export function lockRoots({ app, room }: RoomContext, locks: readonly WriteLock[]): string[] {
  return [...new Set(locks.map(({ name }) => `${roomPath(app, room.name)}${encodedPath(name)}`))];
}

export function tokensOf(locks: RoomLocks, name: string): string[] {
  return locks.covering(name).map(({ token }) => token);
}

/** The states of the resources in the lists, except the request's own, as this caller may know them. */
async function otherStates(context: RoomContext, lists: readonly ConditionList[]): Promise<Map<string, ResourceState>> {
  const paths = new Set(lists.flatMap(({ path }) => path ?? []));
  paths.delete(comparablePath(context.exchange.rawPath));
  if (paths.size > MAX_IF_RESOURCES) throw new AppError('bad_request', 'The If header names too many resources.');
  const states = new Map<string, ResourceState>();
  for (const path of paths) {
    const state = await stateAt(context, path);
    if (state) states.set(path, state);
  }
  return states;
}

/** `path`: decoded, as in ConditionList; cannot find a room whose name contains a slash. */
async function stateAt(context: RoomContext, path: string): Promise<ResourceState | undefined> {
  const { app, room } = context;
  const prefix = `${app.prefix}r/`;
  if (!path.startsWith(prefix)) return undefined;
  const [name = '', ...rest] = path.slice(prefix.length).split('/');
  const member = rest.join('/');
  const isOwnRoom = realName(name) === room.name;
  const there = { ...context, room: isOwnRoom ? room : { name: realName(name), password: '' } };
  try {
    const { entered } = await app.pool.readInRoom(context.caller.identity, there.room, []);
    const locks = await roomLocks(there, entered);
    if (member === '') return { etag: undefined, tokens: tokensOf(locks, '') };
    const found = await unlessGone(openMember(there, member, false));
    return { etag: found && messageEtag(found.msgnum), tokens: tokensOf(locks, found?.name ?? member) };
  } catch (error) {
    const isUnknown = error instanceof AppError && ['not_found', 'forbidden', 'bad_request'].includes(error.code);
    if (isUnknown) return undefined;
    throw error;
  }
}

/** A change of a member or of the room itself. */
interface MemberChange {
  /** '' for the room; a folder's name ends in a slash, and everything below comes or goes with it */
  name: string;
  /** it is created or removed, so its folder changes, too (RFC 4918 section 7.4) */
  isMembership: boolean;
}

/** The key of a room's locks, the same for all users and all spellings of its name. */
async function lockCollectionOf({ app, caller }: RoomContext, entered: EnteredRoom): Promise<string> {
  if (!entered.isPersonal) return `room/${nameKey(entered.name)}`;
  // administrators see rooms of others with the owner's number (protocol section 8)
  if (personalName(entered.name).owner !== undefined) return `personal/${nameKey(entered.name)}`;
  const account = await app.pool.accountOf(caller.identity);
  return `personal/${fullPersonalName(account, nameKey(entered.name))}`;
}

export async function roomLocks(context: RoomContext, entered: EnteredRoom): Promise<RoomLocks> {
  const collection = await lockCollectionOf(context, entered);
  return new RoomLocks(collection, await context.app.fleet.locks.inCollection(collection));
}

/** Removes the locks of a deleted or moved member and of everything below it (RFC 4918 sections 7.5 and 9.6). */
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

  /** The locks of a member and the deep ones of its folders. */
  covering(name: string): readonly WriteLock[] {
    if (this.isEmpty) return [];
    const found = [...(this.#byName.get(name) ?? [])];
    for (let folder = parentFolder(name); folder !== undefined; folder = parentFolder(folder)) {
      for (const lock of this.#byName.get(folder) ?? []) if (lock.isDeep) found.push(lock);
    }
    return found;
  }

  /** The locks whose tokens a change needs; of shared locks on one resource, one is enough. */
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

/** The name that locks use for the member of a segment, if it is known without asking. */
export async function knownLockName(
  context: RoomContext,
  entered: EnteredRoom,
  segment: string,
): Promise<string | undefined> {
  const isFiles = collectionKind(entered) === 'files';
  return !isFiles && (await roomLocks(context, entered)).isEmpty ? segment : undefined;
}

/**
 * The room of a request, and the name that its locks use for the member of `segment` (a name, UID or number). Asks for
 * the member only if there are locks, or may be folders. Throws as openMember, except for a missing member.
 */
export async function lockTarget(
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
