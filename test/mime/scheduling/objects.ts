// Events with people for tests of scheduling, and what tests look at in the result.

import assert from 'node:assert/strict';
import { MAX_MESSAGE_CHARACTERS } from '../../../src/limits/mime.ts';
import { parseObject, writeComponent } from '../../../src/mime/objects/components.ts';
import { type Component, lineOf } from '../../../src/mime/objects/content-lines.ts';
import { attendeesOf } from '../../../src/mime/scheduling/lines.ts';
import { type SchedulingObject, schedulingObject } from '../../../src/mime/scheduling/object.ts';

export const NOW = Date.UTC(2026, 0, 1) / 1000;
export const ANNA = new Set(['mailto:anna@vm']);
export const BEN = new Set(['mailto:ben@vm']);
export const CORA = new Set(['mailto:cora@vm']);

/** A VCALENDAR of events with these lines each, CR LF. */
export function calendarOf(...events: readonly (readonly string[])[]): string {
  const inner = events.flatMap((lines) => ['BEGIN:VEVENT', 'UID:meeting-1', ...lines, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...inner, 'END:VCALENDAR', ''].join('\r\n');
}

export const PEOPLE = [
  'ORGANIZER:mailto:anna@vm',
  'ATTENDEE;PARTSTAT=ACCEPTED:mailto:anna@vm',
  'ATTENDEE;CN="Ben; B";PARTSTAT=NEEDS-ACTION:mailto:ben@vm',
  'ATTENDEE:mailto:cora@vm',
];
export const ONCE = ['DTSTAMP:20260101T000000Z', 'DTSTART:20260105T100000Z', 'DTEND:20260105T110000Z', 'SUMMARY:Plan'];
export const WEEKLY = [...ONCE, 'RRULE:FREQ=WEEKLY;COUNT=4'];

export function read(text: string): Component {
  const { object, fault } = parseObject(text);
  assert.equal(fault, undefined);
  return object!;
}

export function scheduling(text: string): SchedulingObject {
  return schedulingObject(read(text))!;
}

/** Of each event its recurrence id, or `series`: value of that property. */
export function valuesOf(calendar: Component | undefined, name: string): string[] {
  return eventsOf(calendar).map((event) => `${idOf(event)}: ${lineOf(event, name)?.value ?? '-'}`);
}

/** `series: anna ACCEPTED, ben NEEDS-ACTION` */
export function answersOf(calendar: Component | undefined): string[] {
  return eventsOf(calendar).map((event) => {
    const answers = attendeesOf(event).map(
      (line) => `${line.value.replace(/^mailto:|@.*$/g, '')} ${line.params.get('PARTSTAT') ?? '-'}`,
    );
    return `${idOf(event)}: ${answers.join(', ')}`;
  });
}

export function textOfCalendar(calendar: Component | undefined): string {
  return calendar ? writeComponent(calendar) : '';
}

function eventsOf(calendar: Component | undefined): Component[] {
  return calendar?.components.filter(({ name }) => name === 'VEVENT') ?? [];
}

function idOf(event: Component): string {
  return lineOf(event, 'RECURRENCE-ID')?.value ?? 'series';
}

/** Of a weekly series, each with these lines of its own. */
export function instances(count: number, lines: readonly string[]): string[][] {
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(Date.UTC(2026, 0, 5 + 7 * i)).toISOString().slice(0, 10).replaceAll('-', '');
    return [`RECURRENCE-ID:${day}T100000Z`, `DTSTART:${day}T100000Z`, `DTEND:${day}T110000Z`, 'SUMMARY:Plan', ...lines];
  });
}

/** A line of this length goes so often into what one change makes, as far as it alone counts. */
export const LONG_LINE = 'x'.repeat(400_000);
export const LONG_LINES = Math.floor(MAX_MESSAGE_CHARACTERS / LONG_LINE.length);
