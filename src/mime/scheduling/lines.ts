// Calendar user addresses, ORGANIZER and ATTENDEE lines with their parameters, and how lines compare
// (RFC 5545 sections 3.8.4.1 and 3.8.4.3, RFC 6638 section 7). Changes preserve the rest of a line as written.

import { MAX_ANSWER_CHARACTERS } from '../../limits/mime.ts';
import type { CalendarTimes } from '../objects/calendar-times.ts';
import { parameterText } from '../objects/components.ts';
import { type Component, ContentLine, lineOf, textOf, unescapeText } from '../objects/content-lines.ts';
import { parseRule } from '../objects/recurrence-rule.ts';

export const NEEDS_ACTION = 'NEEDS-ACTION';

/** Normal form for comparing addresses: ` MAILTO:Bob@Example.com` → `mailto:bob@example.com` */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}

/** The calendar address of an ATTENDEE or ORGANIZER line. Some programs leave `mailto:` out, or write it in EMAIL. */
export function personAddress({ value, params }: ContentLine): string {
  const address = value.trim();
  if (/^mailto:/i.test(address)) return address;
  const mail = /^[^\s:/@]+@[^\s:/@]+$/.test(address) ? address : params.get('EMAIL')?.trim();
  return mail?.includes('@') ? `mailto:${mail}` : address;
}

/** The same in normal form. */
export function personKey(line: ContentLine): string {
  return addressKey(personAddress(line));
}

export function attendeesOf(component: Component): ContentLine[] {
  return component.lines.filter(({ name }) => name === 'ATTENDEE');
}

/** The ATTENDEE line of the user with these address keys. */
export function attendeeLine(component: Component, own: ReadonlySet<string>): ContentLine | undefined {
  return component.lines.find((line) => line.name === 'ATTENDEE' && own.has(personKey(line)));
}

/** The address key of ORGANIZER; '' if missing. */
export function organizerKey(component: Component): string {
  const line = lineOf(component, 'ORGANIZER');
  return line ? personKey(line) : '';
}

/** Whether the server sends messages to this address (RFC 6638 section 7.1). */
export function isServerScheduled(line: ContentLine | undefined): boolean {
  return (line?.params.get('SCHEDULE-AGENT') ?? 'SERVER').toUpperCase() === 'SERVER';
}

/** PARTSTAT in upper case. Ignores overlong values. */
export function partstatOf(line: ContentLine): string {
  return (shortParameter(line, 'PARTSTAT') ?? NEEDS_ACTION).toUpperCase();
}

/** SCHEDULE-STATUS. Ignores overlong values. */
export function scheduleStatusOf(line: ContentLine | undefined): string | undefined {
  return line && shortParameter(line, 'SCHEDULE-STATUS');
}

function shortParameter(line: ContentLine, name: string): string | undefined {
  const value = line.params.get(name);
  return value !== undefined && value.length <= MAX_ANSWER_CHARACTERS ? value : undefined;
}

export function isCancelled(component: Component): boolean {
  return textOf(component, 'STATUS').toUpperCase() === 'CANCELLED';
}

/** SEQUENCE; 0 if missing or invalid. */
export function sequenceOf(component: Component): number {
  const digits = lineOf(component, 'SEQUENCE')?.value.trim() ?? '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
}

/** Sets or, with undefined, removes a parameter. */
export function withParameter(line: ContentLine, name: string, value: string | undefined): ContentLine {
  if (line.isQuotedPrintable || (value === undefined && !line.params.has(name))) return line;
  const head = line.text.slice(0, line.text.length - line.value.length - 1);
  const pieces = headPieces(head).filter(
    (piece, i) => i === 0 || piece.split('=', 1)[0]!.trim().toUpperCase() !== name,
  );
  if (value !== undefined) pieces.push(`${name}=${parameterText(value)}`);
  return ContentLine.read(`${pieces.join(';')}:${line.value}`) ?? line;
}

/** Splits `ATTENDEE;CN="a;b";RSVP=TRUE` at semicolons outside quotes. */
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

/** Removes the parameters that are private between a user and the server (RFC 6638 section 7). */
export function withoutScheduling(line: ContentLine): ContentLine {
  if (line.name !== 'ATTENDEE' && line.name !== 'ORGANIZER') return line;
  let result = line;
  for (const name of ['SCHEDULE-AGENT', 'SCHEDULE-STATUS', 'SCHEDULE-FORCE-SEND']) {
    result = withParameter(result, name, undefined);
  }
  return result;
}

/** Replaces all lines of that name by one, or by none. */
export function withLine(component: Component, name: string, line: ContentLine | undefined): Component {
  const at = component.lines.findIndex((one) => one.name === name);
  const lines = component.lines.filter((one) => one.name !== name);
  if (line) lines.splice(at < 0 ? lines.length : at, 0, line);
  return { ...component, lines };
}

const DATED = new Set(['DTSTART', 'DTEND', 'DUE', 'RECURRENCE-ID', 'EXDATE', 'RDATE']);

/** Equal for lines with the same meaning, as far as programs write it differently. */
export function lineKey(line: ContentLine, times: CalendarTimes): string {
  const { name, value } = line;
  if (name === 'ATTENDEE' || name === 'ORGANIZER') return `${name}:${personKey(line)}`;
  if (DATED.has(name)) {
    const moments = [...times.momentsOf(line)].map(({ instant, isDay, end }) => `${instant}${isDay ? 'd' : ''}/${end}`);
    return `${name}:${moments.sort().join()}`;
  }
  if (name === 'RRULE') return `${name}:${ruleKey(value)}`;
  return `${name}:${unescapeText(value).replace(/\r\n?/g, '\n').trim()}`;
}

/** Equal for rules that differ in the order or the defaults of their parts, or in case. */
export function ruleKey(text: string, isEndLeftOut = false): string {
  const rule = parseRule(text);
  if (!rule) return text.toUpperCase().split(';').sort().join(';');
  const { frequency, interval, count, until, lists, days, weekStart } = rule;
  const dayKeys = days?.map(({ weekday, ordinal }) => `${ordinal}/${weekday}`).sort();
  const end = isEndLeftOut ? [] : [count, until?.seconds];
  return JSON.stringify([frequency, interval, weekStart, Object.entries(lists).sort(), dayKeys, end]);
}
