// The numbers of the messages that lie in a watched room (verbs GOTO and MSGS, protocol sections 14 and 18.4).

import { messageNumbers } from '../../protocol/message-fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass } from '../connection/refusal.ts';
import { aboveCommand } from '../find-messages.ts';
import { pageNumbers } from '../stored-headers.ts';
import { WatchedRoom } from './watched-room.ts';

/** A room to be watched from its highest message on. Throws not_found, forbidden (room password). */
export async function openWatchedRoom(pool: Pool, identity: Identity, ref: RoomRef): Promise<WatchedRoom> {
  const { entered } = await pool.readInRoom(identity, ref, []);
  return new WatchedRoom(ref, entered.name, entered.highest);
}

/**
 * Numbers of messages, those above `number` at least, and the highest one. `isOwn`: the room server is Vestibule's.
 * Throws as openWatchedRoom.
 */
export async function readAbove(
  pool: Pool,
  identity: Identity,
  ref: RoomRef,
  number: number,
  isOwn: boolean,
): Promise<{ listed: number[]; highest: number }> {
  const { entered, answers } = await pool.readInRoom(identity, ref, [aboveCommand(number, isOwn)]);
  const pages = await pageNumbers(pool, identity, ref, entered);
  return { listed: pages ?? messageNumbers(expectClass(answers[0]!, REPLY.listing).lines), highest: entered.highest };
}
