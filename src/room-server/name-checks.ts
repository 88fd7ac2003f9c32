// Whether a new name would be taken for one that is there: asked before rooms, floors and accounts are made or
// renamed, for an ordinary room server takes any. The embedded one looks itself, too, and it alone cannot be raced.
// Compared with what the identity may see, so that a refusal can name it.

import { AppError } from '../errors.ts';
import { MAX_PERSONAL_ROOM_NAME_BYTES, MAX_ROOM_NAME_BYTES } from '../limits/backend.ts';
import { ROOM_FLAG } from '../model.ts';
import { areAlike, areUsersAlike, WELL_KNOWN_ROOMS } from '../protocol/name-rules.ts';
import type { Connection } from './connection/connection.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { listFloors, listRooms } from './rooms.ts';
import { listUsers } from './users.ts';

/** A real room server cuts what is longer and answers as if it had kept it. Throws bad_request. */
export function requireRoomNameKept(name: string, isPersonal: boolean): void {
  const max = isPersonal ? MAX_PERSONAL_ROOM_NAME_BYTES : MAX_ROOM_NAME_BYTES;
  if (Buffer.byteLength(name) <= max) return;
  throw new AppError(
    'bad_request',
    `The name of ${isPersonal ? 'a personal' : 'a'} room is at most ${max} bytes long.`,
  );
}

/** For a room that is not personal: compared with public ones. `own`: the name it has. Throws conflict. */
export async function requireRoomUnlike(pool: Pool, identity: Identity, name: string, own?: string): Promise<void> {
  const rooms = await listRooms(pool, identity);
  const names = rooms.filter(({ flags }) => !(flags & ROOM_FLAG.private)).map((room) => room.name);
  requireUnlike('room', name, [...names, ...WELL_KNOWN_ROOMS], own);
}

/** `own`: the name it has. Throws conflict. */
export async function requireFloorUnlike(pool: Pool, identity: Identity, name: string, own?: string): Promise<void> {
  const floors = await listFloors(pool, identity);
  requireUnlike(
    'floor',
    name,
    floors.map((floor) => floor.name),
    own,
  );
}

/** Throws conflict. */
export async function requireUserUnlike(connection: Connection, name: string): Promise<void> {
  const users = await listUsers(connection);
  const taken = users.find((user) => areUsersAlike(user.name, name));
  if (taken) throw looksLike('user', taken.name);
}

function requireUnlike(what: string, name: string, others: readonly string[], own?: string): void {
  const taken = others.find((other) => other !== own && areAlike(other, name));
  if (taken !== undefined) throw looksLike(what, taken);
}

function looksLike(what: string, taken: string): AppError {
  return new AppError('conflict', `There is a ${what} “${taken}” already, and this name looks like it.`);
}
