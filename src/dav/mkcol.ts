// MKCOL (RFC 4918 section 9.3). A new collection is a personal room of the caller, the only kind that its maker may
// also fill, empty and delete on any room server; other kinds are made by the JSON interface. In a files room it is a
// folder.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { locate, requirePlace } from '../gateway/folder/located.ts';
import { FOLDER_TYPE, inTurn, postEmpty } from '../gateway/folder/making.ts';
import { encodedPath, noParent, withoutSlash } from '../gateway/folder/path.ts';
import { readIfConditions, requirePreconditions } from '../gateway/locking/preconditions.ts';
import { roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { acceptedRoomName } from '../gateway/room-name.ts';
import { hasBody } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/respond.ts';
import { serverOf } from '../room-server/driver.ts';
import { createPersonalRoom } from '../room-server/room-admin.ts';
import { exists } from './exists.ts';
import { mkcolExtended } from './mkcalendar.ts';

/** MKCOL r/:room/ */
export async function mkcolRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  if (await exists(app.pool.readInRoom(caller.identity, room, []))) throw existsAlready();
  if (hasBody(exchange.request)) return mkcolExtended(context);
  const name = acceptedRoomName(room.name);
  const { rooms } = await serverOf(app.pool, caller.identity);
  await createPersonalRoom(app.pool, caller.identity, name, rooms.folderView);
  await sendEmpty(exchange, 201, { Location: roomPath(app, name) });
}

/**
 * MKCOL r/:room/:name, and deeper: a folder of a files room. Throws conflict where there is no such parent,
 * method_not_allowed where there is something, forbidden in other rooms, locked.
 */
export async function mkcolMember(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  refuseBody(exchange);
  const name = `${withoutSlash(exchange.params.name!)}/`;
  await inTurn(context, name, async () => {
    const { caller, room } = context;
    if (!(await exists(app.pool.readInRoom(caller.identity, room, [])))) throw noParent();
    const { entered, isFiles, member } = await locate(context, withoutSlash(name));
    if (member) throw existsAlready();
    if (!isFiles) throw new AppError('forbidden', 'This room holds messages, no folders.');
    const conditions = await readIfConditions(context);
    await requirePreconditions(context, conditions, { entered, name, exists: false }, [
      { context, entered, name, isMembership: true },
    ]);
    await app.pool.visitRoom(caller.identity, room, (connection) => requirePlace(context, connection, entered, name));
    await postEmpty(context, name, FOLDER_TYPE);
  });
  await sendEmpty(exchange, 201, { Location: `${roomPath(app, exchange.params.room!)}${encodedPath(name)}` });
}

function refuseBody(exchange: Exchange): void {
  if (hasBody(exchange.request)) throw new AppError('unsupported_media_type', 'MKCOL takes no body.');
}

/** RFC 4918 section 9.3.1: MKCOL is for what is not there yet. */
function existsAlready(): AppError {
  return new AppError('method_not_allowed', 'This exists already.');
}
