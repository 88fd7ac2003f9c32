// Paths that go on below the first name in a room: in a files room they lead into folders, elsewhere they name parts of
// a message or nothing.

import { AppError, type ErrorCode } from '../../errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import { decodePercent } from '../../http/query.ts';
import { holdsFiles } from '../../model.ts';
import { RESERVED_NAMES } from '../../protocol/member-names.ts';
import { HoldsFiles } from '../../room-server/connection/goto.ts';
import type { App, Handler } from '../app.ts';
import { userOf } from '../caller.ts';
import { openNamed } from '../message/head.ts';
import { isNotFound, unlessGone } from '../message/unless-gone.ts';
import { callerInRoom, inOrdinaryRoom } from '../request-room.ts';
import { enteredRoom, type RoomContext } from '../room-context.ts';
import { filePathOf } from './located.ts';
import { noParent } from './path.ts';

/** Every pattern below `r/:room/:name` that a file of a folder may have. */
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
 * What has the address of a file where the route is of the room itself and lacks the method: `/svc/r/Files/stat` →
 * `/svc/r/Files/name`; undefined for other routes.
 */
export function addressOfFile(pattern: string, rawPath: string, prefix: string): string | undefined {
  const [room, own = ''] = pattern.slice(`${prefix}r/`.length).split('/');
  if (room !== ':room' || !RESERVED_NAMES.has(own)) return undefined;
  const segments = rawPath.slice(prefix.length).split('/');
  return prefix + [...segments.slice(0, 2), ...segments.slice(2).fill('name')].join('/');
}

/**
 * `handler`, with the whole path as `name`, where the path leads into a folder of a files room; `otherwise` for
 * everything else: what lies below a message number, or below a file, is the same in all rooms.
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
    // most that is asked for is below a number, in a room that has no folders
    return isReading(exchange)
      ? orElse(exchange, app, otherwise, () => find(exchange, app, name))
      : find(exchange, app, name);
  };
}

/**
 * Reads what an address means of a room itself; in a files room it is a name first, and `ofRoom` where nothing is
 * called so.
 */
export function namesFirst(handler: Handler, ofRoom: Handler): Handler {
  return (exchange, app) =>
    orElse(exchange, app, ofRoom, async () => {
      const { params, route } = exchange;
      try {
        await handler(named(exchange, app, decodePercent(pathInRoom(exchange, app))), app);
      } catch (error) {
        // an app password for feeds reads no files
        const isForbidden = error instanceof AppError && error.code === 'forbidden';
        if (!isNotFound(error) && !isForbidden) throw error;
        Object.assign(exchange, { params, route });
        await ofRoom(exchange, app);
      }
    });
}

/** Changes it: in a files room it is a name, and nothing else. */
export function namesOnly(handler: Handler, ofRoom: Handler): Handler {
  return async (exchange, app) => {
    const isFile = await asFile(exchange, app, async () => isFiles(await callerInRoom(exchange, app)));
    return isFile
      ? handler(named(exchange, app, decodePercent(pathInRoom(exchange, app))), app)
      : ofRoom(exchange, app);
  };
}

/** `first`, and `then` where that has found a files room. */
async function orElse(exchange: Exchange, app: App, first: Handler, then: () => Promise<void>): Promise<void> {
  try {
    return await inOrdinaryRoom(exchange, () => first(exchange, app));
  } catch (error) {
    // what is refused before the room is entered may still be a file
    const isRefused = error instanceof AppError && REFUSED.has(error.code);
    const look = async () => isFiles(await callerInRoom(exchange, app));
    const isOfFiles =
      error instanceof HoldsFiles || (isRefused && (await asFile(exchange, app, look).catch(() => false)));
    if (!isOfFiles) throw error;
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

/** What an app password is good for, files and what else has their address, depends on the route (scope.ts). */
async function asFile(exchange: Exchange, app: App, look: () => Promise<boolean>): Promise<boolean> {
  const { route, isChanging } = exchange;
  Object.assign(exchange, { route: routeOfFiles(app), isChanging: false });
  try {
    return await look();
  } finally {
    Object.assign(exchange, { route, isChanging });
  }
}

/** Nothing that a path below a message can mean. */
export function nothingHere(): never {
  throw new AppError('not_found', 'There is nothing at this address.');
}

/** A method that is for files, where there is something else. */
export function notHere(): never {
  throw new AppError('method_not_allowed', 'This cannot be done here.');
}

/** PUT, MKCOL and the like where there can be no folder. Throws conflict, not_logged_in. */
export async function refuseDeepPath(exchange: Exchange, app: App): Promise<void> {
  await userOf(exchange, app);
  throw noParent();
}

function pathInRoom({ rawPath }: Exchange, { prefix }: App): string {
  return rawPath.slice(rawPath.indexOf('/', prefix.length + 'r/'.length) + 1);
}

/** A room that is not there, or not open to the caller, is for another handler to refuse. */
async function isInFolder(exchange: Exchange, app: App, name: string): Promise<boolean> {
  const context = await callerInRoom(exchange, app);
  if (!(await isFiles(context))) return false;
  return (await unlessGone(openNamed(context, `${name.split('/')[0]}/`))) !== undefined;
}

async function isFiles(context: RoomContext): Promise<boolean> {
  try {
    return holdsFiles(await enteredRoom(context));
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return false;
    throw error;
  }
}
