import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { expiredPieces } from '../../../src/backend/maintenance/expiry.ts';
import { Housekeeper } from '../../../src/backend/maintenance/housekeeping.ts';
import { finishedBody } from '../../../src/backend/store/bodies.ts';
import { addFloor } from '../../../src/backend/store/floors.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import { updateRoom } from '../../../src/backend/store/rooms.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { gpex, spex } from '../../../src/backend/verbs/expiry-policies.ts';
import { BACKEND_SWEEP_MESSAGES, EXPIRY_PAGE_ROWS, MAX_EXPIRY_VALUE } from '../../../src/limits/backend.ts';
import { VIEW } from '../../../src/model.ts';
import { messageWorld, run } from '../../support/message-session.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

const NOW = 2_000_000_000;
const DAY = 86_400;

function world(t: TestContext) {
  const w = messageWorld(t);
  const boss = w.user('boss', 6);
  const ann = w.user('ann');
  const post = (room: StoredRoom, ageDays: number) =>
    saveMessage(w.store, {
      format: 1,
      author: 'ann',
      path: 'ann',
      address: '',
      room: room.name,
      subject: 's',
      time: NOW - ageDays * DAY,
      body: finishedBody(w.store, 1, Buffer.from('text\n')),
      rooms: [room.id],
    });
  const set = (room: StoredRoom, policy: string) => assert.match(run(w.session(boss, room), spex, policy), /^200 /);
  const expire = (time = NOW) => [...expiredPieces(w.store, time)].length;
  const numbers = (room: StoredRoom) =>
    w.store.db
      .prepare('SELECT message FROM room_message WHERE room = ? ORDER BY message')
      .all(room.id)
      .map((row) => Number(row.message));
  return { w, boss, ann, post, set, expire, numbers };
}

describe('an expiry policy', () => {
  it('of days removes what is older, whatever its number', (t) => {
    const { w, post, set, expire, numbers } = world(t);
    const box = w.room('Box');
    const [, young, , edge] = [40, 1, 31, 30].map((age) => post(box, age));
    set(box, 'room|3|30');
    expire();
    assert.deepEqual(numbers(box), [young, edge]);
    assert.deepEqual([box.total, box.highest], [2, edge]);
    expire(NOW + DAY);
    assert.deepEqual(numbers(box), [young]);
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('of a number keeps so many, the latest', (t) => {
    const { w, post, set, expire, numbers } = world(t);
    const box = w.room('Box');
    const posted = [1, 2, 3, 4].map((age) => post(box, age));
    set(box, 'room|2|3');
    expire();
    assert.deepEqual(numbers(box), posted.slice(1));
    expire();
    assert.deepEqual(numbers(box), posted.slice(1));
  });

  it('is that of the room, else of its floor or of mailboxes, else of the site', (t) => {
    const { w, ann, post, set, expire, numbers } = world(t);
    addFloor(w.store, 1, 'Upstairs');
    const own = w.room('Own');
    const never = w.room('Never');
    const upstairs = w.room('Up');
    updateRoom(w.store, upstairs, { floor: 1 });
    const plain = w.room('Plain');
    const mail = personalRoom(w.store, ann, 'Mail');
    const rooms = [own, never, upstairs, plain, mail];
    for (const room of rooms) for (const age of [50, 15, 5]) post(room, age);
    const counts = () => rooms.map((room) => numbers(room).length);
    expire();
    assert.deepEqual(counts(), [3, 3, 3, 3, 3], 'a new site keeps everything');
    set(own, 'room|2|1');
    set(never, 'room|1|0');
    set(upstairs, 'floor|3|10');
    set(plain, 'mailboxes|3|20');
    set(plain, 'site|3|40');
    expire();
    assert.deepEqual(counts(), [1, 3, 1, 2, 2]);
    set(plain, 'mailboxes|0|0');
    set(upstairs, 'floor|0|0');
    set(plain, 'site|3|10');
    expire();
    assert.deepEqual(counts(), [1, 3, 1, 1, 1]);
  });

  it('of the site leaves alone what is no post: contacts, events, pages', (t) => {
    const { w, post, set, expire, numbers } = world(t);
    const rooms = [VIEW.addressBook, VIEW.calendar, VIEW.tasks, VIEW.notes, VIEW.wiki].map((view) =>
      w.room(`View ${view}`, view),
    );
    for (const room of rooms) post(room, 1000);
    set(rooms[0]!, 'site|3|10');
    expire();
    for (const room of rooms) assert.equal(numbers(room).length, 1, room.name);
    set(rooms[0]!, 'room|3|10');
    expire();
    assert.deepEqual(
      rooms.map((room) => numbers(room).length),
      [0, 1, 1, 1, 1],
    );
  });

  it('works in pieces, in rooms of any size', (t) => {
    const { w, post, set, expire, numbers } = world(t);
    const [aged, counted] = [w.room('Aged'), w.room('Counted')];
    w.store.transaction(() => {
      for (let i = 0; i <= EXPIRY_PAGE_ROWS; i++) post(aged, i % 2 === 0 ? 20 : 1);
      for (let i = 0; i < 2 * BACKEND_SWEEP_MESSAGES + 1; i++) post(counted, 1);
    });
    set(aged, 'room|3|10');
    set(counted, 'room|2|1');
    const pieces = expiredPieces(w.store, NOW);
    const sizes = () => aged.total + counted.total;
    for (let before = sizes(); !pieces.next().done; before = sizes()) {
      assert.ok(before - sizes() <= BACKEND_SWEEP_MESSAGES);
    }
    assert.deepEqual([numbers(aged).length, numbers(counted).length], [EXPIRY_PAGE_ROWS / 2, 1]);
    assert.equal(expire(), 0);
  });
});

describe('GPEX and SPEX', () => {
  it('tell and set the policy of each place', (t) => {
    const { w, boss } = world(t);
    const session = w.session(boss, w.room('Box'));
    const dialogue: [string, string][] = [
      ['site', '200 1|0'],
      ['mailboxes', '200 0|0'],
      ['floor', '200 0|0'],
      ['room', '200 0|0'],
      ['bogus', '512 Invalid keyword "bogus"'],
      ['', '512 Invalid keyword ""'],
    ];
    for (const [which, answer] of dialogue) assert.equal(run(session, gpex, which), `${answer}\n`);
    const changes: [string, string][] = [
      ['room|3|30', "200 Room expire policy for 'Box' has been updated."],
      ['floor|2|100', '200 Floor expire policy has been updated.'],
      ['mailboxes|3|90', '200 Default expire policy for mailboxes set.'],
      ['site|3|365', '200 Site expire policy has been updated.'],
      ['site|0|0', '512 Invalid policy (no higher level)'],
      ['room|9|0', '512 Invalid policy.'],
      ['room|2|0', '512 Invalid policy.'],
      ['room|3|-1', '512 Invalid policy.'],
      [`room|3|${MAX_EXPIRY_VALUE + 1}`, '512 Invalid policy.'],
      ['bogus|1|0', "512 Invalid keyword 'bogus'"],
    ];
    for (const [args, answer] of changes) assert.equal(run(session, spex, args), `${answer}\n`, args);
    for (const [which, answer] of [
      ['room', '200 3|30\n'],
      ['floor', '200 2|100\n'],
      ['mailboxes', '200 3|90\n'],
      ['site', '200 3|365\n'],
    ] as const) {
      assert.equal(run(session, gpex, which), answer);
    }
    assert.match(run(session, spex, `room|3|${MAX_EXPIRY_VALUE}`), /^200 /);
  });

  it('are set by those who administer the place only', (t) => {
    const { w, ann } = world(t);
    const box = w.room('Box');
    const session = w.session(ann, box);
    for (const which of ['room', 'floor', 'mailboxes', 'site', 'bogus']) {
      assert.equal(run(session, spex, `${which}|1|0`), '550 Higher access required.\n', which);
    }
    updateRoom(w.store, box, { admin: ann.id });
    assert.match(run(session, spex, 'room|1|0'), /^200 /);
    for (const which of ['floor', 'mailboxes', 'site'])
      assert.match(run(session, spex, `${which}|1|0`), /^550 /, which);
    assert.match(run(w.session(undefined, box), spex, 'room|1|0'), /^550 /);
  });
});

describe('the daily removal', () => {
  const HOUR = 3_600_000;
  /** 11 in the morning, local time */
  const start = new Date(2030, 4, 10, 11).getTime();

  async function site(t: TestContext) {
    t.mock.timers.enable({ apis: ['Date', 'setInterval'], now: start });
    const world = await startRoomServer(t);
    const admin = await WireClient.login(world.socketPath, 'admin', 'adminpw');
    t.after(() => admin.close());
    await admin.expect('CRE8 1|Box|0', 200);
    await admin.expect('GOTO Box', 200);
    await admin.expect('SPEX room|3|1', 200);
    await admin.send('ENT0 1||0|1|x||1', 'text');
    const passes = async (hours: number) => {
      t.mock.timers.tick(hours * HOUR);
      await world.server.housekeeper.done();
      return (await admin.expect('MSGS ALL', 100)).lines.length;
    };
    return { world, admin, passes };
  }

  it('comes once a day, at the hour of c_purge_hour', async (t) => {
    const { admin, passes } = await site(t);
    await admin.expect('CONF PUTVAL|c_purge_hour|15', 200);
    assert.equal(await passes(3), 1); // 14 h
    assert.equal(await passes(2), 1); // 16 h: the message is not old enough yet
    assert.equal(await passes(22), 1); // 14 h of the next day: now it is
    assert.equal(await passes(2), 0); // 16 h
  });

  it('comes at most once a day, whatever the hour is set to', async (t) => {
    const { world, admin, passes } = await site(t);
    let runs = 0;
    const { setConfig } = world.store;
    world.store.setConfig = (name: string, value: string) => {
      if (name === 'last_purge') runs++;
      setConfig.call(world.store, name, value);
    };
    for (const hour of ['99', '-5', 'x', '23']) {
      await admin.expect(`CONF PUTVAL|c_purge_hour|${hour}`, 200);
      runs = 0;
      for (let i = 0; i < 24; i++) await passes(1);
      assert.ok(runs <= 2, `${runs} with ${hour}`);
    }
  });

  it('is made up for by a server that did not run at that hour', async (t) => {
    const { world, passes } = await site(t);
    assert.equal(await passes(1), 1);
    world.server.housekeeper.stop();
    t.mock.timers.setTime(start + 50 * HOUR);
    world.server.housekeeper.check();
    assert.equal(await passes(0), 1, 'a housekeeper that was stopped does nothing');
    const next = new Housekeeper(world.store, assert.ifError);
    t.after(() => next.stop());
    await next.done();
    assert.equal(await passes(0), 0);
  });

  it('comes at once when an administrator sends TDAP', async (t) => {
    const { world, admin, passes } = await site(t);
    await admin.expect('CONF PUTVAL|c_purge_hour|10', 200);
    assert.equal(await passes(22.5), 1);
    await admin.expect('SPEX room|2|1', 200);
    await admin.send('ENT0 1||0|1|y||1', 'text');
    assert.equal(await admin.text('TDAP'), '200 Manually initiating a purger run now.');
    await world.server.housekeeper.done();
    assert.equal(await passes(0), 1);
    await admin.expect('LOUT', 200);
    await admin.expect('TDAP', 520);
  });
});
