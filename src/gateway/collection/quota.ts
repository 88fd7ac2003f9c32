// What is told of quotas (RFC 4331): of rooms and their folders what the room takes, of what lies above them what the
// whole server does.

import type { Quota } from '../../room-server/collections.ts';
import type { RoomRef } from '../../room-server/connection/goto.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';

/** Undefined where it is not wanted, or the room server does not tell. Throws as pool.readInRoom. */
export async function quotaOf(
  app: App,
  { identity }: Caller,
  isWanted: boolean,
  room?: RoomRef,
): Promise<Quota | undefined> {
  if (!isWanted) return undefined;
  const { members } = await serverOf(app.pool, identity);
  return members.quota(app.pool, identity, room);
}
