// Floors: creating, renaming, removing (verbs CFLR, EFLR, KFLR, protocol section 18.5); their list is in rooms.ts. And
// checks of new names of rooms, floors and users against look-alikes, for an ordinary room server accepts any. (The
// embedded one checks too, and only that check is free of races.) Only names that the identity may see are compared, so
// that the refusal can name one.

import { AppError, type ErrorCode } from '../errors.ts';
import { MAX_PERSONAL_ROOM_NAME_BYTES, MAX_ROOM_NAME_BYTES } from '../limits/backend.ts';
import { type Floor, ROOM_FLAG } from '../model.ts';
import { command, toInt } from '../protocol/fields.ts';
import { areAlike, areUsersAlike, WELL_KNOWN_ROOMS } from '../protocol/name-rules.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass, type KnownRefusals } from './connection/server-errors.ts';
import { floorsFrom, LIST_FLOORS, listFloors, listRooms } from './rooms.ts';
import { listUsers } from './users.ts';

const TAKEN: KnownRefusals = {
  [STATUS.alreadyExists]: ['conflict', 'A floor with this name, or a similar one, already exists.'],
};
const FULL: KnownRefusals = { ...TAKEN, [STATUS.badFloor]: ['conflict', 'There are too many floors.'] };
const IN_USE: KnownRefusals = { [STATUS.badFloor]: ['conflict', 'The floor still has rooms.'] };

/** Returns the new floor's number. Throws forbidden (550), conflict (574 name, 561 too many). */
export function createFloor(pool: Pool, identity: Identity, name: string): Promise<number> {
  return pool.withConnection(identity, async (connection) => {
    await requireFloorUnlike(pool, identity, name);
    return toInt(expectClass(await connection.ask(command('CFLR', name, 1)), REPLY.done, FULL).text);
  });
}

/** Throws not_found, forbidden (550), conflict (574). */
export function renameFloor(pool: Pool, identity: Identity, num: number, name: string): Promise<void> {
  return pool.withConnection(identity, async (connection) => {
    const { name: before } = await requireFloor(connection, num, 'not_found');
    await requireFloorUnlike(pool, identity, name, before);
    expectClass(await connection.ask(command('EFLR', num, name)), REPLY.done, TAKEN);
  });
}

/** Throws not_found, forbidden (550), conflict while it has rooms (561). */
export function deleteFloor(pool: Pool, identity: Identity, num: number): Promise<void> {
  return pool.withConnection(identity, async (connection) => {
    await requireFloor(connection, num, 'not_found');
    expectClass(await connection.ask(command('KFLR', num, 1)), REPLY.done, IN_USE);
  });
}

/** Looks the number up in the list: a real server may crash on any other number (quirk Q2). */
export async function requireFloor(connection: Connection, num: number, otherwise: ErrorCode): Promise<Floor> {
  const floor = floorsFrom(await connection.ask(LIST_FLOORS)).find((one) => one.num === num);
  if (!floor) throw new AppError(otherwise, 'There is no such floor.');
  return floor;
}

/** A real room server silently truncates longer names. Throws bad_request. */
export function requireRoomNameFits(name: string, isPersonal: boolean): void {
  const max = isPersonal ? MAX_PERSONAL_ROOM_NAME_BYTES : MAX_ROOM_NAME_BYTES;
  if (Buffer.byteLength(name) <= max) return;
  throw new AppError(
    'bad_request',
    `The name of ${isPersonal ? 'a personal' : 'a'} room can have at most ${max} bytes.`,
  );
}

/** For rooms that are not personal, compared with public ones. `own`: its current name. Throws conflict. */
export async function requireRoomUnlike(pool: Pool, identity: Identity, name: string, own?: string): Promise<void> {
  const rooms = await listRooms(pool, identity);
  const names = rooms.filter(({ flags }) => !(flags & ROOM_FLAG.private)).map((room) => room.name);
  requireUnlike('room', name, [...names, ...WELL_KNOWN_ROOMS], own);
}

/** `own`: its current name. Throws conflict. */
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
  return new AppError('conflict', `The ${what} “${taken}” already exists, and this name looks similar.`);
}
