// Paths that go on below the first name in a room: in a files room they lead into folders, elsewhere they name parts of
// a message or nothing.

import { AppError } from '../../errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { App, Handler } from '../app.ts';
import { userOf } from '../caller.ts';
import { collectionKind } from '../collection/member.ts';
import { openNamed } from '../message/head.ts';
import { unlessGone } from '../message/unless-gone.ts';
import { callerInRoom } from '../request-room.ts';
import { filePathOf } from './located.ts';
import { noParent } from './path.ts';

/** Every pattern below `r/:room/:name` that a file of a folder may have. */
export const DEEP_PATHS = [
  'r/:room/:name/',
  'r/:room/:name/json',
  'r/:room/:name/history',
  'r/:room/:name/history/:version',
  'r/:room/:name/history/:version/json',
  'r/:room/:name/:part',
  'r/:room/:name/:part/json',
  'r/:room/:name/*path',
];

/**
 * `handler`, with the whole path as `name`, where the path leads into a folder of a files room; `otherwise` for
 * everything else: what lies below a message number, or below a file, is the same in all rooms.
 */
export function inFolders(handler: Handler, otherwise: Handler): Handler {
  const find = async (exchange: Exchange, app: App, name: string): Promise<void> => {
    if (!(await isInFolder(exchange, app, name))) return otherwise(exchange, app);
    exchange.params = { room: exchange.params.room!, name };
    return handler(exchange, app);
  };
  return (exchange, app) => {
    const name = filePathOf(pathInRoom(exchange, app));
    return name === undefined ? otherwise(exchange, app) : find(exchange, app, name);
  };
}

/** Nothing that a path below a message can mean. */
export function nothingHere(): never {
  throw new AppError('not_found', 'There is nothing at this address.');
}

/** PUT, MKCOL and the like where there can be no folder. Throws conflict, not_logged_in. */
export async function refuseDeepPath(exchange: Exchange, app: App): Promise<void> {
  await userOf(exchange, app);
  throw noParent();
}

function pathInRoom({ rawPath }: Exchange, { prefix }: App): string {
  return rawPath.slice(rawPath.indexOf('/', prefix.length + 'r/'.length) + 1);
}

/** A room that is not there, or not open to the caller, is for `otherwise` to refuse. */
async function isInFolder(exchange: Exchange, app: App, name: string): Promise<boolean> {
  const context = await callerInRoom(exchange, app);
  try {
    const { entered } = await app.pool.readInRoom(context.caller.identity, context.room, []);
    if (collectionKind(entered) !== 'files') return false;
    return (await unlessGone(openNamed(context, `${name.split('/')[0]}/`))) !== undefined;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return false;
    throw error;
  }
}
