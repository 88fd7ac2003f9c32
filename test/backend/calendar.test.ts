import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MAX_CALENDAR_COMPONENTS } from '../../src/limits.ts';
import { startRoomServer } from '../support/room-server.ts';
import { WireClient } from '../support/wire-client.ts';

const event = (uid: string, ...more: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20261201T090000Z', ...more, 'END:VEVENT'].join('\n');
const zone = (name: string) =>
  `BEGIN:VTIMEZONE\nTZID:${name}\nBEGIN:STANDARD\nDTSTART:19700101T000000\nEND:STANDARD\nEND:VTIMEZONE`;
const calendar = (...components: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...components, 'END:VCALENDAR'].join('\n');

async function world(t: TestContext) {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  await ann.expect('GOTO _CALENDAR_', 200);
  const put = (text: string) => ann.send('ICAL putics', text);
  const uids = async () => (await ann.ask('MSGS ALL|||4')).lines.map((row) => row.split('|')[1]);
  const got = async (client = ann) => (await client.ask('ICAL getics')).lines.map((line) => line.replace(/\r$/, ''));
  return { socketPath, ann, put, uids, got };
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
    for (const rubbish of ['', 'garbage', calendar(event('c')).slice(0, -5), 'BEGIN:VEVENT\nUID:d\nEND:VEVENT']) {
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
    const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
    await admin.expect('CRE8 1|Team|0|||0|3', 200);
    await admin.expect('GOTO Team', 200);
    await admin.send('ICAL putics', calendar(event('team')));
    await admin.expect('SETA bob', 200);
    const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
    await bob.expect('GOTO Team', 200);
    await bob.expect('ICAL putics', 400);
    await admin.expect('SETA ', 200);
    bob.write(`${calendar(event('bob'))}\n000\n`);
    await bob.expect('NOOP', 200);
    assert.match((await admin.ask('MSGS ALL|||4')).lines.join(), /^\d+\|team\|/);
  });

  it('says what it does not do', async (t) => {
    const { ann } = await world(t);
    assert.equal(await ann.text('ICAL sgi|1'), '200 0');
    await ann.expect('ICAL test', 200);
    for (const line of ['freebusy|ann', 'conflicts|1|1', 'respond|1|1|accept', 'bogus', ''])
      await ann.expect(`ICAL ${line}`, 530);
  });
});
