// What must hold before something is changed, for both interfaces: the conditional header fields (RFC 9110 section 13),
// If among them (RFC 4918 section 10.4), and that who holds the locks in the way has submitted their tokens
// (RFC 4918 section 7).

import { AppError, unlessGone } from '../../errors.ts';
import type { WriteLock } from '../../fleet/locks.ts';
import { evaluate, type LastModified, needsLastModified, type Validators } from '../../http/conditional.ts';
import {
  type ConditionList,
  comparablePath,
  parseIf,
  type ResourceState,
  submittedTokens,
} from '../../http/if-header.ts';
import { MAX_IF_RESOURCES } from '../../limits/dav.ts';
import type { EnteredRoom } from '../../model.ts';
import { now } from '../../system/clock.ts';
import { openMember } from '../collection/collection.ts';
import { encodedPath } from '../folder/path.ts';
import { openNamed } from '../message/head.ts';
import { lastModifiedOf, messageEtag } from '../message/representation.ts';
import { realName, roomPath } from '../paths.ts';
import type { RoomContext } from '../room-context.ts';
import { type MemberChange, type RoomLocks, roomLocks } from './room-locks.ts';

/** The resource that a request is about, as it is now. */
export interface Target extends Pick<Validators, 'etag' | 'exists' | keyof LastModified> {
  entered: EnteredRoom;
  /** of its member, '' for the room itself; where it is not there, the name that it would have */
  name: string;
}

/** What else a request changes, in a room that may be another one. */
export interface PlacedChange extends MemberChange {
  context: RoomContext;
  entered: EnteredRoom;
}

/** What the conditional header fields of a request need to be looked at, If and If-Unmodified-Since. */
export interface IfConditions {
  lists: readonly ConditionList[];
  others: ReadonlyMap<string, ResourceState>;
  /** of what the request names, where a condition asks for it */
  modified?: { etag: string; time: LastModified } | undefined;
}

/**
 * Reads the If header, and when what the request names was modified, where that counts. Before a connection is taken,
 * since resources may have to be looked for. Throws bad_request for an If that cannot be read.
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
    // nothing is there, or the request is going to be told what is wrong
    if (error instanceof AppError && ['not_found', 'forbidden'].includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * The request may make these changes. Asks nothing of the room server. Throws precondition_failed, locked with the
 * roots of the locks in its way.
 */
export async function requirePreconditions(
  context: RoomContext,
  { lists, others, modified }: IfConditions,
  target: Target,
  changes: readonly PlacedChange[],
): Promise<void> {
  const { exchange } = context;
  const own = await roomLocks(context, target.entered);
  const lockTokens = tokensOf(own, target.name);
  const { etag, exists } = (await isOnlyMade(context, own, target, lists))
    ? { etag: undefined, exists: false }
    : target;
  // another version has come since that was looked at
  const time = !modified || modified.etag === etag ? (modified?.time ?? target) : { lastModified: now() };
  if (evaluate(exchange, { lastModified: time.lastModified, etag, exists, lockTokens, others }) !== 'proceed') {
    throw new AppError('precondition_failed', 'It is another one than expected.');
  }
  const inTheWay = new Map<string, string[]>();
  for (const change of changes) {
    const { context: place, entered } = change;
    const locks = entered === target.entered ? own : await roomLocks(place, entered);
    const missing = await unsubmitted(place, locks.guarding(change), submittedTokens(lists));
    if (missing.length > 0) inTheWay.set(locks.collection, lockRoots(place, missing));
  }
  if (inTheWay.size === 0) return;
  const condition = { name: 'lock-token-submitted', hrefs: [...inTheWay.values()].flat() };
  throw new AppError('locked', 'This is locked, and the token of the lock was not sent.', { condition });
}

/**
 * The same for a room as a whole, which has no entity tag. `isGoing`: it is deleted, or gets another name; else it is
 * only read. Throws not_found, too.
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

/**
 * The empty file that a LOCK has made is still new to who holds the lock: davfs2 writes it with `If-None-Match: *`.
 */
async function isOnlyMade(
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

/** The locks that the caller has not opened: of several on one resource, which are shared, one token is enough. */
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

/** The addresses of what was locked, each once. */
export function lockRoots({ app, room }: RoomContext, locks: readonly WriteLock[]): string[] {
  return [...new Set(locks.map(({ name }) => `${roomPath(app, room.name)}${encodedPath(name)}`))];
}

export function tokensOf(locks: RoomLocks, name: string): string[] {
  return locks.covering(name).map(({ token }) => token);
}

/** Of the resources that the lists name, but for the request's own, as this caller may know them. */
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

/** `path`: decoded, as ConditionList has it; a room whose name holds a slash is not found by it. */
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
