// What a handler knows of its request before it does anything: who calls, and which room is meant. It goes as one to
// the functions that it calls. request-room.ts makes it.

import type { RoomRef } from '../client/connection/goto.ts';
import type { Exchange } from '../http/exchange.ts';
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
