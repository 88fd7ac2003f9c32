// Events as the web client reads and changes them: what is not understood survives every change.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { readEvents as read } from '../../../static/formats/calendar.js';
// @ts-expect-error: the web client has no types
import { changeEvent, removeEvent } from '../../../static/formats/calendar-change.js';

interface Event {
  uid: string;
  title: string;
  recurrenceId: number | undefined;
  firstDay: string;
  lastDay: string;
  startTime: string;
  endTime: string;
  from: { day: string };
  isChanged: boolean;
  alarms: number[];
  attendees: { address: string; answer: string }[];
}

const ZONE = 'Europe/Berlin';
const SURROUNDINGS = { zone: ZONE, now: Date.UTC(2026, 4, 1) / 1000, uid: 'new-uid' };
const at = (text: string) => Date.parse(`${text}Z`) / 1000;

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'X-WR-CALNAME:Kept', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]) =>
  calendar('BEGIN:VEVENT', 'UID:one', 'DTSTAMP:20260101T000000Z', ...lines, 'X-ODD;A="b:c":kept\\, too', 'END:VEVENT');
const WEEKLY = event(
  'SUMMARY:Choir',
  'DTSTART;TZID=Europe/Berlin:20260505T180000',
  'DTEND;TZID=Europe/Berlin:20260505T193000',
  'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10',
  'EXDATE;TZID=Europe/Berlin:20260519T180000',
);

const eventsOf = (text: string, from = '2026-05-01T00:00', to = '2026-08-01T00:00', zone = ZONE): Event[] =>
  read(text, at(from), at(to), zone);
const starts = (text: string) => eventsOf(text).map(({ firstDay, startTime }) => `${firstDay.slice(5)} ${startTime}`);
const nth = (text: string, index: number) => eventsOf(text)[index]!;
/** the lines that only one of them has */
const changesOf = (before: string, after: string) => {
  const [old, now] = [before, after].map((text) => text.split('\r\n'));
  return [...old!.filter((line) => !now!.includes(line)), '→', ...now!.filter((line) => !old!.includes(line))];
};

describe('events', () => {
  it('are read in the zone of the reader, days as days, and what ends at midnight on the day before', () => {
    const [one] = eventsOf(event('DTSTART:20260514T083000Z', 'DTEND:20260514T220000Z', 'SUMMARY:a\\, b'));
    assert.deepEqual(
      [one!.title, one!.firstDay, one!.lastDay, one!.startTime, one!.endTime],
      ['a, b', '2026-05-14', '2026-05-14', '10:30', '00:00'],
    );
    const [days] = eventsOf(event('DTSTART;VALUE=DATE:20260514', 'DTEND;VALUE=DATE:20260516'));
    assert.deepEqual([days!.firstDay, days!.lastDay, days!.startTime], ['2026-05-14', '2026-05-15', '']);
    const [far] = eventsOf(event('DTSTART:20260514T233000Z'), '2026-05-14T00:00', '2026-05-16T00:00', 'Asia/Tokyo');
    assert.deepEqual([far!.firstDay, far!.startTime], ['2026-05-15', '08:30']);
    assert.deepEqual(eventsOf('nothing of the kind'), []);
  });

  it('of a series are each read, without exceptions and with overrides', () => {
    assert.equal(eventsOf(WEEKLY).length, 9);
    assert.deepEqual(starts(WEEKLY).slice(0, 3), ['05-05 18:00', '05-12 18:00', '05-26 18:00']);
    const changed = changeEvent(WEEKLY, { title: 'Rehearsal' }, 'this', nth(WEEKLY, 1), SURROUNDINGS)!.text;
    assert.deepEqual(
      eventsOf(changed)
        .slice(0, 3)
        .map(({ title, isChanged }) => [title, isChanged]),
      [
        ['Choir', false],
        ['Rehearsal', true],
        ['Choir', false],
      ],
    );
  });

  it('alone change in what is named and in nothing else', () => {
    const before = event(
      'DTSTART:20260514T083000Z',
      'DURATION:PT1H',
      'SUMMARY;LANGUAGE=en:Old',
      'BEGIN:VALARM',
      'ACTION:AUDIO',
      'TRIGGER:-PT15M',
      'END:VALARM',
    );
    const change = { title: 'New, and; \\ so', alarms: [900, 3600] };
    const { text } = changeEvent(before, change, 'all', nth(before, 0), SURROUNDINGS)!;
    assert.deepEqual(changesOf(before, text), [
      'DTSTAMP:20260101T000000Z',
      'SUMMARY;LANGUAGE=en:Old',
      '→',
      'DTSTAMP:20260501T000000Z',
      'SUMMARY;LANGUAGE=en:New\\, and\\; \\\\ so',
      'ACTION:DISPLAY',
      'DESCRIPTION:New\\, and\\; \\\\ so',
      'TRIGGER:-PT60M',
      'LAST-MODIFIED:20260501T000000Z',
    ]);
    assert.deepEqual(nth(text, 0).alarms, [900, 3600]);
    const from = { day: '2026-05-15', time: '09:00', zone: 'America/New_York' };
    const to = { ...from, time: '10:15' };
    const moved = changeEvent(before, { from, to }, 'all', nth(before, 0), SURROUNDINGS)!.text;
    assert.match(moved, /DTSTART;TZID=America\/New_York:20260515T090000\r\n/);
    assert.match(
      moved,
      /BEGIN:VTIMEZONE\r\nTZID:America\/New_York\r\n[\s\S]*RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\n/,
    );
    const then = { from: { ...from, day: '1996-01-15' }, to: { ...to, day: '1996-01-15' } };
    const old = changeEvent(moved, then, 'all', nth(moved, 0), SURROUNDINGS)!.text;
    assert.equal(old.split('TZID:America/New_York\r\n').length, 2, 'one zone');
    assert.match(old, /DTSTART:19950402T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z\r\n/);
    assert.doesNotMatch(moved, /DURATION/);
    assert.deepEqual([nth(moved, 0).startTime, nth(moved, 0).endTime], ['15:00', '16:15']);
  });

  it('of a series are moved alone, and then the same one again', () => {
    const move = (text: string, index: number, day: string, time: string) => {
      const from = { day, time, zone: ZONE };
      return changeEvent(
        text,
        { from, to: { day, time: '21:00', zone: ZONE } },
        'this',
        nth(text, index),
        SURROUNDINGS,
      )!.text as string;
    };
    const once = move(WEEKLY, 1, '2026-05-13', '19:00');
    const twice = move(once, 1, '2026-05-14', '20:00');
    assert.deepEqual(starts(twice).slice(0, 3), ['05-05 18:00', '05-14 20:00', '05-26 18:00']);
    assert.equal(twice.match(/BEGIN:VEVENT/g)!.length, 2);
    assert.match(twice, /RECURRENCE-ID;TZID=Europe\/Berlin:20260512T180000\r\n/);
    assert.equal(eventsOf(twice).length, 9);
  });

  it('of a series all move with their exceptions, overrides and weekday', () => {
    const changed = changeEvent(WEEKLY, { title: 'Rehearsal' }, 'this', nth(WEEKLY, 1), SURROUNDINGS)!.text;
    const from = { day: '2026-05-27', time: '17:00', zone: ZONE };
    const change = { from, to: { ...from, time: '18:30' }, place: 'Hall' };
    const { text } = changeEvent(changed, change, 'all', nth(changed, 2), SURROUNDINGS)!;
    assert.deepEqual(starts(text).slice(0, 4), ['05-06 17:00', '05-12 18:00', '05-27 17:00', '06-03 17:00']);
    assert.match(text, /RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=10\r\n/);
    assert.match(text, /EXDATE;TZID=Europe\/Berlin:20260520T170000\r\n/);
    assert.match(text, /RECURRENCE-ID;TZID=Europe\/Berlin:20260513T170000\r\n/);
    assert.equal(text.match(/LOCATION:Hall/g)!.length, 2);
    const daily = changeEvent(changed, { rule: 'FREQ=MONTHLY' }, 'all', nth(changed, 0), SURROUNDINGS)!.text;
    assert.deepEqual(starts(daily), ['05-05 18:00', '06-05 18:00', '07-05 18:00']);
  });

  it('of a series are parted where all that follow change', () => {
    const from = { day: '2026-06-03', time: '19:00', zone: ZONE };
    const change = { title: 'Late choir', from, to: { ...from, time: '20:00' } };
    const { text, added } = changeEvent(WEEKLY, change, 'following', nth(WEEKLY, 3), SURROUNDINGS)!;
    assert.deepEqual(starts(text), ['05-05 18:00', '05-12 18:00', '05-26 18:00']);
    assert.match(text, /RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260602T155959Z\r\n/);
    assert.deepEqual(
      starts(added),
      ['06-03', '06-10', '06-17', '06-24', '07-01', '07-08'].map((day) => `${day} 19:00`),
    );
    assert.equal(nth(added, 0).uid, 'new-uid');
    assert.match(added, /X-ODD;A="b:c":kept/);
    assert.deepEqual(new Set(eventsOf(added).map(({ title }) => title)), new Set(['Late choir']));
    const whole = changeEvent(WEEKLY, { title: 'All' }, 'following', nth(WEEKLY, 0), SURROUNDINGS)!;
    assert.equal(whole.added, undefined);
  });

  it('are removed one by one, from one on, or all', () => {
    const one = removeEvent(WEEKLY, 'this', nth(WEEKLY, 1), SURROUNDINGS)!.text;
    assert.deepEqual(starts(one).slice(0, 2), ['05-05 18:00', '05-26 18:00']);
    const rest = removeEvent(WEEKLY, 'following', nth(WEEKLY, 2), SURROUNDINGS)!.text;
    assert.deepEqual(starts(rest), ['05-05 18:00', '05-12 18:00']);
    assert.deepEqual(removeEvent(WEEKLY, 'all', nth(WEEKLY, 2), SURROUNDINGS), {});
    assert.deepEqual(removeEvent(WEEKLY, 'following', nth(WEEKLY, 0), SURROUNDINGS), {});
    assert.equal(removeEvent('BEGIN:VCALENDAR', 'this', { uid: 'one' }, SURROUNDINGS), undefined);
  });

  it('of whole days are as long as before where they part on a day of 25 hours', () => {
    const days = event('DTSTART;VALUE=DATE:20261010', 'DTEND;VALUE=DATE:20261012', 'RRULE:FREQ=WEEKLY');
    const autumn = eventsOf(days, '2026-10-01T00:00', '2026-12-01T00:00')[2]!;
    const { added } = changeEvent(days, { title: 'x' }, 'following', autumn, SURROUNDINGS)!;
    assert.match(added, /DTSTART;VALUE=DATE:20261024\r\nDTEND;VALUE=DATE:20261026\r\n/);
  });

  it('are not moved by a form that was sent with the times that it was filled with', () => {
    const night = event(
      'DTSTART;TZID=Europe/Berlin:20260327T013000',
      'DTEND;TZID=Europe/Berlin:20260327T023000',
      'RRULE:FREQ=DAILY',
    );
    const spring = eventsOf(night, '2026-03-29T00:00', '2026-03-29T12:00')[0]!;
    assert.deepEqual([spring.startTime, spring.endTime], ['01:30', '03:30']);
    const change = { title: 'x', from: spring.from, to: (spring as unknown as { to: object }).to };
    const { text } = changeEvent(night, change, 'all', spring, SURROUNDINGS)!;
    assert.match(text, /DTEND;TZID=Europe\/Berlin:20260327T023000\r\n/);
  });

  it('of whole days repeat and part by days', () => {
    const days = event('DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260502', 'RRULE:FREQ=MONTHLY');
    const { text, added } = changeEvent(days, { title: 'x' }, 'following', nth(days, 1), SURROUNDINGS)!;
    assert.match(text, /RRULE:FREQ=MONTHLY;UNTIL=20260531\r\n/);
    assert.match(added, /DTSTART;VALUE=DATE:20260601\r\nDTEND;VALUE=DATE:20260602\r\n/);
    const from = { day: '2026-06-02', time: '10:00', zone: ZONE };
    const timed = changeEvent(days, { from, to: { ...from, time: '11:00' } }, 'all', nth(days, 1), SURROUNDINGS)!.text;
    assert.deepEqual(starts(timed), ['05-02 10:00', '06-02 10:00', '07-02 10:00']);
  });
});
