// Scheduling by the embedded room server (verb SCHD, protocol section 21.5): messages that go with the next change of
// an object, tags of scheduling objects, busy times. Other servers have no such verb: ask hasScheduling first.

import { command, splitFields, toInt } from '../protocol/fields.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass } from './connection/refusal.ts';

/** A message and the addresses it is for. */
export interface AddressedMessage {
  recipients: readonly string[];
  /** iCalendar with METHOD */
  text: string;
}

/**
 * Prepares messages that go when the object of this UID is posted or deleted on this connection, in the room it is in.
 * `expected`: number of the message that the object is now, 0 for none. Answers the status of each recipient, by
 * address (RFC 6638 section 3.2.9).
 */
export async function prepareScheduling(
  connection: Connection,
  uid: string,
  isSchedulingObject: boolean,
  expected: number,
  messages: readonly AddressedMessage[],
): Promise<ReadonlyMap<string, string>> {
  const status = await connection.start(command('SCHD', 'send', uid, isSchedulingObject ? 1 : 0, expected));
  expectClass(status, REPLY.sendTextThenListing);
  const text = messages
    .map(({ recipients, text }) => `${recipients.map((one) => `to|${one}\n`).join('')}${text.replaceAll('\r\n', '\n')}`)
    .join('');
  const rows = await connection.sendText([Buffer.from(text)]);
  return new Map(rows.map(splitFields).map(([address = '', code = '']) => [address, code]));
}

/** Forgets what was prepared. */
export async function dropScheduling(connection: Connection): Promise<void> {
  expectClass(await connection.ask(command('SCHD', 'drop')), REPLY.done);
}

/** By number, the tags of the scheduling objects of a room from a number on; `count` of them, 0: all. */
export async function readScheduleTags(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  from = 0,
  count = 0,
): Promise<ReadonlyMap<number, string>> {
  const { answers } = await pool.readInRoom(identity, room, [command('SCHD', 'tags', from, count)]);
  const { lines } = expectClass(answers[0]!, REPLY.listing);
  return new Map(lines.map(splitFields).map(([number = '', tag = '']) => [toInt(number), `"${tag}"`]));
}

/** The caller's calendar that has an object of this UID, and its number there. */
export async function findScheduled(
  pool: Pool,
  identity: Identity,
  uid: string,
): Promise<{ room: string; msgnum: number } | undefined> {
  const [answer] = await pool.read(identity, [command('SCHD', 'where', uid)]);
  const [line] = expectClass(answer!, REPLY.listing).lines;
  const [room = '', number] = splitFields(line ?? '');
  return line === undefined ? undefined : { room, msgnum: toInt(number) };
}

/** The room of the caller's scheduling inbox. */
export async function readInboxRoom(pool: Pool, identity: Identity): Promise<string> {
  const [answer] = await pool.read(identity, [command('SCHD', 'inbox')]);
  return expectClass(answer!, REPLY.done).text.trim();
}

/** The room of the caller's calendar for new events. */
export async function readDefaultCalendar(pool: Pool, identity: Identity): Promise<string> {
  const [answer] = await pool.read(identity, [command('SCHD', 'default')]);
  return expectClass(answer!, REPLY.done).text.trim();
}

/** Chooses it; empty: the room server does. Throws conflict for what is no calendar of the caller's own. */
export function setDefaultCalendar(pool: Pool, identity: Identity, room: string): Promise<void> {
  return pool.withConnection(identity, async (connection) => {
    expectClass(await connection.ask(command('SCHD', 'default', room)), REPLY.done, {
      [STATUS.noSuchRoom]: ['conflict', 'That is no calendar of this account.'],
    });
  });
}

/** When somebody is busy; `status` is not 2.0 where that is not known. Unix seconds. */
export interface BusyTimes {
  address: string;
  status: string;
  periods: { start: number; end: number; type: string }[];
}

/** Of the people with these addresses, in their order. Throws bad_request for a range that is too long. */
export async function readBusyTimes(
  pool: Pool,
  identity: Identity,
  range: { start: number; end: number },
  addresses: readonly string[],
): Promise<BusyTimes[]> {
  return pool.withConnection(identity, async (connection) => {
    const status = await connection.start(command('SCHD', 'busy', range.start, range.end));
    expectClass(status, REPLY.sendTextThenListing);
    const rows = await connection.sendText([Buffer.from(addresses.map((one) => `${one}\n`).join(''))]);
    const found: BusyTimes[] = [];
    for (const [kind, ...fields] of rows.map(splitFields)) {
      const [first = '', second = '', type = ''] = fields;
      if (kind === 'A') found.push({ address: first, status: second, periods: [] });
      else found.at(-1)?.periods.push({ start: toInt(first), end: toInt(second), type });
    }
    return found;
  });
}
