// Scheduling by the embedded room server (verb SCHD, protocol section 21.5).

import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../connection/connection.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass } from '../connection/refusal.ts';
import type { AddressedMessage, BusyTimes } from '../server.ts';

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

export async function dropScheduling(connection: Connection): Promise<void> {
  expectClass(await connection.ask(command('SCHD', 'drop')), REPLY.done);
}

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

/** Of tasks the room for them; of events the default calendar. */
export async function schedulingPlace(
  pool: Pool,
  identity: Identity,
  uid: string,
  isTask: boolean,
): Promise<{ room: string; msgnum: number | undefined }> {
  const found = await findScheduled(pool, identity, uid);
  return found ?? { room: isTask ? OWN_ROOM.tasks : await readDefaultCalendar(pool, identity), msgnum: undefined };
}

export async function readInboxRoom(pool: Pool, identity: Identity): Promise<string> {
  const [answer] = await pool.read(identity, [command('SCHD', 'inbox')]);
  return expectClass(answer!, REPLY.done).text.trim();
}

export async function readDefaultCalendar(pool: Pool, identity: Identity): Promise<string> {
  const [answer] = await pool.read(identity, [command('SCHD', 'default')]);
  return expectClass(answer!, REPLY.done).text.trim();
}

export function setDefaultCalendar(pool: Pool, identity: Identity, room: string): Promise<void> {
  return pool.withConnection(identity, async (connection) => {
    expectClass(await connection.ask(command('SCHD', 'default', room)), REPLY.done, {
      [STATUS.noSuchRoom]: ['conflict', 'That is no calendar of this account.'],
    });
  });
}

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
