// Members of a room get other names, or are copied or moved under new ones, all of them or none (verb MEMB place of the
// embedded room server, protocol section 21.6).

import { AppError } from '../../errors.ts';
import { command, isFieldSafe, splitFields, toInt } from '../../protocol/fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { NewPlace, PlaceOptions } from '../collections.ts';
import type { Connection } from '../connection/connection.ts';
import { expectClass, unexpectedAnswer } from '../connection/refusal.ts';
import { UidTaken } from '../posting.ts';

export async function placeMembers(
  connection: Connection,
  places: readonly NewPlace[],
  { isCopy, room, mayReplace }: PlaceOptions,
): Promise<number[]> {
  if (!places.every(({ name }) => isFieldSafe(name))) throw invalidName();
  const line = command('MEMB', 'place', isCopy ? 1 : 0, room, mayReplace ? 1 : 0);
  expectClass(await connection.start(line), REPLY.sendTextThenListing);
  const text = places.map(({ msgnum, name }) => `${msgnum}|${name}\n`).join('');
  const rows = await connection.sendText([Buffer.from(text)]);
  const numbers = succeeded(rows);
  if (numbers.length !== places.length) throw unexpectedAnswer(rows);
  return numbers.map(([, there = 0]) => there);
}

export async function removeFolder(connection: Connection, folder: string): Promise<void> {
  await askTree(connection, 'remove', folder);
}

export async function placeFolder(
  connection: Connection,
  folder: string,
  newFolder: string,
  { isCopy, room, mayReplace, isShallow }: PlaceOptions & { isShallow: boolean },
): Promise<void> {
  const flags = [mayReplace, isShallow].map(Number);
  await askTree(connection, isCopy ? 'copy' : 'move', folder, room, newFolder, ...flags);
}

async function askTree(connection: Connection, ...fields: (string | number)[]): Promise<void> {
  succeeded(expectClass(await connection.ask(command('MEMB', 'tree', ...fields)), REPLY.listing).lines);
}

/** The numbers of the rows; throws what `failure|number` means. */
function succeeded(lines: readonly string[]): number[][] {
  const rows = lines.map((row) => splitFields(row).map(toInt));
  const [failure = 0, msgnum = 0] = rows[0] ?? [];
  if (failure < 0) throw failureOf(failure, msgnum);
  return rows;
}

function failureOf(failure: number, msgnum: number): AppError {
  if (failure === -3) return invalidName();
  if (failure === -4) return new AppError('forbidden', 'These are too many to be moved, copied or deleted at once.');
  if (failure === -5) return new AppError('precondition_failed', 'There is something of this name already.');
  if (failure === -6) return new AppError('conflict', 'Another message has this UID.', { cause: new UidTaken(msgnum) });
  if (failure === -8) return new AppError('not_found', 'No such message.');
  if (failure === -9) return new AppError('conflict', 'The folder has changed meanwhile.');
  return new AppError('forbidden', 'This account may not do that.');
}

function invalidName(): AppError {
  return new AppError('bad_request', 'A message cannot have this name.');
}
