// Floors: making, naming, removing (verbs CFLR EFLR KFLR, protocol section 18.5). Their list is in rooms.ts.

import { AppError, type ErrorCode } from '../errors.ts';
import type { Floor } from '../model.ts';
import { command, toInt } from '../protocol/fields.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass, type KnownRefusals } from './connection/refusal.ts';
import { requireFloorUnlike } from './name-checks.ts';
import { floorsFrom, LIST_FLOORS } from './rooms.ts';

const TAKEN: KnownRefusals = {
  [STATUS.alreadyExists]: ['conflict', 'A floor of this name, or of one that looks like it, exists already.'],
};
const FULL: KnownRefusals = { ...TAKEN, [STATUS.badFloor]: ['conflict', 'There is no space for another floor.'] };
const IN_USE: KnownRefusals = { [STATUS.badFloor]: ['conflict', 'The floor still holds rooms.'] };

/** The number of the new floor. Throws forbidden (550), conflict (574 name, 561 no space). */
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

/** Throws not_found, forbidden (550), conflict while there are rooms on it (561). */
export function deleteFloor(pool: Pool, identity: Identity, num: number): Promise<void> {
  return pool.withConnection(identity, async (connection) => {
    await requireFloor(connection, num, 'not_found');
    expectClass(await connection.ask(command('KFLR', num, 1)), REPLY.done, IN_USE);
  });
}

/** The floor of this number. It is looked for in the list: a real server may die of any other number (quirk Q2). */
export async function requireFloor(connection: Connection, num: number, otherwise: ErrorCode): Promise<Floor> {
  const floor = floorsFrom(await connection.ask(LIST_FLOORS)).find((one) => one.num === num);
  if (!floor) throw new AppError(otherwise, 'There is no such floor.');
  return floor;
}
