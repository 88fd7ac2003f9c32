// iCalendar and vCard objects. What is read is written and read again as the same; it is shown, searched, matched and
// expanded within a budget.

import { deepEqual } from 'node:assert/strict';
import { matchesCalendar } from '../../../src/mime/objects/calendar-filter.ts';
import { calendarText } from '../../../src/mime/objects/calendar-text.ts';
import { cardText } from '../../../src/mime/objects/card-text.ts';
import { checkCalendar, checkCard } from '../../../src/mime/objects/check-calendar.ts';
import { parseObject, writeComponent } from '../../../src/mime/objects/components.ts';
import type { Component } from '../../../src/mime/objects/content-lines.ts';
import { expandCalendar } from '../../../src/mime/objects/expand.ts';
import { busyPeriods } from '../../../src/mime/objects/free-busy.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { peopleOnCard } from '../../../src/mime/objects/properties.ts';
import { atOnce } from '../../../src/system/steps.ts';
import { component, FILTERS, RANGES } from '../../mime/objects/calendar-random.ts';
import { BERLIN_2026, EASTERN, event } from '../../mime/objects/calendars.ts';
import { mailBytes, mailNames } from '../../support/mails.ts';
import { type Random, randomFrom } from '../../support/random.ts';
import { toEnd } from '../../support/to-end.ts';
import type { Target } from '../engine.ts';

const STEPS = 2000;
const zone = namedZone('Europe/Berlin')!;
const invitations = mailNames()
  .map((name) => /BEGIN:VCALENDAR.*END:VCALENDAR/s.exec(mailBytes(name).toString('latin1'))?.[0] ?? '')
  .filter((text) => text !== '');
const random = randomFrom(1);
const CALENDARS = [
  [...EASTERN, ...event('DTSTART;TZID=America/New_York:20260105T100000', 'RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=9')],
  [...BERLIN_2026, ...event('DTSTART;TZID=Europe/Berlin:20260105T100000', 'DURATION:PT1H', 'RDATE:20260107T100000Z')],
  ...Array.from({ length: 20 }, () => [component(random, 2)]),
].map((lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n'));
const CARD = [
  'BEGIN:VCARD',
  'VERSION:3.0',
  'UID:a',
  'FN:Ada Lovelace',
  'N:Lovelace;Ada;;;',
  'item1.EMAIL;TYPE=work;TYPE=pref:ada@example.org',
  'ADR;TYPE=home:;;1 Street;Town;;12345;Land',
  'NOTE:a\\, b\\nc',
  'PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo=',
  'END:VCARD',
  '',
].join('\r\n');

/** With a line or a component of another one more, with one less, or with a value changed. */
export function varied(input: Buffer, other: Buffer, random: Random): Buffer {
  const lines = input.toString().split('\r\n');
  const others = other.toString().split('\r\n');
  const at = 1 + random(Math.max(1, lines.length - 2));
  const from = random(others.length);
  const isFrame = (line = '') => /^(?:BEGIN|END):/i.test(line);
  const change = random(4);
  if (change === 0 && !isFrame(lines[at])) lines.splice(at, 1);
  else if (change === 1 && !isFrame(others[from])) lines.splice(at, 0, others[from]!);
  else if (change === 2 && others[from]?.startsWith('BEGIN:')) {
    const end = others.indexOf(others[from].replace('BEGIN:', 'END:'), from);
    if (end > 0 && from > 0) lines.splice(at, 0, ...others.slice(from, end + 1));
  } else if (!isFrame(lines[at])) {
    const line = lines[at] ?? '';
    const [name = ''] = line.split(/[:;]/);
    const values = others.filter((each) => each.startsWith(name));
    const value = values[random(Math.max(1, values.length))] ?? line;
    lines[at] = random(2) === 0 ? value.replace(/\d+/, String(random(100))) : value;
  }
  return Buffer.from(lines.join('\r\n'));
}

/** Numbers of lines change where lines are folded anew. */
const withoutNumbers = (object: Component | undefined): unknown =>
  JSON.parse(JSON.stringify(object, (key, value: unknown) => (key === 'number' ? undefined : value)));

export const calendar: Target = {
  vary: varied,
  name: 'calendar',
  seeds: [...CALENDARS, ...invitations].map((text) => Buffer.from(text)),
  words: (
    'BEGIN:VEVENT END:VEVENT BEGIN:VTODO BEGIN:VALARM BEGIN:VTIMEZONE BEGIN:STANDARD RRULE:FREQ=YEARLY;BYDAY=-1SU ' +
    'RRULE:FREQ=SECONDLY EXDATE:20260105T100000Z RDATE;VALUE=PERIOD:20260105T100000Z/PT1H DURATION:P1W ;TZID= ' +
    'RECURRENCE-ID:20260105T100000Z DTSTART;VALUE=DATE:20260105 DUE:20260105 ;VALUE=DATE BYSETPOS=-1 INTERVAL=999 ' +
    'COUNT=3 UNTIL=20270101 TRIGGER:-PT15M \\n \\, ^n \r\n\u0020 TZOFFSETTO:+0100 TRANSP:TRANSPARENT'
  ).split(' '),
  run(input) {
    const text = input.toString();
    checkCalendar(text, ['VEVENT', 'VTODO']);
    calendarText(text);
    const { object, fault } = parseObject(text);
    if (fault !== undefined) return `refused: ${fault.replace(/[^ a-z].*/s, '')}`;
    deepEqual(withoutNumbers(parseObject(writeComponent(object)).object), withoutNumbers(object));
    for (const range of RANGES) {
      const budget = { steps: STEPS };
      for (const filter of FILTERS) atOnce(matchesCalendar(object, filter(range), zone, budget));
      writeComponent(toEnd(expandCalendar(object, range, zone, { steps: STEPS })).calendar);
      atOnce(busyPeriods(object, range, zone, budget));
    }
    return 'read';
  },
};

export const card: Target = {
  vary: varied,
  name: 'card',
  seeds: [CARD, CARD.replace('3.0', '4.0').replaceAll('TYPE=', 'X-A='), CARD.replaceAll('\r\n', '\n')].map((text) =>
    Buffer.from(text),
  ),
  words: 'BEGIN:VCARD END:VCARD VERSION:4.0 KIND:group MEMBER:urn:uuid:a EMAIL: ;TYPE="a,b" ;PREF=1 \\; \\n \r\n\u0020'
    .concat(' ENCODING=QUOTED-PRINTABLE =0D=0A= CHARSET=UTF-8 TEL: a.b.c: ^^')
    .split(' '),
  run(input) {
    const text = input.toString();
    checkCard(text);
    cardText(text);
    peopleOnCard(text);
    const { object, fault } = parseObject(text);
    if (fault !== undefined) return `refused: ${fault.replace(/[^ a-z].*/s, '')}`;
    deepEqual(withoutNumbers(parseObject(writeComponent(object)).object), withoutNumbers(object));
    return 'read';
  },
};
