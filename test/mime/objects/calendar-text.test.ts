// Events and tasks in words.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_DESCRIBED_OBJECTS, MAX_NAMED_EXCEPTIONS } from '../../../src/limits/mime.ts';
import { calendarText } from '../../../src/mime/objects/calendar-text.ts';

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
    assert.equal(heading('reply'), 'Reply: x');
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

describe('a changed series', () => {
  const event = (...lines: string[]): string =>
    calendarText(['BEGIN:VEVENT', 'SUMMARY:Tea', ...lines, 'END:VEVENT', ''].join('\r\n'));

  it('says which one of it is meant', () => {
    assert.equal(
      event('DTSTART:20260702T090000', 'RECURRENCE-ID;TZID=Europe/Berlin:20260701T090000'),
      'Event: Tea\nWhen: Thursday, 2 July 2026, 09:00\nOnly on: Wednesday, 1 July 2026, 09:00 ' + '(Europe/Berlin)\n',
    );
  });

  it('says when it does not take place, and counts what would be too much', () => {
    const days = ['EXDATE;VALUE=DATE:20260701,20260702', 'EXDATE:20260703T090000Z'];
    assert.equal(
      event(...days),
      'Event: Tea\nExcept: Wednesday, 1 July 2026; Thursday, 2 July 2026; Friday, 3 July 2026\n',
    );
    const except = (count: number) => event(`EXDATE:${'20260701,'.repeat(count)}x`);
    assert.equal(except(MAX_NAMED_EXCEPTIONS).match(/1 July 2026/g)?.length, MAX_NAMED_EXCEPTIONS);
    assert.doesNotMatch(except(MAX_NAMED_EXCEPTIONS), /more/);
    assert.equal(except(MAX_NAMED_EXCEPTIONS + 1).match(/1 July 2026/g)?.length, MAX_NAMED_EXCEPTIONS);
    assert.match(except(MAX_NAMED_EXCEPTIONS + 1), /; and 1 more\n$/);
  });
});
