// Paths with more segments after the first name in a room: into folders in a files room, elsewhere to parts of a
// message or to nothing.

import { AppError, type ErrorCode, isNotFound, unlessGone } from '../../errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import { decodePercent } from '../../http/query.ts';
import { isObjectType } from '../../mime/stored-content.ts';
import { collectionKind, type EnteredRoom, hasNames, holdsFiles, holdsObjects } from '../../model.ts';
import { RESERVED_NAMES } from '../../protocol/member-names.ts';
import { OtherKind } from '../../room-server/connection/goto.ts';
import type { App, Handler } from '../app.ts';
import { userOf } from '../caller.ts';
import { openNamed } from '../message/open-message.ts';
import { noParent } from '../paths.ts';
import { callerInRoom, inGuardedRoom } from '../request-room.ts';
import { enteredRoom, type RoomContext } from '../room-context.ts';
import { filePathOf } from './location.ts';

/** All patterns below `r/:room/:name` that may be a file in a folder. */
export const DEEP_PATHS = [
  'r/:room/:name/',
  'r/:room/:name/json',
  'r/:room/:name/history',
  'r/:room/:name/invitation',
  'r/:room/:name/history/:version',
  'r/:room/:name/history/:version/json',
  'r/:room/:name/:part',
  'r/:room/:name/:part/json',
  'r/:room/:name/*path',
];

/**
 * If the route of a room resource lacks the method: the member that may be meant, and an address with a member's route,
 * `/svc/r/Files/stat` → `stat` and `/svc/r/Files/name`. Undefined for other routes.
 */
export function memberAt(pattern: string, rawPath: string, prefix: string): { name: string; path: string } | undefined {
  const [room, name = ''] = pattern.slice(`${prefix}r/`.length).split('/');
  if (room !== ':room' || !RESERVED_NAMES.has(name)) return undefined;
  const segments = rawPath.slice(prefix.length).split('/');
  return { name, path: prefix + segments.with(2, 'name').join('/') };
}

/**
 * Calls `handler` with the whole path as `name` if it leads into a folder of a files room, else `otherwise`: below a
 * message number or a file all rooms are alike.
 */
export function inFolders(handler: Handler, otherwise: Handler): Handler {
  const find = async (exchange: Exchange, app: App, name: string): Promise<void> => {
    const isFile = await asFile(exchange, app, () => isInFolder(exchange, app, name));
    return isFile ? handler(named(exchange, app, name), app) : otherwise(exchange, app);
  };
  return (exchange, app) => {
    const rest = pathInRoom(exchange, app);
    const path = filePathOf(rest);
    if (path !== undefined) return find(exchange, app, path);
    const name = decodePercent(rest);
    if (name.startsWith('|')) return otherwise(exchange, app);
    // most requests are below a number in a room without folders
    return isReading(exchange)
      ? orElse(exchange, app, holdsFiles, otherwise, () => find(exchange, app, name))
      : find(exchange, app, name);
  };
}

/** Reads a room resource; in rooms with names the member of this name takes precedence. */
export function namesFirst(handler: Handler, ofRoom: Handler): Handler {
  return (exchange, app) => orElse(exchange, app, hasNames, ofRoom, () => byName(exchange, app, handler, ofRoom));
}

/**
 * Changes it; in rooms with names it is a name only. A room of objects accepts no other members, so its banner and
 * picture are changed as in other rooms.
 */
export function namesOnly(handler: Handler, ofRoom: Handler): Handler {
  return async (exchange, app) => {
    const entered = await asFile(exchange, app, async () => enteredOrNone(await callerInRoom(exchange, app)));
    if (!entered || !hasNames(entered)) return ofRoom(exchange, app);
    const isPut = exchange.method === 'PUT';
    const isOfObjects = holdsObjects(collectionKind(entered));
    if (isOfObjects && isPut && !isObjectType(exchange.header('content-type') ?? '')) return ofRoom(exchange, app);
    return byName(exchange, app, handler, isReading(exchange) || (isOfObjects && !isPut) ? ofRoom : undefined);
  };
}

/** The member of this name, else `ofRoom`. */
async function byName(exchange: Exchange, app: App, handler: Handler, ofRoom?: Handler): Promise<void> {
  const { params, route } = exchange;
  const isNamed = params.name !== undefined;
  try {
    await handler(isNamed ? exchange : named(exchange, app, decodePercent(pathInRoom(exchange, app))), app);
  } catch (error) {
    // the app password of a feed opens no member
    const isRefused = error instanceof AppError && (error.code === 'forbidden' || error.code === 'not_logged_in');
    if (!ofRoom || !(isNotFound(error) || (isRefused && isReading(exchange)))) throw error;
    Object.assign(exchange, { params, route });
    await ofRoom(exchange, app);
  }
}

/** `first`, or `then` in a room of the kind. */
async function orElse(
  exchange: Exchange,
  app: App,
  kind: RoomKind,
  first: Handler,
  then: () => Promise<void>,
): Promise<void> {
  try {
    return await inGuardedRoom(exchange, kind, () => first(exchange, app));
  } catch (error) {
    // what was refused before the room was entered may still be a name
    const isRefused = error instanceof AppError && REFUSED.has(error.code);
    const check = async () => isOfKind(await callerInRoom(exchange, app), kind);
    const isOther =
      error instanceof OtherKind || (isRefused && (await asFile(exchange, app, check).catch(() => false)));
    if (!isOther) throw error;
  }
  return then();
}

const REFUSED: ReadonlySet<ErrorCode> = new Set(['bad_request', 'forbidden', 'method_not_allowed', 'not_found']);

function isReading({ method }: Exchange): boolean {
  return method === 'GET' || method === 'HEAD';
}

function named(exchange: Exchange, app: App, name: string): Exchange {
  const params = { room: exchange.params.room!, name };
  return Object.assign(exchange, { params, route: routeOfFiles(app), isChanging: false });
}

function routeOfFiles({ prefix }: App): string {
  return `${prefix}r/:room/:name`;
}

/** The scope of an app password is checked by route (requireScope). */
async function asFile<T>(exchange: Exchange, app: App, check: () => Promise<T>): Promise<T> {
  const { route, isChanging } = exchange;
  Object.assign(exchange, { route: routeOfFiles(app), isChanging: false });
  try {
    return await check();
  } finally {
    Object.assign(exchange, { route, isChanging });
  }
}

export function nothingHere(): never {
  throw new AppError('not_found', 'There is nothing at this address.');
}

/** For a method of files at another resource. */
export function notHere(): never {
  throw new AppError('method_not_allowed', 'This resource does not support the method.');
}

/** PUT, MKCOL and the like where folders are impossible. Throws conflict, not_logged_in. */
export async function refuseDeepPath(exchange: Exchange, app: App): Promise<void> {
  await userOf(exchange, app);
  throw noParent();
}

function pathInRoom({ rawPath }: Exchange, { prefix }: App): string {
  return rawPath.slice(rawPath.indexOf('/', prefix.length + 'r/'.length) + 1);
}

async function isInFolder(exchange: Exchange, app: App, name: string): Promise<boolean> {
  const context = await callerInRoom(exchange, app);
  if (!(await isOfKind(context, holdsFiles))) return false;
  return (await unlessGone(openNamed(context, `${name.split('/')[0]}/`))) !== undefined;
}

type RoomKind = (entered: EnteredRoom) => boolean;

async function isOfKind(context: RoomContext, kind: RoomKind): Promise<boolean> {
  const entered = await enteredOrNone(context);
  return entered !== undefined && kind(entered);
}

/** Undefined for a missing room, or one closed to this caller: another handler refuses it. */
async function enteredOrNone(context: RoomContext): Promise<EnteredRoom | undefined> {
  try {
    return await enteredRoom(context);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return undefined;
    throw error;
  }
}
