// When somebody is busy.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setProperty } from '../../../src/backend/store/dead-properties.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { busyTimes } from '../../../src/backend/verbs/scheduling.ts';
import { MAX_OCCURRENCES } from '../../../src/limits/mime.ts';
import { Stretch, TurnQueue } from '../../../src/system/turn-queue.ts';
import { event } from '../../support/member-world.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

const at = (hour: number) => Date.UTC(2024, 4, 1, hour) / 1000;
const DAY = { start: at(0), end: at(24) };

function world(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const [calendar, tasks] = [personalRoom(w.store, ann, 'Calendar'), personalRoom(w.store, ann, 'Tasks')];
  let turns = 0;
  const turn = Object.assign(new Stretch(new TurnQueue(), 0), { next: async () => void turns++ });
  const put = (uid: string, hour: number, more = '', room: StoredRoom = calendar) =>
    saveIn(w, room, {
      euid: uid,
      type: 'text/calendar',
      text: event(uid, `20240501T${String(hour).padStart(2, '0')}0000Z`, more),
    });
  const busy = async (range = DAY, steps = 10_000, rooms = [calendar, tasks]) =>
    (await busyTimes(w.store, rooms, range, { steps }, turn)).map(({ type, start, end }) => [type, start, end]);
  return { w, calendar, tasks, put, busy, turnsOfOthers: () => turns };
}

describe('busy times', () => {
  it('are those of events, merged, in order, cut to the range', async (t) => {
    const { put, busy, tasks } = world(t);
    put('late', 15);
    put('early', 10);
    put('next', 11);
    put('free', 18, 'TRANSP:TRANSPARENT');
    put('task', 20, '', tasks);
    assert.deepEqual(await busy(), [
      ['BUSY', at(10), at(12)],
      ['BUSY', at(15), at(16)],
    ]);
    assert.deepEqual(await busy({ start: at(11) + 60, end: at(13) }), [['BUSY', at(11) + 60, at(12)]]);
    assert.deepEqual(await busy({ start: at(12), end: at(15) }), []);
  });

  it('do not come from a calendar that its owner does not count', async (t) => {
    const { w, calendar, put, busy } = world(t);
    put('a', 10);
    const name = 'urn:ietf:params:xml:ns:caldav schedule-calendar-transp';
    const set = (value: string) => setProperty(w.store, calendar.id, { member: '', name }, value);
    set('<C:opaque xmlns:C="urn:ietf:params:xml:ns:caldav"/>');
    assert.equal((await busy()).length, 1);
    set('<C:transparent xmlns:C="urn:ietf:params:xml:ns:caldav"/>');
    assert.deepEqual(await busy(), []);
  });

  it('are read page after page, and what is no calendar object is passed over', async (t) => {
    const { w, calendar, put, busy } = world(t);
    for (let i = 0; i < 120; i++) put(`n${i}`, 10);
    saveIn(w, calendar, { euid: 'broken', type: 'text/calendar', text: 'BEGIN:VCALENDAR' });
    put('last', 15);
    assert.deepEqual(await busy(), [
      ['BUSY', at(10), at(11)],
      ['BUSY', at(15), at(16)],
    ]);
  });

  it('leave others their turn with each calendar, be it empty', async (t) => {
    const { calendar, busy, turnsOfOthers } = world(t);
    await busy(DAY, 10_000, Array(100).fill(calendar));
    assert.equal(turnsOfOthers(), 100);
  });

  it('give each event its own budget', async (t) => {
    const { put, busy } = world(t);
    put('a', 1, 'RRULE:FREQ=HOURLY');
    put('b', 10, 'RRULE:FREQ=DAILY');
    const last = at(9 * 24 + 10);
    const found = await busy({ start: at(0), end: at(10 * 24) }, 100);
    assert.ok(!found.some(([, , end]) => end === at(10 * 24)), 'of the first not all is looked at');
    assert.ok(
      found.some(([, start]) => start === last),
      'of the second it is',
    );
  });

  it('are MAX_OCCURRENCES at most', async (t) => {
    const { w, calendar, busy } = world(t);
    const put = (uid: string, second: string) =>
      saveIn(w, calendar, {
        euid: uid,
        type: 'text/calendar',
        text: event(uid, `20240501T0000${second}Z`, 'RRULE:FREQ=SECONDLY;INTERVAL=4').replace('PT1H', 'PT1S'),
      });
    put('even', '00');
    put('odd', '02');
    assert.equal((await busy({ start: at(0), end: at(24 * 30) }, 1_000_000)).length, MAX_OCCURRENCES);
  });
});
