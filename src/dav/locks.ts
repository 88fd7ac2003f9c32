// LOCK and UNLOCK (RFC 4918 sections 9.10 and 9.11) of rooms, messages, files and folders, and the properties
// lockdiscovery and supportedlock. A lock on a free name makes an empty member (RFC 4918 section 7.3), where members
// may be empty.

import { AppError } from '../errors.ts';
import type { WriteLock } from '../fleet/locks.ts';
import type { App } from '../gateway/app.ts';
import { type Located, locate, requirePossibleFile } from '../gateway/folder/location.ts';
import { inTurn, postEmpty } from '../gateway/message/posting.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import { checkedName, encodedPath, roomPath } from '../gateway/paths.ts';
import {
  lockRoots,
  type RoomLocks,
  readIfConditions,
  requirePreconditions,
  roomLocks,
} from '../gateway/preconditions.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { submittedTokens } from '../http/if-header.ts';
import { send, sendEmpty } from '../http/respond.ts';
import { DEFAULT_LOCK_SECONDS, MAX_LOCK_OWNER_BYTES, MAX_LOCK_SECONDS } from '../limits/dav.ts';
import { canDelete, EUID_VIEWS } from '../model.ts';
import { XML_TYPE } from './multistatus.ts';
import type { Resource } from './resource.ts';
import { isElement, readXmlBody, type XmlElement } from './xml-read.ts';
import { document, element, type Markup, readAgain, storable, writtenElement } from './xml-write.ts';

/**
 * LOCK r/:room/ and r/:room/:name → 200, or 201 if an empty member was made. Without a body it refreshes the locks
 * whose tokens the If header names. Throws locked with the conflicting locks, precondition_failed, forbidden, conflict.
 */
export async function lockResource(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const root = await readXmlBody(exchange);
  const segment = exchange.params.name ?? '';
  if (!root) return refresh(await locateOrConflict(context, segment));
  const wanted = parseLockInfo(root);
  const isDeep = isDeepLock(exchange);
  return inTurn(context, segment, async () => take(await locateOrConflict(context, segment), wanted, isDeep));
}

/** UNLOCK, with the Lock-Token header → 204. Throws conflict, forbidden, bad_request. */
export async function unlockResource(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const token = lockTokenOf(exchange);
  const { entered, name } = await locate(context, exchange.params.name ?? '');
  const locks = await roomLocks(context, entered);
  const lock = locks.covering(name).find((each) => each.token === token);
  if (!lock) throw noSuchLock('conflict');
  await requireOwn(context, lock);
  await app.fleet.locks.remove(locks.collection, token);
  return sendEmpty(exchange, 204);
}

async function locateOrConflict(context: RoomContext, segment: string): Promise<Located> {
  try {
    return await locate(context, segment);
  } catch (error) {
    const isNoRoom = error instanceof AppError && error.code === 'not_found';
    throw isNoRoom ? new AppError('conflict', 'The room does not exist.') : error;
  }
}

async function take(located: Located, { isShared, ownerXml }: WantedLock, isDeep: boolean): Promise<void> {
  const { context, entered, name, member } = located;
  const { app, caller, exchange } = context;
  const isNew = name !== '' && member === undefined;
  const conditions = await readIfConditions(context);
  const target = { entered, name, etag: member && messageEtag(member.msgnum), exists: !isNew };
  await requirePreconditions(
    context,
    conditions,
    target,
    isNew ? [{ context, entered, name, isMembership: true }] : [],
  );
  if (!canDelete(entered)) throw new AppError('forbidden', 'You may not change this.');
  if (isNew) await requireLockable(located);
  const { collection } = await roomLocks(context, entered);
  const account = await app.pool.accountOf(caller.identity);
  const result = await app.fleet.locks.add(
    { account, collection, name, isShared, isDeep, ownerXml },
    lockSeconds(exchange.header('timeout')),
  );
  if ('inTheWay' in result) {
    const condition = { name: 'no-conflicting-lock', hrefs: lockRoots(context, result.inTheWay) };
    throw new AppError('locked', 'This is already locked.', { condition });
  }
  const { token } = result.taken;
  try {
    if (isNew) {
      const made = await postEmpty(context, name, 'application/octet-stream');
      await app.fleet.locks.noteMade(collection, token, made);
    }
  } catch (error) {
    await app.fleet.locks.remove(collection, token);
    throw error;
  }
  return sendLocks(context, isNew ? 201 : 200, [result.taken], { 'Lock-Token': `<${token}>` });
}

/** An empty member can be made there. Throws conflict, forbidden. */
async function requireLockable({ context, entered, isFiles, name }: Located): Promise<void> {
  if (EUID_VIEWS.has(entered.defaultView)) {
    throw new AppError('forbidden', 'Store something here before you lock it: nothing in this room can be empty.');
  }
  if (!isFiles) checkedName(name);
  else if (name.endsWith('/')) throw new AppError('conflict', 'There is no such folder.');
  else {
    const { app, caller, room } = context;
    await app.pool.visitRoom(caller.identity, room, (connection) =>
      requirePossibleFile(context, connection, entered, name),
    );
  }
}

/** RFC 4918 section 9.10.2 */
async function refresh({ context, entered, name, member }: Located): Promise<void> {
  const { exchange, app } = context;
  if (exchange.header('if') === undefined)
    throw new AppError('bad_request', 'Send a body to lock, or an If header to refresh a lock.');
  const conditions = await readIfConditions(context);
  await requirePreconditions(context, conditions, { entered, name, etag: member && messageEtag(member.msgnum) }, []);
  const locks: RoomLocks = await roomLocks(context, entered);
  const tokens = submittedTokens(conditions.lists);
  const refreshed: WriteLock[] = [];
  for (const lock of locks.covering(name)) {
    if (!tokens.has(lock.token)) continue;
    await requireOwn(context, lock);
    const seconds = lockSeconds(exchange.header('timeout'));
    const now = await app.fleet.locks.refresh(locks.collection, lock.token, seconds);
    if (now) refreshed.push(now);
  }
  if (refreshed.length === 0) throw noSuchLock('precondition_failed');
  return sendLocks(context, 200, refreshed);
}

/** Throws forbidden: nobody else may use the token (RFC 4918 section 6.4). */
async function requireOwn({ app, caller }: RoomContext, { account }: WriteLock): Promise<void> {
  if (account === (await app.pool.accountOf(caller.identity))) return;
  throw new AppError('forbidden', 'This lock belongs to somebody else.');
}

/** RFC 4918 sections 9.10.6 and 9.11.1 */
function noSuchLock(code: 'conflict' | 'precondition_failed'): AppError {
  const condition = { name: 'lock-token-matches-request-uri', hrefs: [] };
  return new AppError(code, 'There is no lock with this token here.', { condition });
}

function sendLocks(
  { exchange, app }: RoomContext,
  status: number,
  locks: readonly WriteLock[],
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const hrefOf = (name: string) => `${roomPath(app, exchange.params.room!)}${encodedPath(name)}`;
  const bytes = document('D:prop', lockDiscovery(locks, hrefOf));
  return send(exchange, status, { type: XML_TYPE, body: bytes }, headers);
}

interface WantedLock {
  isShared: boolean;
  /** DAV:owner as a document; empty if the client sends none */
  ownerXml: string;
}

/** Throws bad_request for anything but a lockinfo of a write lock, too_large for a long owner. */
export function parseLockInfo(root: XmlElement): WantedLock {
  if (!isElement(root, 'D:lockinfo')) throw new AppError('bad_request', 'The body is not a D:lockinfo.');
  const [scope, type, owner] = ['lockscope', 'locktype', 'owner'].map((name) =>
    root.children.find((child) => isElement(child, `D:${name}`)),
  );
  const isShared = scope?.children.some((child) => isElement(child, 'D:shared')) ?? false;
  const isExclusive = scope?.children.some((child) => isElement(child, 'D:exclusive')) ?? false;
  if (isShared === isExclusive) throw new AppError('bad_request', 'lockscope takes exclusive or shared.');
  if (!type?.children.some((child) => isElement(child, 'D:write'))) {
    throw new AppError('bad_request', 'Only write locks are supported.');
  }
  const ownerXml = owner ? storable(owner, MAX_LOCK_OWNER_BYTES) : '';
  if (ownerXml === undefined) throw new AppError('too_large', 'The owner of the lock is too long.');
  return { isShared, ownerXml };
}

/** `Second-600`, `Infinite, Second-4100000000`: the first one that can be read. */
export function lockSeconds(timeout: string | undefined): number {
  for (const type of (timeout ?? '').split(',')) {
    if (/^infinite$/i.test(type.trim())) return MAX_LOCK_SECONDS;
    const [, digits] = /^second-(\d+)$/i.exec(type.trim()) ?? [];
    if (digits !== undefined) return Math.min(Math.max(Number(digits), 1), MAX_LOCK_SECONDS);
  }
  return DEFAULT_LOCK_SECONDS;
}

/** `<urn:uuid:…>`; some clients omit the brackets. Throws bad_request for none. */
export function lockTokenOf(exchange: Exchange): string {
  const [, token] = /^<?([^<>\s]+)>?$/.exec(exchange.header('lock-token')?.trim() ?? '') ?? [];
  if (token === undefined) throw new AppError('bad_request', 'Send a Lock-Token header.');
  return token;
}

/** Depth of a LOCK, infinity if missing; 1 is refused (RFC 4918 section 9.10.3). Throws bad_request. */
export function isDeepLock(exchange: Exchange): boolean {
  const depth = exchange.header('depth')?.trim().toLowerCase() ?? 'infinity';
  if (depth !== '0' && depth !== 'infinity') throw new AppError('bad_request', 'Depth takes 0 or infinity.');
  return depth === 'infinity';
}

const WRITE = element('D:locktype', element('D:write'));

/** The locks that every room and member supports. */
export const SUPPORTED_LOCK = element(
  'D:supportedlock',
  ...['D:exclusive', 'D:shared'].map((scope) => element('D:lockentry', element('D:lockscope', element(scope)), WRITE)),
);

/** The locks on one resource. `hrefOf`: the address of what was locked, by its name. */
export function lockDiscovery(locks: readonly WriteLock[], hrefOf: (name: string) => string): Markup {
  return element('D:lockdiscovery', ...locks.map((lock) => activeLock(lock, hrefOf(lock.name))));
}

/** The resource with the locks on it. `name`: its name in the locks; `roomHref`: of its room. */
export function withLocks(resource: Resource, locks: RoomLocks, name: string, roomHref: string): Resource {
  const covering = locks.covering(name);
  if (covering.length === 0) return resource;
  return { ...resource, locks: lockDiscovery(covering, (root) => `${roomHref}${encodedPath(root)}`) };
}

/** parsed owners, since a deep lock appears on every member of a long list */
const OWNERS = new WeakMap<WriteLock, Markup | undefined>();

function ownerOf(lock: WriteLock): Markup | undefined {
  return OWNERS.getOrInsertComputed(lock, ({ ownerXml }) => {
    const owner = readAgain(ownerXml);
    return owner && writtenElement(owner, MAX_LOCK_OWNER_BYTES);
  });
}

function activeLock(lock: WriteLock, root: string): Markup {
  const { token, isShared, isDeep, until } = lock;
  const owner = ownerOf(lock);
  const seconds = Math.max(0, Math.round(until - Date.now() / 1000));
  return element(
    'D:activelock',
    WRITE,
    element('D:lockscope', element(isShared ? 'D:shared' : 'D:exclusive')),
    element('D:depth', isDeep ? 'infinity' : '0'),
    ...(owner ? [owner] : []),
    element('D:timeout', `Second-${seconds}`),
    element('D:locktoken', element('D:href', token)),
    element('D:lockroot', element('D:href', root)),
  );
}
