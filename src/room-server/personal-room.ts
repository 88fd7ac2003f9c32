// A room of one's own (verb CRE8, protocol section 18.5), which its creator may fill, empty and delete.

import { AppError } from '../errors.ts';
import { command, toInt } from '../protocol/fields.ts';
import { REPLY } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass } from './connection/refusal.ts';
import { requireRoomNameKept } from './name-checks.ts';
import { createRoomCommand, TOO_MANY_ROOMS } from './room-admin.ts';

const FIRST_FLOOR = 0;

const SET_OF_ROOM = command('PROP', 'set', '');
/** what is listed without a value is removed */
const UNFINISHED = 'unfinished\n';

/**
 * `view`: what kind of room it is, one of VIEW; `isUnfinished`: finishRoom follows when it has been filled, or it is
 * gone at the next start of the room server, which is ours (hasMembers). Throws forbidden (the level is too low),
 * bad_request (the name), conflict (there is one of that name), insufficient_storage (of as many as one may have).
 */
export async function createPersonalRoom(
  pool: Pool,
  identity: Identity,
  name: string,
  view: number,
  isUnfinished = false,
): Promise<void> {
  requireRoomNameKept(name, true);
  return pool.withConnection(identity, async (connection) => {
    const create = createRoomCommand({ name, kind: 'personal', password: '', floor: FIRST_FLOOR, view, isUnfinished });
    expectClass(await connection.ask(create), REPLY.done, TOO_MANY_ROOMS);
  });
}

/** The room has been filled: it stays. Throws as pool.visitRoom, forbidden where it is not one's own any more. */
export function finishRoom(pool: Pool, identity: Identity, name: string): Promise<void> {
  return pool.visitRoom(identity, { name, password: '' }, async (connection) => {
    expectClass(await connection.start(SET_OF_ROOM), REPLY.sendTextThenListing);
    const [row] = await connection.sendText([Buffer.from(UNFINISHED)]);
    if (toInt(row) !== 0) throw new AppError('forbidden', 'This account may not do that.');
  });
}
