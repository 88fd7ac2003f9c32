// The components of iCalendar objects as they are written, taken apart and put together again (RFC 5545 section 3.6).

import { foldLine } from '../../mime/objects/components.ts';
import { zoneId } from '../../mime/objects/content-lines.ts';
import { propertiesOf, propertyValue } from '../../mime/objects/properties.ts';

/** One component of an iCalendar object, as text. */
export interface CalendarComponent {
  /** `VEVENT`, `VTODO`, `VJOURNAL` or `VTIMEZONE` */
  kind: string;
  /** '' for time zones, and where it is missing */
  uid: string;
  /** TZID of a time zone */
  zoneId: string;
  /** time zones that the component names */
  zoneNames: string[];
  /** from BEGIN to END, without line ends; folded lines stay folded */
  lines: string[];
}

const KINDS = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VTIMEZONE']);
const LINES_OF_A_STEP = 1000;

/** Those that are complete, in order; what is between them is left out. */
export function* componentsOf(text: string): Generator<CalendarComponent> {
  for (const found of componentSteps(text)) if (found) yield found;
}

/**
 * Yields the components as componentsOf, and undefined after every LINES_OF_A_STEP lines: others can have their turn.
 */
export function* componentSteps(text: string): Generator<CalendarComponent | undefined> {
  let lines: string[] = [];
  let kind = '';
  let count = 0;
  for (let next = 0; next <= text.length; ) {
    if (++count % LINES_OF_A_STEP === 0) yield undefined;
    const start = next;
    const lf = text.indexOf('\n', start);
    const end = lf < 0 ? text.length : lf;
    next = end + 1;
    const line = text.slice(start, lf > start && text[lf - 1] === '\r' ? lf - 1 : end);
    const begins = /^BEGIN:([A-Z]+)\s*$/i.exec(line)?.[1]?.toUpperCase();
    if (kind === '' && begins !== undefined && KINDS.has(begins)) {
      kind = begins;
      lines = [];
    }
    if (kind === '' || line === '') continue;
    lines.push(line);
    if (line.trim().toUpperCase() !== `END:${kind}`) continue;
    yield component(kind, lines);
    kind = '';
  }
}

/** a colon, semicolon or comma inside quotes ends nothing */
const ZONE_PARAMETER = /;TZID=(?:"([^"\n]*)"|([^";:\n]+))/gi;

function component(kind: string, lines: string[]): CalendarComponent {
  const text = lines.join('\n');
  const properties = propertiesOf(text, kind);
  return {
    kind,
    uid: kind === 'VTIMEZONE' ? '' : propertyValue(properties, 'UID'),
    zoneId: kind === 'VTIMEZONE' ? zoneId(propertyValue(properties, 'TZID')) : '',
    zoneNames: [...text.replace(/\n[ \t]/g, '').matchAll(ZONE_PARAMETER)].map((match) => zoneId(match[1] ?? match[2]!)),
    lines,
  };
}

/** One VCALENDAR of them, CR LF lines; each time zone once. */
export function* oneCalendar(components: Iterable<CalendarComponent>): Generator<string> {
  yield 'BEGIN:VCALENDAR\r\nPRODID:-//Vestibule//Room server//EN\r\nVERSION:2.0\r\nMETHOD:PUBLISH\r\n';
  const zones = new Set<string>();
  for (const { kind, zoneId, lines } of components) {
    if (kind === 'VTIMEZONE' && zones.has(zoneId)) continue;
    if (kind === 'VTIMEZONE') zones.add(zoneId);
    yield lines.map((line) => `${foldLine(line)}\r\n`).join('');
  }
  yield 'END:VCALENDAR\r\n';
}
