// free-busy-query: when somebody who has the events of a calendar is busy.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { CALENDAR_TYPE, eventOn, startDavWorld } from '../../../support/dav-world.ts';

const { alice, bob, newCalendar } = await startDavWorld({ after });
const calendar = await newCalendar();
const put = async (uid: string, day: string, ...lines: string[]) =>
  assert.equal((await alice('PUT', `${calendar}/${uid}.ics`, CALENDAR_TYPE, eventOn(uid, day, ...lines))).status, 201);
await put('a', '20260110', 'RRULE:FREQ=DAILY;COUNT=3');
await put('b', '20260111', 'STATUS:TENTATIVE');
await put('c', '20260112', 'TRANSP:TRANSPARENT', 'SUMMARY:secret');
const ask = (range: string, path = `${calendar}/`, as = alice) =>
  as('REPORT', path, {}, `<C:free-busy-query>${range}</C:free-busy-query>`);
const RANGE = '<C:time-range start="20260111T000000Z" end="20260112T103000Z"/>';

it('Times are those in the range, cut to it, each of its type, and nothing else of the events', async () => {
  const { status, text, headers } = await ask(RANGE);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8');
  assert.match(headers.get('cache-control')!, /no-store/);
  assert.deepEqual(
    text
      .split('\r\n')
      .filter((line) => line.startsWith('FREEBUSY'))
      .sort(),
    [
      'FREEBUSY:20260111T100000Z/PT1H',
      'FREEBUSY:20260112T100000Z/PT30M',
      'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260111T100000Z/PT1H',
    ],
  );
  assert.doesNotMatch(text, /secret|UID/);
});

it('A range has two ends, and the room is a calendar', async () => {
  assert.equal((await ask('')).status, 400);
  assert.equal((await ask('<C:time-range start="20260111T000000Z"/>')).status, 400);
  const letters = await ask(RANGE, 'r/Lobby/');
  assert.equal(letters.status, 403);
  assert.match(letters.text, /<D:supported-report\/>/);
  assert.equal((await ask(RANGE, `${calendar}/a.ics`)).status, 403, 'of calendars only');
  assert.equal((await ask(RANGE, `${calendar}/`, bob)).status, 404);
});
