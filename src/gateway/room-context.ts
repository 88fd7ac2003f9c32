// The context of a request in one parameter: exchange, caller and room. request-room.ts makes it.

import type { Exchange } from '../http/exchange.ts';
import type { EnteredRoom } from '../model.ts';
import type { RoomRef } from '../room-server/connection/goto.ts';
import type { RoomAccess } from '../room-server/connection/pool.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';

export interface RoomContext {
  exchange: Exchange;
  app: App;
  caller: Caller;
  room: RoomRef;
}

/** A message of the room, by its number. */
export interface MessageContext extends RoomContext {
  msgnum: number;
}

/** The room as the caller enters it. Throws as pool.readInRoom. */
export async function enteredRoom({ app, caller, room }: RoomContext): Promise<EnteredRoom> {
  return (await app.pool.readInRoom(caller.identity, room, [])).entered;
}

/** For methods of the room server's driver. */
export function accessTo({ app, caller, room }: RoomContext): RoomAccess {
  return { pool: app.pool, identity: caller.identity, room };
}

export function isReading({ exchange }: RoomContext): boolean {
  return exchange.method === 'GET' || exchange.method === 'HEAD';
}
