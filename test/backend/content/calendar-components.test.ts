// Components of iCalendar texts, taken apart and put together.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { componentSteps, componentsOf, oneCalendar } from '../../../src/backend/verbs/citadel/calendar.ts';

const EVENT = [
  'BEGIN:VEVENT',
  'UID:u1',
  'DTSTART;TZID="Europe/Berlin":20260105T100000',
  'SUMMARY:a',
  ' b',
  'END:VEVENT',
];
const ZONE = ['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'BEGIN:STANDARD', 'END:STANDARD', 'END:VTIMEZONE'];
const TODO = [
  'begin:vtodo ',
  'uid:u2',
  'DUE;TZID=Mars:20260105T100000',
  'BEGIN:VALARM',
  'UID:alarm',
  'END:VALARM',
  'end:VTODO',
];
const text = (end: string, ...parts: string[][]) => parts.flat().join(end);

describe('the components of a calendar', () => {
  it('are found in order, with UID, zone and the zones they name, however their lines end', () => {
    for (const end of ['\n', '\r\n']) {
      const found = [...componentsOf(text(end, ['BEGIN:VCALENDAR', 'X:1'], ZONE, EVENT, TODO, ['END:VCALENDAR', '']))];
      assert.deepEqual(
        found.map(({ kind, uid, zoneKey, zoneNames }) => [kind, uid, zoneKey, zoneNames]),
        [
          ['VTIMEZONE', '', 'EUROPE/BERLIN', []],
          ['VEVENT', 'u1', '', ['EUROPE/BERLIN']],
          ['VTODO', 'u2', '', ['MARS']],
        ],
      );
      assert.deepEqual(found[1]!.lines, EVENT);
    }
  });

  it('are those that have an end; one inside another is a part of it', () => {
    const cut = text('\n', EVENT, EVENT.slice(0, 3));
    assert.deepEqual([...componentsOf(cut)].length, 1);
    const nested = text('\n', EVENT.slice(0, 3), TODO, ['END:VEVENT']);
    assert.deepEqual(
      [...componentsOf(nested)].map(({ kind, lines }) => [kind, lines.length]),
      [['VEVENT', 11]],
    );
    for (const nothing of ['', '\n\n', 'BEGIN:VNOTE\nEND:VNOTE', 'END:VEVENT']) {
      assert.deepEqual([...componentsOf(nothing)], [], nothing);
    }
  });

  it('name zones over folded lines', () => {
    const folded = [
      'BEGIN:VEVENT',
      'DTSTART;TZ',
      ' ID=A:20260105T100000',
      'DTEND;TZID',
      '\t=B:20260105T110000',
      'END:VEVENT',
    ];
    assert.deepEqual([...componentsOf(text('\n', folded))][0]!.zoneNames, ['A', 'B']);
  });

  it('let others have their turn after every thousand lines', () => {
    const long = ['BEGIN:VEVENT', ...Array.from({ length: 2998 }, () => 'X:1'), 'END:VEVENT'];
    const pieces = [...componentSteps(text('\n', long))].map((found) => found?.kind);
    assert.deepEqual(pieces, [undefined, undefined, undefined, 'VEVENT']);
  });
});

describe('one calendar of several', () => {
  it('has each zone once, all events, and lines that are folded and end as they must', () => {
    const long = ['BEGIN:VEVENT', `SUMMARY:${'é'.repeat(100)}`, 'END:VEVENT'];
    const components = [...componentsOf(text('\n', ZONE, EVENT, ZONE, EVENT, long))];
    const made = [...oneCalendar(components)].join('');
    assert.ok(made.endsWith('END:VCALENDAR\r\n') && made.startsWith('BEGIN:VCALENDAR\r\n'));
    assert.doesNotMatch(made, /[^\r]\n/);
    assert.ok(made.split('\r\n').every((line) => Buffer.byteLength(line) <= 75));
    assert.deepEqual([made.match(/BEGIN:VTIMEZONE/g)!.length, made.match(/BEGIN:VEVENT/g)!.length], [1, 3]);
    assert.deepEqual(
      [...componentsOf(made)].map(({ kind }) => kind),
      ['VTIMEZONE', 'VEVENT', 'VEVENT', 'VEVENT'],
    );
  });

  it('of nothing is an empty one', () => {
    assert.match([...oneCalendar([])].join(''), /^BEGIN:VCALENDAR\r\n(?:.+\r\n)*END:VCALENDAR\r\n$/);
  });
});
