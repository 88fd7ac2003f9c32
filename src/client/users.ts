// Users and what belongs to them: pictures, new mail (verbs DLUI, ULUI, CHEK, BIFF, SETP and the administration of
// accounts, spec sections 18.2 and 18.8).

import { AppError } from '../errors.ts';
import { command, splitFields, toInt, wholeLineCommand } from '../protocol/fields.ts';
import { binaryLength } from '../protocol/framing.ts';
import { STATUS } from '../protocol/status.ts';
import type { Connection } from './connection.ts';
import { enterCommand, enteredFrom } from './goto.ts';
import type { Identity } from './identity.ts';
import type { Pool } from './pool.ts';
import { expectClass } from './refusal.ts';

const CHECK = command('CHEK');
const ENTER_INBOX = enterCommand({ name: '_MAIL_', password: '' }, true);
const OWN_ADDRESSES = command('GVEA');

export interface Picture {
  contentType: string;
  length: number;
  /** to be consumed before the connection is given back */
  bytes: AsyncIterable<Buffer>;
}

/** Streams a user's picture to `use`. Throws not_found where there is no such user (570) or no picture (571). */
export function withPicture<T>(
  pool: Pool,
  identity: Identity,
  user: string,
  use: (picture: Picture) => Promise<T>,
): Promise<T> {
  return pool.withConnection(identity, async (connection) => {
    const status = expectClass(await connection.start(command('DLUI', user)), 6);
    const length = binaryLength(status);
    const contentType = splitFields(status.text)[3] || 'application/octet-stream';
    return use({ contentType, length, bytes: connection.binary(length) });
  });
}

/** Stores one's own picture. Throws bad_request for what is no image (512). */
export function setPicture(
  pool: Pool,
  identity: Identity,
  picture: { contentType: string; length: number; bytes: AsyncIterable<Buffer> },
): Promise<void> {
  return pool.withConnection(identity, async (connection) => {
    expectClass(await connection.start(command('ULUI', picture.length, picture.contentType, '')), 7);
    await connection.sendBinary(picture.bytes);
    expectClass(await connection.ask(command('NOOP')), 2); // ULUI confirms nothing; an answered NOOP does
  });
}

/** Own mail address; empty for a guest. */
export async function ownAddress(pool: Pool, identity: Identity): Promise<string> {
  const [check, addresses] = await pool.read(identity, [CHECK, OWN_ADDRESSES]);
  if (check!.code === STATUS.notLoggedIn) return '';
  return splitFields(expectClass(check!, 2).text)[3] || addresses!.lines[0] || '';
}

/**
 * Messages in the own inbox above `previous` (undefined: everything counts as known), and the highest number in it,
 * to be passed as `previous` next time.
 */
export async function newMailSince(
  pool: Pool,
  identity: Identity,
  previous: number | undefined,
): Promise<{ inbox: number; count: number }> {
  const commands = previous === undefined ? [ENTER_INBOX] : [ENTER_INBOX, command('MSGS', 'GT', previous)];
  const [inbox, later] = await pool.read(identity, commands);
  const highest = Math.max(previous ?? 0, enteredFrom(inbox!).highest);
  return { inbox: highest, count: later ? expectClass(later, 1).lines.length : 0 };
}

export interface UserRow {
  name: string;
  level: number;
  usernum: number;
  lastCall: number;
}

/** Rows of LIST. */
export async function listUsers(connection: Connection): Promise<UserRow[]> {
  const { lines } = expectClass(await connection.ask(command('LIST')), 1);
  return lines.map((line) => {
    const fields = splitFields(line);
    return { name: fields[0]!, level: toInt(fields[1]), usernum: toInt(fields[2]), lastCall: toInt(fields[3]) };
  });
}

/** Creates an account (CREU). Throws conflict when the name is taken (574). */
export async function createUser(connection: Connection, name: string, password: string): Promise<void> {
  expectClass(await connection.ask(command('CREU', name, password)), 2);
}

/** Changes password or level of an account (ASUP); level 0 removes it. Throws not_found (570). */
export async function updateUser(
  connection: Connection,
  name: string,
  change: { password?: string; level?: number },
): Promise<void> {
  const found = expectClass(await connection.ask(command('AGUP', name)), 2);
  const [stored, password, flags, , , level, , lastCall, purgeDays] = splitFields(found.text);
  if (stored === undefined || purgeDays === undefined) {
    throw new AppError('backend_protocol', 'The room server sent an unexpected answer.');
  }
  const fields = [stored, change.password ?? password!, flags!, 0, 0, change.level ?? level!, 0, lastCall!, purgeDays];
  expectClass(await connection.ask(command('ASUP', ...fields)), 2);
}

/** Changes one's own password (SETP). */
export async function setPassword(connection: Connection, password: string): Promise<void> {
  expectClass(await connection.ask(wholeLineCommand('SETP', password)), 2);
}
