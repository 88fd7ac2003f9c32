// Files of many objects are parted into what rooms store, and put together again.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkCalendar } from '../../../src/mime/objects/check-calendar.ts';
import { checkCard } from '../../../src/mime/objects/check-card.ts';
// @ts-expect-error: the web client has no types
import { joinCalendars, partObjects } from '../../../static/formats/exchange.js';
// @ts-expect-error: the web client has no types
import { hueOf, initialsOf } from '../../../static/ui/avatar.js';

const zone = (name: string) => ['BEGIN:VTIMEZONE', `TZID:${name}`, 'X-ODD:z', 'END:VTIMEZONE'];
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
const FILE = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:x',
  'METHOD:PUBLISH',
  'X-WR-CALNAME:All',
  ...zone('A'),
  ...zone('B'),
  ...event('UID:1', 'DTSTART;TZID=A:20260501T100000', 'RRULE:FREQ=DAILY'),
  ...event('UID:2', 'DTSTART:20260501T100000Z'),
  ...event('UID:1', 'RECURRENCE-ID;TZID=A:20260502T100000', 'DTSTART;TZID=B:20260502T110000'),
  ...event('DTSTART;VALUE=DATE:20260501'),
  'END:VCALENDAR',
  '',
].join('\r\n');

it('a calendar becomes an object for each UID, with the zones that it names', () => {
  const parts = partObjects(FILE, () => 'new') as { uid: string; kind: string; text: string }[];
  assert.deepEqual(
    parts.map(({ uid, text }) => [uid, text.match(/BEGIN:VTIMEZONE/g)?.length ?? 0]),
    [
      ['1', 2],
      ['2', 0],
      ['new', 0],
    ],
  );
  for (const { text } of parts) assert.equal(checkCalendar(text, ['VEVENT']).fault, undefined, text);
  const joined = joinCalendars(
    parts.map(({ text }) => text),
    'Mine',
  );
  assert.match(joined, /X-WR-CALNAME:Mine\r\n/);
  assert.equal(joined.match(/BEGIN:VEVENT/g)!.length, 4);
  assert.equal(joined.match(/BEGIN:VTIMEZONE/g)!.length, 2);
});

it('contacts of any version become such as an address book stores', () => {
  const cards = 'BEGIN:VCARD\nVERSION:2.1\nN:Feld;Ruth\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nUID:u\nFN:A\nEND:VCARD\n';
  const parts = partObjects(cards, () => 'new') as { uid: string; text: string }[];
  assert.deepEqual(
    parts.map(({ uid, text }) => [uid, checkCard(text).fault]),
    [
      ['new', undefined],
      ['u', undefined],
    ],
  );
  assert.deepEqual(partObjects('nothing'), []);
});

it('the hue and the initials of a person come from the name', () => {
  const people = ['Ruth Feld', 'Ines Duarte', 'Tomas Beck', 'Leila Nazari', 'Leon Abara', 'Maya Okafor'];
  assert.deepEqual(people.map(hueOf), [1, 0, 1, 2, 1, 5]);
  assert.deepEqual(['Ruth Anna Feld', 'ruth.feld@x.example', 'bob', '', '“Émile” zola'].map(initialsOf), [
    'RF',
    'RF',
    'B',
    '',
    'ÉZ',
  ]);
});
