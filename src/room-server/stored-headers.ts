// What DAV lists of a room: number, euid and time of every message, and the stored header lines of many at once (verbs
// MSGS mode 4 and MSG2 mode 1, protocol sections 13 and 14).

import { type HeaderField, parseHeaders } from '../mime/headers.ts';
import type { EnteredRoom } from '../model.ts';
import type { Answer } from '../protocol/answer.ts';
import { command, toInt } from '../protocol/fields.ts';
import { REPLY, replyClass } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import { memoiseByAnswer } from './connection/memoise-by-answer.ts';
import type { InRoom, Pool } from './connection/pool.ts';
import { expectClass } from './connection/refusal.ts';

export const ALL_EUIDS = command('MSGS', 'ALL', '', '', 4);

/**
 * Makes the session's list of messages that of the room it is in: without it a real server still answers for
 * messages of the room left before (quirk Q5c). A look-up that fails makes it anew (550, protocol section 5), and lists
 * nothing; MSGS LAST, GT and the like are dear to a real server (quirk Q58). Its answer says nothing.
 */
export const FRESH_LIST = command('MSG0', 0, 3);

export interface EuidRow {
  msgnum: number;
  /** empty where the message has none */
  euid: string;
  /** Unix seconds */
  time: number;
}

/** All messages of a room, ascending by number. */
export async function listEuids(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
): Promise<{ entered: EnteredRoom; rows: readonly EuidRow[] }> {
  return parseEuids(await pool.readInRoom(identity, room, [ALL_EUIDS]));
}

const parseEuids = memoiseByAnswer(({ entered, answers }: InRoom) => ({ entered, rows: euidsFrom(answers[0]!) }));

export function euidsFrom(answer: Answer): EuidRow[] {
  return expectClass(answer, REPLY.listing)
    .lines.map(euidRow)
    .filter(({ msgnum }) => msgnum > 0);
}

/** `'302||1795221150'`; an euid may hold bars. No arrays: a room may list very many. */
function euidRow(line: string): EuidRow {
  const first = line.indexOf('|');
  const last = line.lastIndexOf('|');
  const euid = first < last ? line.slice(first + 1, last) : '';
  return { msgnum: toInt(line), euid, time: toInt(line.slice(last + 1)) };
}

/** Header fields as MSG2 prints them; undefined for messages that have gone meanwhile. */
export async function readStoredHeaders(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  numbers: readonly number[],
): Promise<readonly (HeaderField[] | undefined)[]> {
  return parseStored(await pool.readInRoom(identity, room, headerCommands(numbers)));
}

const parseStored = memoiseByAnswer(({ answers }: InRoom) => answers.slice(1).map(headersFrom));

/** The same in the room that the connection is in. */
export async function storedHeadersOf(
  connection: Connection,
  numbers: readonly number[],
): Promise<(HeaderField[] | undefined)[]> {
  const answers = await connection.askAll(headerCommands(numbers));
  return answers.slice(1).map(headersFrom);
}

function headerCommands(numbers: readonly number[]): string[] {
  return [FRESH_LIST, ...numbers.map((msgnum) => command('MSG2', msgnum, 1))];
}

/** undefined for a message that is not there. */
export function headersFrom(answer: Answer): HeaderField[] | undefined {
  if (replyClass(answer.code) === REPLY.refused) return undefined;
  return parseHeaders(Buffer.from(expectClass(answer, REPLY.listing).lines.join('\n')));
}
