// Members of a room get other names, or are copied or moved under new ones, all of them or none (verb MEMB place of the
// embedded room server, protocol section 21.6).

import { AppError } from '../../errors.ts';
import { MAX_PLACED_MEMBERS } from '../../limits/backend.ts';
import { command, isFieldSafe, splitFields, toInt } from '../../protocol/fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { Connection } from '../connection/connection.ts';
import { expectClass } from '../connection/refusal.ts';
import { UidTaken } from '../posting.ts';

/** Where members are to be. */
export interface PlaceOptions {
  isCopy: boolean;
  /** of the target; empty: the room that the connection is in */
  room: string;
  /** what has a name there goes */
  mayReplace: boolean;
}

/** A member and its new name; empty: its own. */
export interface NewPlace {
  msgnum: number;
  name: string;
}

/**
 * Gives members of the room that the connection is in their places, all in one step, or some hundred at a time where
 * they are many; answers their numbers there. Throws not_found (a member, the room), forbidden, bad_request (no name),
 * precondition_failed (something has a name), conflict with the cause UidTaken.
 */
export async function placeMembers(
  connection: Connection,
  places: readonly NewPlace[],
  options: PlaceOptions,
): Promise<number[]> {
  const numbers: number[] = [];
  let count = MAX_PLACED_MEMBERS;
  for (let at = 0; at < places.length; ) {
    const some = places.slice(at, at + count);
    const placed = await placeSome(connection, some, options);
    if (placed) {
      numbers.push(...placed);
      at += some.length;
    } else {
      count = Math.ceil(some.length / 2);
    }
  }
  return numbers;
}

/** undefined: they are too many at once; one never is */
async function placeSome(
  connection: Connection,
  places: readonly NewPlace[],
  { isCopy, room, mayReplace }: PlaceOptions,
): Promise<number[] | undefined> {
  if (!places.every(({ name }) => isFieldSafe(name))) throw invalidName();
  const line = command('MEMB', 'place', isCopy ? 1 : 0, room, mayReplace ? 1 : 0);
  expectClass(await connection.start(line), REPLY.sendTextThenListing);
  const text = places.map(({ msgnum, name }) => `${msgnum}|${name}\n`).join('');
  const rows = (await connection.sendText([Buffer.from(text)])).map((row) => splitFields(row).map(toInt));
  const [failure = 0, msgnum = 0] = rows[0] ?? [];
  if (failure === -4 && places.length > 1) return undefined;
  if (failure < 0) throw failureOf(failure, msgnum);
  if (rows.length !== places.length)
    throw new AppError('backend_protocol', 'The room server sent an unexpected answer.');
  return rows.map(([, there = 0]) => there);
}

function failureOf(failure: number, msgnum: number): AppError {
  if (failure === -3) return invalidName();
  if (failure === -5) return new AppError('precondition_failed', 'There is something of this name already.');
  if (failure === -6) return new AppError('conflict', 'Another message has this UID.', { cause: new UidTaken(msgnum) });
  if (failure === -8) return new AppError('not_found', 'No such message.');
  return new AppError('forbidden', 'This account may not do that.');
}

function invalidName(): AppError {
  return new AppError('bad_request', 'A message cannot have this name.');
}
