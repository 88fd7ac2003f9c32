// MKCOL (RFC 4918 section 9.3). A new collection is a personal room of the caller, the only kind that its maker may
// also fill, empty and delete on any room server; other kinds are made by the JSON interface. Rooms hold no folders.

import { createPersonalRoom } from '../client/personal-room.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { messageNumberOf } from '../gateway/message/find.ts';
import { roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { acceptedRoomName } from '../gateway/room-name.ts';
import { hasBody } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/respond.ts';
import { VIEW } from '../model.ts';
import { exists } from './exists.ts';
import { mkcolExtended } from './mkcalendar.ts';

/** MKCOL r/:room/ */
export async function mkcolRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  if (await exists(app.pool.readInRoom(caller.identity, room, []))) {
    refuseBody(exchange);
    throw existsAlready();
  }
  if (hasBody(exchange.request)) return mkcolExtended(context);
  const name = acceptedRoomName(room.name);
  await createPersonalRoom(app.pool, caller.identity, name, VIEW.board);
  await sendEmpty(exchange, 201, { Location: roomPath(app, name) });
}

/** MKCOL r/:room/:name: conflict where there is no such room, else 405 or 403. */
export async function refuseFolder(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  refuseBody(exchange);
  if (!(await exists(app.pool.readInRoom(caller.identity, room, [])))) throw noParent();
  if (await exists(messageNumberOf(context, exchange.params.name!))) throw existsAlready();
  throw new AppError('forbidden', 'A room holds messages, no folders.');
}

/** PUT, MKCOL and the like further down: there can be no parent. */
export async function refuseDeepPath(exchange: Exchange, app: App): Promise<void> {
  await userOf(exchange, app);
  throw noParent();
}

function refuseBody(exchange: Exchange): void {
  if (hasBody(exchange.request)) throw new AppError('unsupported_media_type', 'MKCOL takes no body.');
}

/** RFC 4918 section 9.3.1: MKCOL is for what is not there yet. */
function existsAlready(): AppError {
  return new AppError('method_not_allowed', 'This exists already.');
}

function noParent(): AppError {
  return new AppError('conflict', 'There is no such folder to put it into.');
}
