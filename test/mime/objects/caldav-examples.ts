// The calendar collection of RFC 4791 appendix B, and how tests name what they ask of it.

import type { CompFilter, PropFilter } from '../../../src/mime/objects/calendar-filter.ts';
import { parseDateTime } from '../../../src/mime/objects/calendar-time.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
import type { Component } from '../../../src/mime/objects/content-lines.ts';
import type { TimeRange } from '../../../src/mime/objects/instances.ts';
import type { TextMatch } from '../../../src/mime/objects/text-match.ts';

const ZONE = `BEGIN:VTIMEZONE
LAST-MODIFIED:20040110T032845Z
TZID:US/Eastern
BEGIN:DAYLIGHT
DTSTART:20000404T020000
RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4
TZNAME:EDT
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20001026T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZNAME:EST
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
END:VTIMEZONE
`;
const ALARM = 'BEGIN:VALARM\nACTION:AUDIO\nTRIGGER;RELATED=START:-PT10M\nEND:VALARM\n';

const task = (lines: string): string => `BEGIN:VTODO\n${lines}END:VTODO\n`;

export const EXAMPLES: Readonly<Record<string, string>> = {
  abcd1: `${ZONE}BEGIN:VEVENT
DTSTAMP:20060206T001102Z
DTSTART;TZID=US/Eastern:20060102T100000
DURATION:PT1H
SUMMARY:Event #1
DESCRIPTION:Go Steelers!
UID:74855313FA803DA593CD579A@example.com
END:VEVENT
`,
  abcd2: `${ZONE}BEGIN:VEVENT
DTSTAMP:20060206T001121Z
DTSTART;TZID=US/Eastern:20060102T120000
DURATION:PT1H
RRULE:FREQ=DAILY;COUNT=5
SUMMARY:Event #2
UID:00959BC664CA650E933C892C@example.com
END:VEVENT
BEGIN:VEVENT
DTSTAMP:20060206T001121Z
DTSTART;TZID=US/Eastern:20060104T140000
DURATION:PT1H
RECURRENCE-ID;TZID=US/Eastern:20060104T120000
SUMMARY:Event #2 bis
UID:00959BC664CA650E933C892C@example.com
END:VEVENT
BEGIN:VEVENT
DTSTAMP:20060206T001121Z
DTSTART;TZID=US/Eastern:20060106T140000
DURATION:PT1H
RECURRENCE-ID;TZID=US/Eastern:20060106T120000
SUMMARY:Event #2 bis bis
UID:00959BC664CA650E933C892C@example.com
END:VEVENT
`,
  abcd3: `${ZONE}BEGIN:VEVENT
ATTENDEE;PARTSTAT=ACCEPTED;ROLE=CHAIR:mailto:cyrus@example.com
ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:lisa@example.com
DTSTAMP:20060206T001220Z
DTSTART;TZID=US/Eastern:20060104T100000
DURATION:PT1H
LAST-MODIFIED:20060206T001330Z
ORGANIZER:mailto:cyrus@example.com
SEQUENCE:1
STATUS:TENTATIVE
SUMMARY:Event #3
UID:DC6C50A017428C5216A2F1CD@example.com
X-ABC-GUID:E1CX5Dr-0007ym-Hz@example.com
END:VEVENT
`,
  abcd4: task(`DTSTAMP:20060205T235335Z
DUE;VALUE=DATE:20060104
STATUS:NEEDS-ACTION
SUMMARY:Task #1
UID:DDDEEB7915FA61233B861457@example.com
${ALARM}`),
  abcd5: task(`DTSTAMP:20060205T235300Z
DUE;TZID=US/Eastern:20060106T120000
LAST-MODIFIED:20060205T235308Z
SEQUENCE:1
STATUS:NEEDS-ACTION
SUMMARY:Task #2
UID:E10BA47467C5C69BB74E8720@example.com
${ALARM}`),
  abcd6: task(`COMPLETED:20051223T122322Z
DTSTAMP:20060205T235400Z
DUE;VALUE=DATE:20051225
LAST-MODIFIED:20060205T235308Z
SEQUENCE:1
STATUS:COMPLETED
SUMMARY:Task #3
UID:E10BA47467C5C69BB74E8722@example.com
`),
  abcd7: task(`DTSTAMP:20060205T235600Z
DUE;VALUE=DATE:20060101
LAST-MODIFIED:20060205T235308Z
SEQUENCE:1
STATUS:CANCELLED
SUMMARY:Task #4
UID:E10BA47467C5C69BB74E8725@example.com
`),
  abcd8: `BEGIN:VFREEBUSY
ORGANIZER;CN="Bernard Desruisseaux":mailto:bernard@example.com
UID:76ef34-54a3d2@example.com
DTSTAMP:20050530T123421Z
DTSTART:20060101T000000Z
DTEND:20060108T000000Z
FREEBUSY:20050531T230000Z/20050601T010000Z
FREEBUSY;FBTYPE=BUSY-TENTATIVE:20060102T100000Z/20060102T120000Z
FREEBUSY:20060103T100000Z/20060103T120000Z
FREEBUSY:20060104T100000Z/20060104T120000Z
FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20060105T100000Z/20060105T120000Z
FREEBUSY:20060106T100000Z/20060106T120000Z
END:VFREEBUSY
`,
};

export const calendar = (components: string): Component =>
  parseObject(`BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Example Corp.//CalDAV Client//EN\n${components}END:VCALENDAR\n`)
    .object!;

/** `''` for a side that is open */
export const range = (start: string, end: string): TimeRange => ({
  start: start === '' ? Number.NEGATIVE_INFINITY : parseDateTime(start)!.seconds,
  end: end === '' ? Number.POSITIVE_INFINITY : parseDateTime(end)!.seconds,
});

export const text = (wanted: string, more: Partial<TextMatch> = {}): TextMatch => ({
  text: wanted,
  collation: 'i;ascii-casemap',
  matchType: 'contains',
  isNegated: false,
  ...more,
});

export const prop = (name: string, more: Partial<PropFilter> = {}): PropFilter => ({ name, params: [], ...more });

export const comp = (name: string, more: Partial<CompFilter> = {}): CompFilter => ({
  name,
  props: [],
  comps: [],
  ...more,
});

/** A filter of one kind of component in a calendar. */
export const within = (name: string, more: Partial<CompFilter> = {}): CompFilter =>
  comp('VCALENDAR', { comps: [comp(name, more)] });
