// Events, tasks and journal entries (iCalendar, RFC 5545), and what an invitation asks of its reader (iTIP, RFC 5546),
// as lines for people.

import { MAX_DESCRIBED_OBJECTS, MAX_NAMED_EXCEPTIONS } from '../../limits/mime.ts';
import { dateTimeOf, dayInWords, durationSeconds, parseDateTime, periodInWords } from './calendar-time.ts';
import { type Component, type ContentLine, lineOf, parseComponents, textOf } from './content-lines.ts';
import { recurrenceInWords } from './recurrence.ts';

const HEADINGS: Readonly<Record<string, string>> = {
  REQUEST: 'Invitation',
  CANCEL: 'Cancelled',
  REPLY: 'Answer',
  COUNTER: 'Other proposal',
  DECLINECOUNTER: 'Proposal declined',
  REFRESH: 'Asked for again',
};
const KINDS: Readonly<Record<string, string>> = {
  VEVENT: 'Event',
  VTODO: 'Task',
  VJOURNAL: 'Journal entry',
  VFREEBUSY: 'Free and busy times',
};
/** RFC 5545 section 3.2.12 */
const ANSWERS: Readonly<Record<string, string>> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'perhaps',
  DELEGATED: 'delegated',
  COMPLETED: 'completed',
  'IN-PROCESS': 'at work',
  'NEEDS-ACTION': 'no answer yet',
};

/** One paragraph an entry; '' when there is none. `components`: what has been read of it. */
export function calendarText(source: string, components: readonly Component[] = parseComponents(source)): string {
  const paragraphs: string[] = [];
  let left = 0;
  for (const calendar of components) {
    const method = textOf(calendar, 'METHOD').toUpperCase();
    // some programs write events without a calendar around them
    for (const entry of [calendar, ...calendar.components]) {
      if (KINDS[entry.name] === undefined) continue;
      if (paragraphs.length < MAX_DESCRIBED_OBJECTS) paragraphs.push(entryText(entry, method));
      else left++;
    }
  }
  if (left > 0) paragraphs.push(`and ${left} more\n`);
  return paragraphs.join('\n');
}

function entryText(entry: Component, method: string): string {
  const isCancelled = textOf(entry, 'STATUS').toUpperCase() === 'CANCELLED';
  const heading = isCancelled ? 'Cancelled' : (HEADINGS[method] ?? KINDS[entry.name]!);
  const facts: [label: string, text: string][] = [
    [heading, textOf(entry, 'SUMMARY').replaceAll('\n', ' ') || '(no title)'],
    ['When', whenOf(entry)],
    ['Due', momentOf(entry, 'DUE')],
    ['Completed', momentOf(entry, 'COMPLETED')],
    ['Only the one of', momentOf(entry, 'RECURRENCE-ID')],
    ['Repeats', repeatsOf(entry)],
    ['Except', exceptionsOf(entry)],
    ['Where', textOf(entry, 'LOCATION').replaceAll('\n', ', ')],
    [
      'Organiser',
      entry.lines
        .filter((line) => line.name === 'ORGANIZER')
        .map(personOf)
        .join(', '),
    ],
    [
      'Attendees',
      entry.lines
        .filter((line) => line.name === 'ATTENDEE')
        .map(attendeeOf)
        .join(', '),
    ],
    ['Link', textOf(entry, 'URL')],
    ['Comment', textOf(entry, 'COMMENT')],
  ];
  const lines = facts.filter(([, text]) => text !== '').map(([label, text]) => `${label}: ${text}\n`);
  const description = textOf(entry, 'DESCRIPTION');
  return lines.join('') + (description === '' ? '' : `\n${description}\n`);
}

function whenOf(entry: Component): string {
  const start = dateTimeOf(lineOf(entry, 'DTSTART'));
  if (!start) return '';
  const duration = durationSeconds(textOf(entry, 'DURATION'));
  const end = dateTimeOf(lineOf(entry, 'DTEND'));
  return periodInWords(start, end ?? (duration > 0 ? { ...start, seconds: start.seconds + duration } : undefined));
}

function momentOf(entry: Component, name: string): string {
  const moment = dateTimeOf(lineOf(entry, name));
  return moment ? periodInWords(moment, undefined) : '';
}

function repeatsOf(entry: Component): string {
  const rules = entry.lines.filter((line) => line.name === 'RRULE').map((line) => recurrenceInWords(line.value));
  return rules.join('; ') || (lineOf(entry, 'RDATE') ? 'on further dates' : '');
}

function exceptionsOf(entry: Component): string {
  const values = entry.lines.filter((line) => line.name === 'EXDATE').flatMap((line) => line.value.split(','));
  const named: string[] = [];
  let at = 0;
  for (; at < values.length && named.length < MAX_NAMED_EXCEPTIONS; at++) {
    const date = parseDateTime(values[at]!);
    if (date) named.push(dayInWords(date));
  }
  const left = values.slice(at).filter((value) => /^\s*\d{8}/.test(value)).length;
  return named.join('; ') + (left > 0 ? `; and ${left} more` : '');
}

/** `ORGANIZER;CN=Ann:mailto:ann@x` → `Ann <ann@x>` */
function personOf({ params, value }: ContentLine): string {
  const address = value.trim().replace(/^mailto:/i, '');
  const name = params.get('CN')?.trim() ?? '';
  return name === '' || name === address ? address : `${name} <${address}>`;
}

function attendeeOf(line: ContentLine): string {
  const answer = ANSWERS[line.params.get('PARTSTAT')?.toUpperCase() ?? ''];
  return personOf(line) + (answer === undefined ? '' : ` (${answer})`);
}
