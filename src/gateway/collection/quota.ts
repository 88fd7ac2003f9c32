// What is told of quotas (RFC 4331): of rooms and their folders what the room takes, of what lies above them what the
// whole server does.

import { type Quota, readQuota } from '../../room-server/collection/quota.ts';
import type { RoomRef } from '../../room-server/connection/goto.ts';
import { hasMembers } from '../../room-server/server.ts';
import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';

/** Undefined where it is not wanted, or the room server does not tell. Throws as readQuota. */
export async function quotaOf(
  app: App,
  { identity }: Caller,
  isWanted: boolean,
  room?: RoomRef,
): Promise<Quota | undefined> {
  if (!isWanted || !(await hasMembers(app.pool, identity))) return undefined;
  return readQuota(app.pool, identity, room);
}
