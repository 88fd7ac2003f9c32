import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { findFaults } from '../../../../src/backend/maintenance/check.ts';
import { Housekeeper } from '../../../../src/backend/maintenance/housekeeping.ts';
import { sweepSome } from '../../../../src/backend/maintenance/removal.ts';
import { roomByName, updateRoom } from '../../../../src/backend/store/rooms.ts';
import { databaseFile, openStore, type Store } from '../../../../src/backend/store/store.ts';
import { MAX_CALENDAR_BYTES, MAX_CALENDAR_COMPONENTS, MAX_EUID_BYTES } from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

const event = (uid: string, ...more: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20261201T090000Z', ...more, 'END:VEVENT'].join('\n');
const zone = (name: string) =>
  `BEGIN:VTIMEZONE\nTZID:${name}\nBEGIN:STANDARD\nDTSTART:19700101T000000\nEND:STANDARD\nEND:VTIMEZONE`;
const calendar = (...components: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...components, 'END:VCALENDAR'].join('\n');

/** more than are stored in one turn */
const MANY = Array.from({ length: MAX_CALENDAR_COMPONENTS / 2 }, (_, i) => event(`u${i}`, 'SUMMARY:lunch'));

/** Some of a calendar is stored, but not there for anybody yet. */
function isStaged(store: Store): boolean {
  const sql = 'SELECT 1 FROM room r JOIN room_message m ON m.room = r.id WHERE r.dropped = 2 LIMIT 1';
  return store.prepare(sql).get() !== undefined;
}

async function staged(store: Store): Promise<void> {
  for (let turn = 0; !isStaged(store); turn++) {
    assert.ok(turn < 100_000, 'nothing is stored piece by piece');
    await setImmediate();
  }
}

/** The database as it would be found after a kill: nothing else runs while it is copied. */
function imageOf(t: TestContext, folder: string): string {
  const image = mkdtempSync(join(tmpdir(), 'image-'));
  t.after(() => rmSync(image, { recursive: true }));
  for (const suffix of ['', '-wal'])
    copyFileSync(`${databaseFile(folder)}${suffix}`, `${databaseFile(image)}${suffix}`);
  return image;
}

/** Rooms that are there for nobody. */
function hidden(store: Store): number {
  return Number(store.prepare('SELECT count(*) AS n FROM room WHERE dropped <> 0').get()!.n);
}

async function world(t: TestContext) {
  const server = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const { socketPath } = server;
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  await ann.expect('GOTO _CALENDAR_', 200);
  const put = (text: string) => ann.send('ICAL putics', text);
  const uids = async () => (await ann.ask('MSGS ALL|||4')).lines.map((row) => row.split('|')[1]);
  const got = async (client = ann) => (await client.ask('ICAL getics')).lines.map((line) => line.replace(/\r$/, ''));
  return { server, socketPath, ann, put, uids, got };
}

/** A calendar with one event, which bob administers; he and an administrator are in it. */
async function teamOf(socketPath: string): Promise<{ admin: WireClient; bob: WireClient }> {
  const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
  await admin.expect('CRE8 1|Team|0|||0|3', 200);
  await admin.expect('GOTO Team', 200);
  await admin.send('ICAL putics', calendar(event('team')));
  await admin.expect('SETA bob', 200);
  const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
  await bob.expect('GOTO Team', 200);
  return { admin, bob };
}

describe('ICAL', () => {
  it('gives a room back as one calendar, each time zone once', async (t) => {
    const { put, got, uids } = await world(t);
    const zoned = (uid: string) => event(uid, 'DTEND;TZID=Europe/Berlin:20261201T110000', 'SUMMARY:Grüße\\, bis 000');
    await put(
      calendar(
        zone('Europe/Berlin'),
        zone('Unused'),
        zoned('a'),
        zoned('b'),
        event('a', 'RECURRENCE-ID:20261208T090000Z'),
      ),
    );
    assert.deepEqual(await uids(), ['a', 'b'], 'a recurrence is in the message of its event');
    const lines = await got();
    const count = (wanted: string) => lines.filter((line) => line === wanted).length;
    assert.deepEqual([lines[0], lines.at(-2), lines.at(-1)], ['BEGIN:VCALENDAR', 'END:VCALENDAR', '']);
    assert.deepEqual(
      ['BEGIN:VEVENT', 'TZID:Europe/Berlin', 'TZID:Unused', 'SUMMARY:Grüße\\, bis 000'].map(count),
      [3, 1, 0, 2],
    );
    const again = await got();
    await put(again.join('\n'));
    assert.deepEqual(await got(), again);
  });

  it('folds long lines between characters', async (t) => {
    const { put, got } = await world(t);
    await put(calendar(event('a', `SUMMARY:${'ü'.repeat(100)}`)));
    const lines = await got();
    assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75));
    assert.ok(lines.join('\n').replaceAll('\n ', '').includes('ü'.repeat(100)));
  });

  it('replaces the room by what is a calendar, and by nothing else', async (t) => {
    const { put, uids } = await world(t);
    await put(calendar(event('a'), event('b')));
    const longId = calendar(event('c'), event('d'.repeat(MAX_EUID_BYTES + 1)));
    const noCalendars = ['garbage', calendar(event('c')).slice(0, -5), 'BEGIN:VEVENT\nUID:d\nEND:VEVENT'];
    for (const rubbish of ['', ...noCalendars, longId]) {
      await put(rubbish);
      assert.deepEqual(await uids(), ['a', 'b'], JSON.stringify(rubbish));
    }
    await put(calendar(event('c')));
    assert.deepEqual(await uids(), ['c']);
    await put(calendar());
    assert.deepEqual(await uids(), []);
  });

  it('takes as many components as are stored in one go, and not one more', async (t) => {
    const { put, uids } = await world(t);
    const events = Array.from({ length: MAX_CALENDAR_COMPONENTS + 1 }, (_, i) => event(`u${i}`));
    await put(calendar(...events));
    assert.deepEqual(await uids(), []);
    await put(calendar(...events.slice(1)));
    assert.equal((await uids()).length, MAX_CALENDAR_COMPONENTS);
  });

  it('takes a calendar of as many bytes as it may have, and leaves the room as it is for a larger one', async (t) => {
    const { put, uids } = await world(t);
    const filled = (uid: string, bytes: number) => {
      const text = `${calendar(event(uid))}\nX-FILL:\n`;
      return text.replace(/:\n$/, `:${'x'.repeat(bytes - text.length)}\n`);
    };
    await put(filled('a', MAX_CALENDAR_BYTES));
    assert.deepEqual(await uids(), ['a']);
    await put(filled('b', MAX_CALENDAR_BYTES + 1));
    assert.deepEqual(await uids(), ['a']);
  });

  it('lets nobody read or replace what he may not', async (t) => {
    const { socketPath, ann, put, uids } = await world(t);
    await put(calendar(event('a')));
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    await admin.expect('CRE8 1|Team|0|||0|3', 200);
    await admin.expect('GOTO Team', 200);
    await admin.send('ICAL putics', calendar(event('team')));
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await bob.expect('GOTO 0000000002.Calendar', 572);
    await bob.expect('ICAL getics', 560);
    await bob.expect('GOTO Team', 200);
    await bob.expect('ICAL getics', 100);
    await bob.expect('ICAL putics', 550);
    await admin.expect('KICK bob', 200);
    await bob.expect('ICAL getics', 550);
    const stranger = await WireClient.connect(socketPath);
    for (const line of ['ICAL getics', 'ICAL putics']) await stranger.expect(line, 520);
    await ann.expect('GOTO Lobby', 200);
    await ann.expect('ICAL putics', 560);
    await ann.expect('GOTO _CALENDAR_', 200);
    assert.deepEqual(await uids(), ['a']);
  });

  it('does not replace for a user who loses the right while he sends', async (t) => {
    const { socketPath } = await world(t);
    const { admin, bob } = await teamOf(socketPath);
    await bob.expect('ICAL putics', 400);
    await admin.expect('SETA ', 200);
    bob.write(`${calendar(event('bob'))}\n000\n`);
    await bob.expect('NOOP', 200);
    assert.match((await admin.ask('MSGS ALL|||4')).lines.join(), /^\d+\|team\|/);
  });

  it('leaves others their turn while it stores very many, and they see all of the old or all of the new', async (t) => {
    const { server, socketPath, ann, put, uids } = await world(t);
    await put(calendar(event('a'), event('b')));
    const other = await WireClient.login(socketPath, 'ann', 'annpw');
    await other.expect('GOTO _CALENDAR_', 200);
    let isDone = false;
    const done = put(calendar(...MANY))
      .then(() => ann.expect('NOOP', 200))
      .finally(() => {
        isDone = true;
      });
    let looks = 0;
    while (!isDone) {
      const rows = (await other.expect('MSGS ALL|||4', 100)).lines.map((row) => row.split('|')[1]);
      if (isStaged(server.store)) looks++;
      assert.ok(rows.join() === 'a,b' || rows.length === MANY.length, `${rows.length} events`);
      const hits = (await other.expect('SRCH lunch', 100)).lines.length;
      assert.ok(hits === 0 || hits === MANY.length, `${hits} hits`);
    }
    await done;
    assert.ok(looks > 0, 'somebody looked meanwhile');
    assert.equal((await uids()).length, MANY.length);
    assert.equal((await other.expect('SRCH lunch', 100)).lines.length, MANY.length);
    await server.server.housekeeper.done();
    assert.deepEqual([...findFaults(server.store)], []);
    assert.equal(hidden(server.store), 0);
    assert.deepEqual(server.faults, []);
  });

  it('changes nothing when the user loses the right while it stores', async (t) => {
    const { server, socketPath } = await world(t);
    const { admin, bob } = await teamOf(socketPath);
    const done = bob.send('ICAL putics', calendar(...MANY)).then(() => bob.expect('NOOP', 200));
    await staged(server.store);
    updateRoom(server.store, roomByName(server.store, 'Team')!, { admin: null });
    await done;
    assert.match((await admin.ask('MSGS ALL|||4')).lines.join(), /^\d+\|team\|[^,]*$/);
    await server.server.housekeeper.done();
    assert.equal(hidden(server.store), 0);
    assert.deepEqual([...findFaults(server.store)], []);
  });

  it('leaves nothing behind when the server ends meanwhile', async (t) => {
    const { server, ann, put } = await world(t);
    await put(calendar(event('a')));
    ann.write(`ICAL putics\n${calendar(...MANY)}\n000\n`);
    await staged(server.store);
    await server.close();
    assert.deepEqual(server.faults, []);
    const store = openStore(server.folder);
    t.after(() => store.close());
    const housekeeper = new Housekeeper(store, assert.ifError);
    t.after(() => housekeeper.stop());
    await housekeeper.done();
    const events = store.db.prepare("SELECT exti FROM room_message WHERE exti <> ''").all();
    assert.deepEqual(
      events.map(({ exti }) => exti),
      ['a'],
    );
    assert.equal(hidden(store), 0);
    assert.deepEqual([...findFaults(store)], []);
  });

  it('has all of the old or all of the new, whenever the machine stops', async (t) => {
    const { server, ann, put } = await world(t);
    await put(calendar(event('a'), event('b')));
    const done = put(calendar(...MANY)).then(() => ann.expect('NOOP', 200));
    await staged(server.store);
    const images: string[] = [];
    // after 0, 1, 2, 4, 8 … turns
    for (let turn = 0; isStaged(server.store); turn++) {
      if ((turn & (turn - 1)) === 0) images.push(imageOf(t, server.folder));
      await setImmediate();
    }
    images.push(imageOf(t, server.folder));
    await done;
    const found = images.map((folder) => {
      const store = openStore(folder);
      while (sweepSome(store));
      assert.deepEqual([...findFaults(store)], []);
      assert.equal(hidden(store), 0);
      const { events } = store.prepare("SELECT count(*) AS events FROM room_message WHERE exti <> ''").get()!;
      store.close();
      return events;
    });
    assert.deepEqual(found, [...found.slice(0, -1).fill(2), MANY.length]);
    assert.ok(found.length > 1);
  });

  it('says what it does not do', async (t) => {
    const { ann } = await world(t);
    assert.equal(await ann.text('ICAL sgi|1'), '200 0');
    await ann.expect('ICAL test', 200);
    for (const line of ['freebusy|ann', 'conflicts|1|1', 'respond|1|1|accept', 'bogus', ''])
      await ann.expect(`ICAL ${line}`, 530);
  });
});
