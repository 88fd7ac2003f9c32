// Events and tasks in words.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_DESCRIBED_OBJECTS, MAX_RECURRENCE_CHARACTERS } from '../../../src/limits/mime.ts';
import { calendarText } from '../../../src/mime/objects/calendar-text.ts';
import { parseDateTime } from '../../../src/mime/objects/calendar-time.ts';
import { recurrenceInWords } from '../../../src/mime/objects/recurrence.ts';

const calendar = (method: string, ...lines: string[]): string =>
  ['BEGIN:VCALENDAR', method && `METHOD:${method}`, 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join(
    '\r\n',
  );

const when = (...lines: string[]): string | undefined =>
  /^When: (.*)$/m.exec(calendarText(calendar('', ...lines)))?.[1];

describe('calendarText', () => {
  it('says what, when, where and who', () => {
    const text = calendarText(
      calendar(
        'REQUEST',
        'SUMMARY:Budget\\, second round',
        'DTSTART;TZID=Europe/Berlin:20260603T100000',
        'DTEND;TZID=Europe/Berlin:20260603T113000',
        'RRULE:FREQ=WEEKLY;COUNT=3',
        'LOCATION:Room 5\\nsecond floor',
        'ORGANIZER;CN="Weiß, Jörg":mailto:joerg@example.org',
        'ATTENDEE;CN=Alice;PARTSTAT=NEEDS-ACTION:MAILTO:alice@example.org',
        'ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org',
        'DESCRIPTION:Bring\\nthe numbers.',
        'BEGIN:VALARM',
        'DESCRIPTION:not this',
        'END:VALARM',
      ),
    );
    assert.equal(
      text,
      [
        'Invitation: Budget, second round',
        'When: Wednesday, 3 June 2026, 10:00 – 11:30 (Europe/Berlin)',
        'Repeats: every week, 3 times',
        'Where: Room 5, second floor',
        'Organiser: Weiß, Jörg <joerg@example.org>',
        'Attendees: Alice <alice@example.org> (no answer yet), bob@example.org (accepted)',
        '',
        'Bring',
        'the numbers.',
        '',
      ].join('\n'),
    );
  });

  it('says what is asked of the reader', () => {
    const heading = (method: string, ...lines: string[]) =>
      calendarText(calendar(method, 'SUMMARY:x', ...lines)).split('\n')[0];
    assert.equal(heading(''), 'Event: x');
    assert.equal(heading('PUBLISH'), 'Event: x');
    assert.equal(heading('reply'), 'Answer: x');
    assert.equal(heading('CANCEL'), 'Cancelled: x');
    assert.equal(heading('REQUEST', 'STATUS:CANCELLED'), 'Cancelled: x');
    assert.equal(
      calendarText('BEGIN:VTODO\nDUE:20260603\nEND:VTODO\n'),
      'Task: (no title)\nDue: Wednesday, 3 June 2026\n',
    );
  });

  it('says when: days, spans, zones, durations', () => {
    assert.equal(when('DTSTART;VALUE=DATE:20260603'), 'Wednesday, 3 June 2026');
    assert.equal(when('DTSTART;VALUE=DATE:20260603', 'DTEND;VALUE=DATE:20260604'), 'Wednesday, 3 June 2026');
    assert.equal(
      when('DTSTART;VALUE=DATE:20260630', 'DTEND;VALUE=DATE:20260703'),
      'Tuesday, 30 June 2026 – Thursday, 2 July 2026',
    );
    assert.equal(when('DTSTART:20260603T080000Z', 'DURATION:PT1H30M'), 'Wednesday, 3 June 2026, 08:00 – 09:30 (UTC)');
    assert.equal(when('DTSTART:20260603T080000'), 'Wednesday, 3 June 2026, 08:00');
    assert.equal(
      when('DTSTART;TZID=Europe/Berlin:20260603T230000', 'DTEND;TZID=America/New_York:20260603T210000'),
      'Wednesday, 3 June 2026, 23:00 (Europe/Berlin)',
      'an end that is no later is left out',
    );
    assert.equal(
      when('DTSTART;TZID=Europe/Berlin:20260603T230000', 'DTEND;TZID=Europe/London:20260604T010000'),
      'Wednesday, 3 June 2026, 23:00 (Europe/Berlin) – Thursday, 4 June 2026, 01:00 (Europe/London)',
    );
    assert.equal(when('DTSTART:tomorrow'), undefined);
    assert.match(when('DTSTART:99991231T235959', 'DURATION:P999999W')!, /9999/);
  });

  it('describes as many entries as the bound and counts the others', () => {
    const entries = (count: number) => calendarText('BEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\n'.repeat(count));
    assert.doesNotMatch(entries(MAX_DESCRIBED_OBJECTS), /more/);
    assert.match(entries(MAX_DESCRIBED_OBJECTS + 1), /\nand 1 more\n$/);
  });

  it('is empty where there is no entry', () => {
    for (const text of ['', 'hello', 'BEGIN:VCALENDAR\nEND:VCALENDAR\n']) assert.equal(calendarText(text), '');
  });
});

describe('recurrenceInWords', () => {
  it('says no rule that is longer than the bound', () => {
    const rule = (length: number) => 'FREQ=DAILY'.padEnd(length, ';');
    assert.equal(recurrenceInWords(rule(MAX_RECURRENCE_CHARACTERS)), 'every day');
    assert.equal(recurrenceInWords(rule(MAX_RECURRENCE_CHARACTERS + 1)), 'by a rule of its own');
  });

  const rules: Record<string, string> = {
    'FREQ=DAILY': 'every day',
    'FREQ=DAILY;INTERVAL=2;COUNT=5': 'every 2 days, 5 times',
    'FREQ=WEEKLY;BYDAY=MO,WE,FR;WKST=MO': 'every week on Monday, Wednesday and Friday',
    'FREQ=MONTHLY;BYDAY=-1FR': 'every month on the last Friday',
    'FREQ=MONTHLY;BYMONTHDAY=15': 'every month on day 15',
    'FREQ=MONTHLY;BYMONTHDAY=-1': 'every month on the last day of the month',
    'FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=3;UNTIL=20300101': 'every year on 3 June, until Tuesday, 1 January 2030',
    'FREQ=YEARLY;BYDAY=1SU;BYMONTH=4': 'every year on the first Sunday in April',
    'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1': 'every month, by further rules',
    'FREQ=MONTHLY;BYDAY=9MO': 'every month, by further rules',
    'FREQ=SOMETIMES': 'by a rule of its own',
    '': 'by a rule of its own',
  };
  for (const [rule, words] of Object.entries(rules)) {
    it(`${rule || '(nothing)'}: ${words}`, () => assert.equal(recurrenceInWords(rule), words));
  }
});

describe('parseDateTime', () => {
  it('takes the digits as UTC', () => {
    const times: [string, number | undefined][] = [
      ['20261201T090001Z', 1796115601],
      ['20261201T090000', 1796115600],
      ['20261201', 1796083200],
      ['20261201T090060Z', 1796115659],
      ['20261201T0900', 1796115600],
      ['20261201T090061', undefined],
      ['20261201T240000', undefined],
      ['20261201T096000', undefined],
      ['20261201X090000', undefined],
      ['20261201T090000X', undefined],
      ['20261301', undefined],
      ['20260229', undefined],
      ['20280229', 1835395200],
      ['00990101', -59042995200],
      ['tomorrow', undefined],
      ['', undefined],
    ];
    for (const [text, time] of times) assert.equal(parseDateTime(text)?.seconds, time, text);
  });
});

describe('a changed series', () => {
  const event = (...lines: string[]): string =>
    calendarText(['BEGIN:VEVENT', 'SUMMARY:Tea', ...lines, 'END:VEVENT', ''].join('\r\n'));

  it('says which one of it is meant', () => {
    assert.equal(
      event('DTSTART:20260702T090000', 'RECURRENCE-ID;TZID=Europe/Berlin:20260701T090000'),
      'Event: Tea\nWhen: Thursday, 2 July 2026, 09:00\nOnly the one of: Wednesday, 1 July 2026, 09:00 (Europe/Berlin)\n',
    );
  });

  it('says when it does not take place, and counts what would be too much', () => {
    const days = ['EXDATE;VALUE=DATE:20260701,20260702', 'EXDATE:20260703T090000Z'];
    assert.equal(
      event(...days),
      'Event: Tea\nExcept: Wednesday, 1 July 2026; Thursday, 2 July 2026; Friday, 3 July 2026\n',
    );
    assert.match(event(`EXDATE:${'20260701,'.repeat(12)}x`), /^Event: Tea\nExcept: (?:[^;]*; ){10}and 2 more\n$/);
  });
});
