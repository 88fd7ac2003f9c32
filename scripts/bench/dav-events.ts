// The calendar of the DAV benchmark: events of 0.6 KB over sixteen months, one in five of them repeated each week, and
// which of them a month holds, counted here from the numbers that made them, without any code of the server.

export interface BenchEvent {
  uid: string;
  data: string;
}

/** July 2026, as time-range has it */
export const MONTH = { start: '20260701T000000Z', end: '20260801T000000Z' };

const MONTH_START = Date.UTC(2026, 6, 1);
const MONTH_END = Date.UTC(2026, 7, 1);
const FIRST_DAY = Date.UTC(2025, 10, 20);
const DAYS = 479;
/** has no divisor in common with DAYS: the days are in no order */
const STEP = 37;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REPEATED_EVERY = 5;
const WEEKS = 10;
const BYTES = 600;

/** Answers `count` events, of which `inMonth` have an instance in MONTH. */
export function benchEvents(count: number): { events: BenchEvent[]; inMonth: number } {
  const events: BenchEvent[] = [];
  let inMonth = 0;
  for (let i = 0; i < count; i++) {
    const start = FIRST_DAY + ((i * STEP) % DAYS) * DAY_MS + (8 + (i % 10)) * HOUR_MS;
    const times = i % REPEATED_EVERY === 0 ? WEEKS : 1;
    const starts = Array.from({ length: times }, (_, week) => start + week * 7 * DAY_MS);
    if (starts.some((each) => each < MONTH_END && each + HOUR_MS > MONTH_START)) inMonth++;
    const uid = `bench-${String(i).padStart(6, '0')}`;
    events.push({ uid, data: eventData(uid, i, start, times) });
  }
  return { events, inMonth };
}

/** One event; nothing of it is in MONTH. */
export function newEvent(uid: string): string {
  return eventData(uid, 0, FIRST_DAY, 1);
}

function eventData(uid: string, i: number, start: number, times: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Vestibule//benchmark//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20250101T000000Z',
    `DTSTART:${basicTime(start)}`,
    `DTEND:${basicTime(start + HOUR_MS)}`,
    ...(times > 1 ? [`RRULE:FREQ=WEEKLY;COUNT=${times}`] : []),
    `SUMMARY:Meeting ${i}`,
    'LOCATION:Room 12\\, second floor',
    'CATEGORIES:WORK,BENCHMARK',
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ];
  const missing = BYTES - lines.join('\r\n').length - 'DESCRIPTION:\r\n'.length;
  lines.splice(-3, 0, folded(`DESCRIPTION:${'What is to be talked about. '.repeat(30).slice(0, missing)}`));
  return lines.join('\r\n');
}

/** In lines of at most 75 octets (RFC 5545 section 3.1). */
function folded(line: string): string {
  return (line.match(/.{1,74}/g) ?? []).join('\r\n ');
}

/** `20260701T080000Z` */
function basicTime(time: number): string {
  return new Date(time).toISOString().replace(/[-:]|\.\d+/g, '');
}
