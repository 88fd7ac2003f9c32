// Scheduling with the embedded room server (verb SCHD, protocol section 21.5).

import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { RoomAccess } from '../connection/pool.ts';
import { expectClass } from '../connection/server-errors.ts';
import type { BusyTimes, SchedulingMethods } from '../server.ts';

/** From a number on; `count` 0: all. */
async function tagsFrom({ pool, identity, room }: RoomAccess, from: number, count: number) {
  const { answers } = await pool.readInRoom(identity, room, [command('SCHD', 'tags', from, count)]);
  const { lines } = expectClass(answers[0]!, REPLY.listing);
  return new Map(lines.map(splitFields).map(([number = '', tag = '']) => [toInt(number), `"${tag}"`]));
}

export const scheduling: SchedulingMethods = {
  async prepare(connection, uid, isSchedulingObject, expected, messages) {
    const status = await connection.start(command('SCHD', 'send', uid, isSchedulingObject ? 1 : 0, expected));
    expectClass(status, REPLY.sendTextThenListing);
    const text = messages
      .map(
        ({ recipients, text }) => `${recipients.map((one) => `to|${one}\n`).join('')}${text.replaceAll('\r\n', '\n')}`,
      )
      .join('');
    const rows = await connection.sendText([Buffer.from(text)]);
    return new Map(rows.map(splitFields).map(([address = '', code = '']) => [address, code]));
  },

  async drop(connection) {
    expectClass(await connection.ask(command('SCHD', 'drop')), REPLY.done);
  },

  tags: (at) => tagsFrom(at, 0, 0),

  tagOf: async (at, msgnum) => (await tagsFrom(at, msgnum, 1)).get(msgnum),

  invitations: async (at, most) => [...(await tagsFrom(at, 0, most)).keys()],

  async find(pool, identity, uid) {
    const [answer] = await pool.read(identity, [command('SCHD', 'where', uid)]);
    const [line] = expectClass(answer!, REPLY.listing).lines;
    const [room = '', number] = splitFields(line ?? '');
    return line === undefined ? undefined : { room, msgnum: toInt(number) };
  },

  async placeFor(pool, identity, uid, isTask) {
    const found = await scheduling.find(pool, identity, uid);
    return (
      found ?? { room: isTask ? OWN_ROOM.tasks : await scheduling.defaultCalendar(pool, identity), msgnum: undefined }
    );
  },

  async inboxRoom(pool, identity) {
    const [answer] = await pool.read(identity, [command('SCHD', 'inbox')]);
    return expectClass(answer!, REPLY.done).text.trim();
  },

  async defaultCalendar(pool, identity) {
    const [answer] = await pool.read(identity, [command('SCHD', 'default')]);
    return expectClass(answer!, REPLY.done).text.trim();
  },

  setDefaultCalendar(pool, identity, room) {
    return pool.withConnection(identity, async (connection) => {
      expectClass(await connection.ask(command('SCHD', 'default', room)), REPLY.done, {
        [STATUS.noSuchRoom]: ['conflict', 'This account has no such calendar.'],
      });
    });
  },

  async busyTimes(pool, identity, range, addresses) {
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
  },
};
