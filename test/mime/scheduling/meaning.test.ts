// What a change of an event means to those who are invited (RFC 5546 section 2.1.4).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentKey, datesOf, isRescheduled, lengthIn } from '../../../src/mime/scheduling/meaning.ts';
import { calendarOf, ONCE, PEOPLE, scheduling, WEEKLY } from './objects.ts';

const ID = Date.UTC(2026, 0, 12, 10) / 1000;
const master = (...lines: string[]) => {
  const object = scheduling(calendarOf(lines));
  return { component: object.parts.get(undefined)!, times: object.times };
};
const isSame = (one: string[], other: string[]): boolean => {
  const [before, after] = [master(...one), master(...other)];
  return contentKey(before.component, before.times) === contentKey(after.component, after.times);
};

test('Components say the same, whatever is each user’s own, and in whatever order it is written', () => {
  assert.ok(isSame(ONCE, [...ONCE].reverse()));
  for (const own of ['SEQUENCE:3', 'TRANSP:TRANSPARENT', 'X-APPLE:1', 'REQUEST-STATUS:2.0', 'LAST-MODIFIED:20270101']) {
    assert.ok(isSame(ONCE, [...ONCE, own]), own);
  }
  assert.ok(
    isSame(
      PEOPLE,
      PEOPLE.map((line) => line.replace('NEEDS-ACTION', 'ACCEPTED')),
    ),
    'answers',
  );
  for (const news of ['LOCATION:Room 4', 'ATTENDEE:mailto:dora@vm', 'RRULE:FREQ=DAILY', 'STATUS:CANCELLED']) {
    assert.ok(!isSame(ONCE, [...ONCE, news]), news);
  }
});

test('An event is rescheduled by another start or another length', () => {
  const is = (...lines: string[]) =>
    isRescheduled(scheduling(calendarOf(ONCE)), scheduling(calendarOf(lines)), undefined);
  assert.equal(is(...ONCE), false);
  assert.equal(is('DTSTART;TZID=Europe/Berlin:20260105T110000', 'DURATION:PT1H'), false, 'the same in other words');
  assert.equal(is('DTSTART:20260105T100000Z', 'DTEND:20260105T110100Z'), true);
  assert.equal(is('DTSTART:20260105T100001Z', 'DURATION:PT1H'), true);
  assert.equal(is('DTSTART;VALUE=DATE:20260105'), true);
});

test('A series is rescheduled by more instances, not by fewer', () => {
  const is = (before: string[], after: string[]) =>
    isRescheduled(scheduling(calendarOf([...ONCE, ...before])), scheduling(calendarOf([...ONCE, ...after])), undefined);
  const [weekly, until] = ['RRULE:FREQ=WEEKLY', 'RRULE:FREQ=WEEKLY;UNTIL=20260201T000000Z'];
  assert.equal(is([weekly], [until]), false);
  assert.equal(is([until], [weekly]), true);
  assert.equal(is([weekly], []), false, 'the series ends');
  assert.equal(is([], [weekly]), true);
  assert.equal(is([weekly], ['RRULE:FREQ=DAILY']), true);
  assert.equal(is([weekly], ['RRULE:freq=weekly']), false);
  const [date, out] = ['RDATE:20260301T100000Z', 'EXDATE:20260112T100000Z'];
  assert.equal(is([weekly], [weekly, date]), true);
  assert.equal(is([weekly, date], [weekly]), false);
  assert.equal(is([weekly], [weekly, out]), false);
  assert.equal(is([weekly, out], [weekly]), true, 'an instance is back');
});

test('A new override is compared with the instance that it replaces', () => {
  const before = scheduling(calendarOf(WEEKLY));
  const is = (...lines: string[]) =>
    isRescheduled(before, scheduling(calendarOf(WEEKLY, ['RECURRENCE-ID:20260112T100000Z', ...lines])), ID);
  assert.equal(is('DTSTART:20260112T100000Z', 'DTEND:20260112T110000Z', 'SUMMARY:other'), false);
  assert.equal(is('DTSTART:20260112T100000Z', 'DTEND:20260112T113000Z'), true);
  assert.equal(is('DTSTART:20260112T140000Z', 'DTEND:20260112T150000Z'), true);
  assert.equal(isRescheduled(before, before, ID), false, 'there is no override');
});

test('A length is in seconds, of a task without a start the instant when it is due', () => {
  const length = (...lines: string[]) => {
    const { component, times } = master(...lines);
    return lengthIn(component, times);
  };
  assert.equal(length(...WEEKLY), 3600, 'of one instance');
  assert.equal(length('DTSTART:20260105T100000Z'), 0);
  assert.equal(length('DTSTART;VALUE=DATE:20260105'), 86_400);
  const task = scheduling(calendarOf(['DUE:20260105T100000Z']).replaceAll('VEVENT', 'VTODO'));
  assert.equal(lengthIn(task.parts.get(undefined)!, task.times), Date.UTC(2026, 0, 5, 10) / 1000);
});

test('Dates are those of all lines of a name', () => {
  const { component, times } = master(
    'EXDATE:20260112T100000Z,x',
    'EXDATE;TZID=Europe/Berlin:20260112T110000',
    'RDATE:20260113',
  );
  assert.deepEqual([...datesOf(component, 'EXDATE', times)], [ID]);
});
