// Finding messages: by a header field, which the room server compares, and the latest ones (verb MSGS,
// protocol section 14).

import { command } from '../protocol/fields.ts';
import { messageNumbers } from '../protocol/message-fields.ts';
import { REPLY } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import { expectClass } from './connection/refusal.ts';

/**
 * Numbers, ascending, of the messages of the connection's room whose subject is `subject` as stored, in any ASCII case.
 * A real server cuts a template line at 255 bytes, so `subject` has at most 250.
 */
export function findBySubject(connection: Connection, subject: string): Promise<number[]> {
  return findByField(connection, 'subj', subject);
}

/** The same by the id of a message, without its angle brackets; `id` has at most 250 bytes and no bar. */
export function findByMessageId(connection: Connection, id: string): Promise<number[]> {
  return findByField(connection, 'msgn', id);
}

async function findByField(connection: Connection, field: 'subj' | 'msgn', value: string): Promise<number[]> {
  expectClass(await connection.start(command('MSGS', 'ALL', '', 1, 0)), REPLY.sendTextThenListing);
  const lines = await connection.sendText([Buffer.from(`${field}|${value}\n`)]);
  return messageNumbers(lines);
}

/** Numbers, ascending, of the messages of the connection's room above `msgnum`: GT is dear to a real server (Q58). */
export async function findAbove(connection: Connection, msgnum: number): Promise<number[]> {
  const { lines } = expectClass(await connection.ask(command('MSGS', 'ALL')), REPLY.listing);
  return messageNumbers(lines).filter((number) => number > msgnum);
}
