// The lines that say who invites whom: calendar user addresses, ORGANIZER and ATTENDEE with their parameters, and how
// lines are compared (RFC 5545 sections 3.8.4.1 and 3.8.4.3, RFC 6638 section 7). What is not asked for stays as it is
// written.

import { MAX_ANSWER_CHARACTERS } from '../../limits/mime.ts';
import type { CalendarTimes } from '../objects/calendar-times.ts';
import { parameterText } from '../objects/components.ts';
import { type Component, ContentLine, lineOf, unescapeText } from '../objects/content-lines.ts';

export const NEEDS_ACTION = 'NEEDS-ACTION';

/** ` MAILTO:Bob@Example.com` → `mailto:bob@example.com`: by this form addresses are compared. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}

/** ATTENDEE lines of a component. */
export function attendeesOf(component: Component): ContentLine[] {
  return component.lines.filter(({ name }) => name === 'ATTENDEE');
}

/** Of a user, by the keys of his addresses; undefined where he is not invited. */
export function attendeeLine(component: Component, own: ReadonlySet<string>): ContentLine | undefined {
  return component.lines.find((line) => line.name === 'ATTENDEE' && own.has(addressKey(line.value)));
}

/** The key of the address in ORGANIZER; empty where there is none. */
export function organizerKey(component: Component): string {
  return addressKey(lineOf(component, 'ORGANIZER')?.value ?? '');
}

/** Whether the server is to send messages to this address (RFC 6638 section 7.1). */
export function isServerScheduled(line: ContentLine | undefined): boolean {
  return (line?.params.get('SCHEDULE-AGENT') ?? 'SERVER').toUpperCase() === 'SERVER';
}

/** PARTSTAT of an ATTENDEE line, upper case; one that is too long is no answer. */
export function partstatOf(line: ContentLine): string {
  return (shortParameter(line, 'PARTSTAT') ?? NEEDS_ACTION).toUpperCase();
}

/** SCHEDULE-STATUS of a line; undefined for one that is too long. */
export function scheduleStatusOf(line: ContentLine | undefined): string | undefined {
  return line && shortParameter(line, 'SCHEDULE-STATUS');
}

function shortParameter(line: ContentLine, name: string): string | undefined {
  const value = line.params.get(name);
  return value !== undefined && value.length <= MAX_ANSWER_CHARACTERS ? value : undefined;
}

/** SEQUENCE; 0 where it is missing or no number. */
export function sequenceOf(component: Component): number {
  const digits = lineOf(component, 'SEQUENCE')?.value.trim() ?? '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
}

/** The line with this parameter, or without it where `value` is undefined. Everything else of it stays as it is. */
export function withParameter(line: ContentLine, name: string, value: string | undefined): ContentLine {
  if (line.isQuotedPrintable || (value === undefined && !line.params.has(name))) return line;
  const head = line.text.slice(0, line.text.length - line.value.length - 1);
  const kept = headPieces(head).filter((piece, i) => i === 0 || piece.split('=', 1)[0]!.trim().toUpperCase() !== name);
  if (value !== undefined) kept.push(`${name}=${parameterText(value)}`);
  return ContentLine.read(`${kept.join(';')}:${line.value}`) ?? line;
}

/** `ATTENDEE;CN="a;b";RSVP=TRUE`, parted at the semicolons outside quotes */
export function headPieces(head: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= head.length; at++) {
    if (head[at] === '"') isQuoted = !isQuoted;
    if (at < head.length && (isQuoted || head[at] !== ';')) continue;
    pieces.push(head.slice(start, at));
    start = at + 1;
  }
  return pieces;
}

/** Without the parameters that are between a user and his server (RFC 6638 section 7). */
export function withoutScheduling(line: ContentLine): ContentLine {
  if (line.name !== 'ATTENDEE' && line.name !== 'ORGANIZER') return line;
  let result = line;
  for (const name of ['SCHEDULE-AGENT', 'SCHEDULE-STATUS', 'SCHEDULE-FORCE-SEND']) {
    result = withParameter(result, name, undefined);
  }
  return result;
}

/** The component with the one line of that name in the place of what it has; undefined: with none. */
export function withLine(component: Component, name: string, line: ContentLine | undefined): Component {
  const at = component.lines.findIndex((one) => one.name === name);
  const lines = component.lines.filter((one) => one.name !== name);
  if (line) lines.splice(at < 0 ? lines.length : at, 0, line);
  return { ...component, lines };
}

const DATED = new Set(['DTSTART', 'DTEND', 'DUE', 'RECURRENCE-ID', 'EXDATE', 'RDATE']);

/** Equal for lines that mean the same, as far as programs write one thing in several ways. */
export function lineKey(line: ContentLine, times: CalendarTimes): string {
  const { name, value } = line;
  if (name === 'ATTENDEE' || name === 'ORGANIZER') return `${name}:${addressKey(value)}`;
  if (DATED.has(name)) {
    const moments = [...times.momentsOf(line)].map(({ instant, isDay, end }) => `${instant}${isDay ? 'd' : ''}/${end}`);
    return `${name}:${moments.sort().join()}`;
  }
  if (name === 'RRULE') return `${name}:${value.toUpperCase().split(';').sort().join(';')}`;
  return `${name}:${unescapeText(value).replace(/\r\n?/g, '\n').trim()}`;
}
