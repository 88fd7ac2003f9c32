// Whose change is what kind of scheduling operation (RFC 6638 sections 3.1 and 3.2.3.1).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ANSWER_CHARACTERS } from '../../../src/limits/mime.ts';
import { isSchedulingObject, scheduleChange, withStatuses } from '../../../src/mime/scheduling/scheduling.ts';
import { ANNA, BEN, calendarOf, NOW, ONCE, PEOPLE, read, textOfCalendar } from './objects.ts';

const EVENT = calendarOf([...ONCE, ...PEOPLE]);
const PLAIN = calendarOf(ONCE);

function change(before: string | undefined, after: string | undefined, own: ReadonlySet<string>): string {
  const result = scheduleChange({
    before: before ? read(before) : undefined,
    after: after ? read(after) : undefined,
    own,
    now: NOW,
  });
  if (!result) return 'none';
  return result.fault ?? result.messages.map(({ method }) => method).join();
}

test('An object is one to schedule for its organizer and for who is invited', () => {
  assert.deepEqual(
    [ANNA, BEN, new Set(['mailto:dora@vm'])].map((own) => isSchedulingObject(read(EVENT), own)),
    [true, true, false],
  );
  assert.equal(isSchedulingObject(read(PLAIN), ANNA), false);
  assert.equal(change(PLAIN, PLAIN, ANNA), 'none');
  assert.equal(change(undefined, EVENT, new Set(['mailto:dora@vm'])), 'none');
});

test('What becomes or ceases to be a scheduling object is created or removed (RFC 6638 section 3.2.3.1)', () => {
  assert.equal(change(undefined, EVENT, ANNA), 'REQUEST');
  assert.equal(change(PLAIN, EVENT, ANNA), 'REQUEST');
  assert.equal(change(EVENT, PLAIN, ANNA), 'CANCEL');
  assert.equal(change(EVENT, undefined, ANNA), 'CANCEL');
});

test('No change gives an event to another organizer', () => {
  const other = EVENT.replace('ORGANIZER:mailto:anna', 'ORGANIZER:mailto:ben');
  assert.equal(change(EVENT, other, ANNA), 'allowed-organizer-scheduling-object-change');
  assert.equal(change(EVENT, other, BEN), 'allowed-attendee-scheduling-object-change');
  assert.equal(change(EVENT, PLAIN, BEN), 'allowed-attendee-scheduling-object-change');
  const series = calendarOf(
    ['DTSTART:20260105T100000Z', 'RRULE:FREQ=DAILY', ...PEOPLE],
    [
      'RECURRENCE-ID:20260106T100000Z',
      'DTSTART:20260106T100000Z',
      ...PEOPLE.map((line) => line.replace('ORGANIZER:mailto:anna', 'ORGANIZER:mailto:cora')),
    ],
  );
  assert.equal(change(undefined, series, ANNA), 'same-organizer-in-all-components');
});

test('Statuses are written to the lines of those whom messages went to', () => {
  const forced = EVENT.replace('ATTENDEE:mailto:cora', 'ATTENDEE;SCHEDULE-FORCE-SEND=REQUEST:mailto:cora');
  const text = textOfCalendar(withStatuses(read(forced), new Map([['mailto:cora@vm', '1.2']]), 'ATTENDEE'));
  assert.match(text, /ATTENDEE;SCHEDULE-STATUS=1\.2:mailto:cora@vm/);
  assert.match(text, /ATTENDEE;CN="Ben; B";PARTSTAT=NEEDS-ACTION:mailto:ben@vm/);
});

test('A status of more than MAX_ANSWER_CHARACTERS is not written', () => {
  const of = (length: number) => {
    const text = textOfCalendar(
      withStatuses(read(EVENT), new Map([['mailto:cora@vm', '1'.repeat(length)]]), 'ATTENDEE'),
    );
    return text.includes('SCHEDULE-STATUS');
  };
  assert.deepEqual([of(MAX_ANSWER_CHARACTERS), of(MAX_ANSWER_CHARACTERS + 1)], [true, false]);
});
