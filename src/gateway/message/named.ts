// The messages of a room that have a name: asked of the embedded room server, which knows the names of members, and
// looked for by their subjects at any other.

import { setTimeout } from 'node:timers/promises';
import {
  BATCH_MESSAGES,
  LOOKS_AT_A_NAME,
  LOOKS_AT_RIVALS,
  MAX_FILE_PATH_BYTES,
  RIVALS_WAIT_MS,
} from '../../limits/dav.ts';
import { nameFrom } from '../../mime/stored-content.ts';
import { type EnteredRoom, EUID_VIEWS } from '../../model.ts';
import { isFieldSafe } from '../../protocol/fields.ts';
import { isPlainNumber } from '../../protocol/member-names.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import { findBySubject, storedHeadersOf } from '../../room-server/messages.ts';
import type { RoomContext } from '../room-context.ts';
import { subjectOfName } from './name.ts';

/**
 * Numbers, ascending, of the messages with that name in the room that the connection is in. The first is the one that
 * the name means: a message keeps its name until it is deleted.
 */
export async function findNamed(
  { app }: Pick<RoomContext, 'app'>,
  connection: Connection,
  room: EnteredRoom,
  name: string,
): Promise<number[]> {
  const { lacks, members } = await serverOf(app.pool, connection);
  if (!lacks.memberNames) {
    const member = await members.namedOn(connection, name);
    return member?.name === name ? [member.msgnum] : [];
  }
  if (EUID_VIEWS.has(room.defaultView) || !isFieldSafe(name) || Buffer.byteLength(name) > MAX_FILE_PATH_BYTES)
    return [];
  const unnamed = isPlainNumber(name) ? await unnamedMessage(connection, Number(name)) : [];
  const subject = subjectOfName(name);
  let candidates = await findBySubject(connection, subject);
  for (let look = 1; ; look++) {
    const found = await namedAmong(connection, candidates, name);
    if (found.length > 0) return found;
    if (candidates.length === 0 || look === LOOKS_AT_A_NAME) return unnamed;
    // the message of that name may have been replaced since the list was made
    const now = await findBySubject(connection, subject);
    if (now.every((number) => candidates.includes(number))) return unnamed;
    candidates = now;
  }
}

/** In a room of files a message that has no name is listed by its number. */
async function unnamedMessage(connection: Connection, msgnum: number): Promise<number[]> {
  const [headers] = await storedHeadersOf(connection, [msgnum]);
  return headers && nameFrom(headers) === undefined ? [msgnum] : [];
}

/**
 * The same for a request that replaces only what it has read: of several one may be just about to replace the others,
 * so it waits for that, a little.
 */
export async function findSettled(
  context: Pick<RoomContext, 'app'>,
  connection: Connection,
  room: EnteredRoom,
  name: string,
): Promise<number[]> {
  let found = await findNamed(context, connection, room, name);
  for (let look = 0; found.length > 1 && look < LOOKS_AT_RIVALS; look++) {
    await setTimeout(RIVALS_WAIT_MS);
    found = await findNamed(context, connection, room, name);
  }
  return found;
}

/** Those of `candidates` that have the name, in the room that the connection is in. */
export async function namedAmong(
  connection: Connection,
  candidates: readonly number[],
  name: string,
): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < candidates.length; at += BATCH_MESSAGES) {
    const batch = candidates.slice(at, at + BATCH_MESSAGES);
    const headers = await storedHeadersOf(connection, batch);
    found.push(...batch.filter((_, i) => headers[i] && nameFrom(headers[i]) === name));
  }
  return found;
}
