// Reading the newest messages of rooms within bounds, at a room server whose index does not have them.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { finishedBody } from '../../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../../src/backend/store/messages.ts';
import { createRoom, roomByName } from '../../../../src/backend/store/rooms.ts';
import { MAX_LISTED_AT_ONCE, SCANNED_AT_ONCE } from '../../../../src/limits/protocol.ts';
import { type LocatedMessage, newestIn, scan } from '../../../../src/room-server/citadel/scan.ts';
import { Pool } from '../../../../src/room-server/connection/pool.ts';
import { withRfc822 } from '../../../../src/room-server/message-content.ts';
import { faultServer } from '../../../support/fault-server.ts';
import { LOST, type RealServerOptions, startRealServer } from '../../../support/real-server.ts';

const ALICE = { user: 'alice', password: 'alicepw' };
const ref = (name: string) => ({ name, password: '' });

async function start(t: TestContext, options: RealServerOptions = {}) {
  const real = await startRealServer(t, { users: { alice: 4 }, ...options });
  const pool = new Pool({ target: { path: real.path }, clientName: 'test', clientVersion: '1' });
  t.after(() => pool.close());
  const { store } = real.behind;
  const save = (text: string, ...rooms: string[]) =>
    store.transaction(() => {
      const ids = rooms.map((name) => {
        const room = { name, view: 0, flags: 0, password: '', floor: 0, admin: 1 };
        return (roomByName(store, name) ?? createRoom(store, room)).id;
      });
      const body = finishedBody(store, 4, Buffer.from(`Content-type: text/plain\n\n${text}\n`));
      const fields = { author: 'bob', path: 'bob', address: 'bob@x', room: rooms[0]!, subject: 's' };
      return saveMessage(store, { ...fields, format: 4, body, rooms: ids });
    });
  const commands = (verb: RegExp) => real.sessions.flatMap((one) => one.commands).filter((line) => verb.test(line));
  const look = async (places: readonly LocatedMessage[], bytes: number, ms = 10_000) => {
    const taken: number[] = [];
    const through = await scan(pool, ALICE, places, { messages: 0, bytes, ms }, ({ msgnum }, source) => {
      assert.match(source.toString(), /^[\s\S]*\r\n\r\n.*\r\n$/);
      taken.push(msgnum);
    });
    return { through, taken };
  };
  return { real, pool, save, commands, look };
}

describe('the newest messages of rooms', () => {
  it('are found where they are, in each room, down to the number and as many as wanted', async (t) => {
    const { pool, save } = await start(t);
    const a = save('1', 'A');
    const both = save('2', 'A', 'B');
    const b = save('3', 'B');
    const rooms = [
      { ref: ref('A'), totalMessages: 2, highest: both },
      { ref: ref('Gone'), totalMessages: 9, highest: 900 },
      { ref: ref('B'), totalMessages: 2, highest: b },
    ];
    const newest = async (above: number, max: number) => {
      const { messages: places, isAll } = await newestIn(pool, ALICE, rooms, above, max);
      return [places.map((place) => [place.msgnum, ...place.rooms.map(({ name }) => name)]), isAll];
    };
    assert.deepEqual(await newest(0, 3), [
      [
        [b, 'B'],
        [both, 'B', 'A'],
        [a, 'A'],
      ],
      true,
    ]);
    assert.deepEqual(await newest(0, 2), [
      [
        [b, 'B'],
        [both, 'B', 'A'],
      ],
      false,
    ]);
    assert.deepEqual(await newest(a, 2), [
      [
        [b, 'B'],
        [both, 'B', 'A'],
      ],
      true,
    ]);
    assert.deepEqual(await newest(b, 2), [[], true]);
  });

  it('are not looked for where all are older, and rooms are listed together while they are not large', async (t) => {
    const { pool, save, commands } = await start(t);
    const numbers = ['A', 'B', 'C'].map((name) => save('1', name));
    const rooms = (totalMessages: number) =>
      numbers.map((highest, i) => ({ ref: ref('ABC'[i]!), totalMessages, highest }));
    const listed = async (total: number, max: number) => {
      const before = commands(/^MSGS/).length;
      const { messages: places } = await newestIn(pool, ALICE, rooms(total), 0, max);
      assert.deepEqual(
        places.map(({ msgnum }) => msgnum),
        numbers.toReversed().slice(0, max),
      );
      return commands(/^MSGS/).length - before;
    };
    assert.equal(await listed(MAX_LISTED_AT_ONCE, 3), 3);
    assert.equal(await listed(MAX_LISTED_AT_ONCE, 1), 2); // that of B tells that there are more
    assert.equal(await listed(MAX_LISTED_AT_ONCE / 2, 1), 2);
    assert.equal(await listed(MAX_LISTED_AT_ONCE / 3, 1), 3);
  });
});

describe('looking through messages', () => {
  it('reads as many bytes as it may, all of the messages counted, and the connection serves on', async (t) => {
    const { pool, save, look } = await start(t);
    const numbers = Array.from({ length: 5 }, (_, i) => save(`text ${i}`, 'A')).reverse();
    const places = numbers.map((msgnum) => ({ msgnum, rooms: [ref('A')] }));
    let bytes = 0;
    for (const msgnum of numbers) {
      await withRfc822(pool, ALICE, ref('A'), msgnum, async (pieces) => {
        for await (const piece of pieces) bytes += piece.length;
      });
    }
    assert.deepEqual(await look(places, bytes), { through: 5, taken: numbers });
    assert.deepEqual(await look(places, bytes - 1), { through: 4, taken: numbers.slice(0, 4) });
    assert.deepEqual(await look(places, 0), { through: 0, taken: [] });
    assert.deepEqual(await look(places, bytes), { through: 5, taken: numbers });
  });

  it('passes over what is gone, and what is in a room that cannot be entered', async (t) => {
    const { save, look } = await start(t);
    const [first, second, third] = [save('1', 'A'), save('2', 'B'), save('3', 'A')] as const;
    const places = [
      { msgnum: third, rooms: [ref('Gone')] },
      { msgnum: third, rooms: [ref('A')] },
      { msgnum: 900, rooms: [ref('A')] },
      { msgnum: first, rooms: [ref('Gone')] },
      { msgnum: second, rooms: [ref('B')] },
      { msgnum: first, rooms: [ref('A')] },
    ];
    assert.deepEqual(await look(places, 100_000), { through: 6, taken: [third, second, first] });
  });

  it('reads in one round trip what goes in one, and asks once more when the connection is lost', async (t) => {
    const lost = { left: 0 };
    const { real, pool, save, look, commands } = await start(t, {
      rewrite: ({ command, reply }) => (command.startsWith('MSG2') && lost.left-- > 0 ? LOST : reply),
    });
    const numbers = Array.from({ length: SCANNED_AT_ONCE + 1 }, () => save('x', 'A'));
    const places = numbers.map((msgnum) => ({ msgnum, rooms: [ref('A')] }));
    await pool.identify(ALICE);
    const tripsFor = async (count: number) => {
      const before = real.roundTrips();
      assert.equal((await look(places.slice(0, count), 1_000_000)).through, count);
      return real.roundTrips() - before;
    };
    assert.equal(await tripsFor(SCANNED_AT_ONCE), 1);
    assert.equal(await tripsFor(SCANNED_AT_ONCE + 1), 2);
    lost.left = 1;
    assert.equal((await look(places.slice(0, 3), 1_000_000)).through, 3);
    lost.left = 2;
    await assert.rejects(look(places.slice(0, 3), 1_000_000), { code: 'backend_lost' });
    assert.deepEqual(commands(/^MSGS/), []);
  });

  it('stops when its time is over', async (t) => {
    const { save, look } = await start(t, { latencyMs: 50 });
    const places = [{ msgnum: save('1', 'A'), rooms: [ref('A')] }];
    assert.deepEqual((await look(places, 100_000, 40)).taken, []);
    assert.equal((await look(places, 100_000)).through, 1);
  });

  it('looks at what has come by then', async (t) => {
    const GOTO = '200 A|0|2|0|2|9|0|0|0|0|0|0|0|0|0|0|\n';
    const answers = { GOTO, MSG0: '550 no\n', MSG2: '100 msg:\r\nSubject: s\r\n\r\ntext\r\n000\n' };
    // answers IDEN, USER, PASS, GOTO, MSG0 and one MSG2
    const server = await faultServer(answers, [{ kind: 'stall', after: 6 }]);
    const pool = new Pool({ target: { path: server.path }, clientName: 'test', clientVersion: '1' });
    t.after(async () => {
      pool.close();
      await server.close();
    });
    const places = [9, 5].map((msgnum) => ({ msgnum, rooms: [ref('A')] }));
    const taken: number[] = [];
    const bounds = { messages: 2, bytes: 1000, ms: 2000 };
    assert.equal(await scan(pool, ALICE, places, bounds, ({ msgnum }) => taken.push(msgnum)), 1);
    assert.deepEqual(taken, [9]);
  });
});
