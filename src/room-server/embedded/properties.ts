// Dead properties of rooms and their members (verb PROP of the embedded room server, protocol section 21.7).

import { AppError } from '../../errors.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, packField, splitFields, toInt, unpackField } from '../../protocol/fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { KeptProperty, PropertyMethods, RoomProperties } from '../collections.ts';
import { memoiseByAnswer } from '../connection/memoise-by-answer.ts';
import type { InRoom } from '../connection/pool.ts';
import { expectClass } from '../connection/refusal.ts';
import { requireProgress } from './members.ts';

const parseProperties = memoiseByAnswer(({ answers }: InRoom) =>
  expectClass(answers[0]!, REPLY.listing).lines.map((line) => propertyFrom(splitFields(line))),
);

const ALL_ROOMS = command('PROP', 'rooms');

const parseRooms = memoiseByAnswer((answers: readonly Answer[]) => {
  const rooms = new Map<string, RoomProperties>();
  let properties: KeptProperty[] = [];
  for (const line of expectClass(answers[0]!, REPLY.listing).lines) {
    const [room = '', ...fields] = splitFields(line);
    if (room === '') {
      properties.push(propertyFrom(fields));
      continue;
    }
    properties = [];
    rooms.set(room, { roomId: toInt(fields[0]), sequence: toInt(fields[1]), properties });
  }
  return rooms;
});

function propertyFrom([packed = '', value = '']: readonly string[]): KeptProperty {
  const full = unpackField(packed);
  const blank = full.lastIndexOf(' ');
  return { namespace: full.slice(0, blank), name: full.slice(blank + 1), value: unpackField(value) };
}

export const properties: PropertyMethods = {
  async of(pool, identity, room, member) {
    return parseProperties(await pool.readInRoom(identity, room, [command('PROP', 'of', member)]));
  },

  async *all(pool, identity, room) {
    for (let cursor = ['', '']; ; ) {
      const { answers } = await pool.readInRoom(identity, room, [command('PROP', 'all', ...cursor)]);
      const { text, lines } = expectClass(answers[0]!, REPLY.listing);
      const found = new Map<string, KeptProperty[]>();
      for (const line of lines) {
        const [member = '', ...fields] = splitFields(line);
        found.getOrInsertComputed(member, () => []).push(propertyFrom(fields));
      }
      yield found;
      const [member = '', name = ''] = splitFields(text);
      if (name === '') return;
      requireProgress(member !== cursor[0] || name !== cursor[1], lines);
      cursor = [member, name];
    }
  },

  async ofRooms(pool, identity) {
    return parseRooms(await pool.read(identity, [ALL_ROOMS]));
  },

  async change(connection, member, changes) {
    expectClass(await connection.start(command('PROP', 'set', member)), REPLY.sendTextThenListing);
    const lines = changes.map(({ namespace, name, value }) => {
      const field = packField(`${namespace} ${name}`);
      return value === undefined ? `${field}\n` : `${field}|${packField(value)}\n`;
    });
    const [row] = await connection.sendText([Buffer.from(lines.join(''))]);
    const outcome = toInt(row);
    if (outcome === -3) throw new AppError('bad_request', 'A property has no name that can be kept.');
    if (outcome === -4) throw new AppError('insufficient_storage', 'These properties are too many or too large.');
    if (outcome < 0) throw new AppError('forbidden', 'This account may not do that.');
  },
};
