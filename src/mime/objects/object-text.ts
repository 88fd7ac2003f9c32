// Events, tasks, contacts and notes that travel in messages, as text for people.

import { calendarText } from './calendar-text.ts';
import { cardText } from './card-text.ts';
import type { Component } from './content-lines.ts';

const CALENDARS: ReadonlySet<string> = new Set(['text/calendar', 'text/x-vcalendar', 'application/ics']);
const CARDS: ReadonlySet<string> = new Set([
  'text/vcard',
  'text/x-vcard',
  'text/directory',
  'text/vnote',
  'text/x-vnote',
]);

/** Of a media type in lower case: iCalendar (RFC 5545). */
export function isCalendar(type: string): boolean {
  return CALENDARS.has(type);
}

/** Of a media type in lower case: vCard (RFC 6350) or vNote. */
export function isCard(type: string): boolean {
  return CARDS.has(type);
}

/** The object as text; as it is where nothing of it is understood. `components`: what has been read of it. */
export function objectText(type: string, source: string, components?: readonly Component[]): string {
  return (isCalendar(type) ? calendarText : cardText)(source, components) || source;
}
