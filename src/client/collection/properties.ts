// Dead properties of rooms and their members (verb PROP of the embedded room server, protocol section 21.6). Only where
// hasMembers says that the room server has it. To it their names are names: `{namespace}name`.

import { AppError } from '../../errors.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, packField, splitFields, unpackField } from '../../protocol/fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { Connection } from '../connection/connection.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import { memoiseByAnswer } from '../connection/memoise-by-answer.ts';
import type { InRoom, Pool } from '../connection/pool.ts';
import { expectClass } from '../connection/refusal.ts';
import type { RoomState } from './member-pages.ts';

/** By name. */
export type KeptProperties = ReadonlyMap<string, string>;

/** Those of a member, by any of its names, or of the room where it is empty. Throws not_found, as pool.readInRoom. */
export async function readKeptProperties(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  member: string,
): Promise<KeptProperties> {
  return parseProperties(await pool.readInRoom(identity, room, [command('PROP', 'of', member)]));
}

const parseProperties = memoiseByAnswer(
  ({ answers }: InRoom): KeptProperties =>
    new Map(expectClass(answers[0]!, REPLY.listing).lines.map((line) => propertyFrom(splitFields(line)))),
);

/** Those of all members of a room, by the name of the member; those of the room by the empty one. */
export async function readAllKeptProperties(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
): Promise<ReadonlyMap<string, KeptProperties>> {
  const found = new Map<string, Map<string, string>>();
  for (let [member, name] = ['', '']; ; ) {
    const { answers } = await pool.readInRoom(identity, room, [command('PROP', 'all', member!, name!)]);
    const { text, lines } = expectClass(answers[0]!, REPLY.listing);
    for (const line of lines) {
      const [of = '', ...fields] = splitFields(line);
      found.getOrInsertComputed(of, () => new Map()).set(...propertyFrom(fields));
    }
    [member = '', name = ''] = splitFields(text);
    if (name === '') return found;
  }
}

/** What PROP tells of a room. */
export interface RoomProperties extends RoomState {
  properties: KeptProperties;
}

/** Properties and states of all rooms that the identity knows, by their names as lists have them. */
export async function readRoomProperties(pool: Pool, identity: Identity): Promise<ReadonlyMap<string, RoomProperties>> {
  return parseRooms(await pool.read(identity, [ALL_ROOMS]));
}

const ALL_ROOMS = command('PROP', 'rooms');

const parseRooms = memoiseByAnswer((answers: readonly Answer[]) => {
  const rooms = new Map<string, RoomProperties>();
  let properties = new Map<string, string>();
  for (const line of expectClass(answers[0]!, REPLY.listing).lines) {
    const [room = '', ...fields] = splitFields(line);
    if (room === '') {
      properties.set(...propertyFrom(fields));
      continue;
    }
    properties = new Map();
    rooms.set(room, { roomId: Number(fields[0]), sequence: Number(fields[1]), properties });
  }
  return rooms;
});

function propertyFrom([name = '', value = '']: readonly string[]): [string, string] {
  return [unpackField(name), unpackField(value)];
}

/** `value` undefined: the property is removed. */
export interface KeptPropertyChange {
  name: string;
  value: string | undefined;
}

/**
 * Does all of them or none, to a member of the room that the connection is in, or to the room where `member` is empty.
 * Throws not_found, forbidden, bad_request (a name), insufficient_storage (too many or too large).
 */
export async function changeKeptProperties(
  connection: Connection,
  member: string,
  changes: readonly KeptPropertyChange[],
): Promise<void> {
  expectClass(await connection.start(command('PROP', 'set', member)), REPLY.sendTextThenListing);
  const lines = changes.map(({ name, value }) =>
    value === undefined ? `${packField(name)}\n` : `${packField(name)}|${packField(value)}\n`,
  );
  const [outcome] = await connection.sendText([Buffer.from(lines.join(''))]);
  if (outcome === '-3') throw new AppError('bad_request', 'A property has no name that can be kept.');
  if (outcome === '-4') throw new AppError('insufficient_storage', 'These properties are too many or too large.');
  if (outcome !== '0') throw new AppError('forbidden', 'This account may not do that.');
}
