// What a DAV client may send that is made to be slow, for http-stalls.ts: bodies of XML, questions about recurrences,
// calendar objects and cards.

import type { HostileInput } from './hostile-inputs.ts';
import type { Client } from './scale-site.ts';

const XML_TYPE = 'application/xml; charset=utf-8';
/** a body of XML has 1 MiB and 20,000 elements at most */
const BODY_BYTES = 1_000_000;
const ELEMENTS = 19_900;
/** of which each may name a resource, in 1 MiB */
const HREFS = 15_000;
const OBJECT_BYTES = 1_000_000;
const SENDERS = 4;
const OBJECTS = 100;
const NAMESPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CR="urn:ietf:params:xml:ns:carddav"';
/** many occurrences, and many days that are looked at in vain */
const RULES = [
  'FREQ=SECONDLY',
  'FREQ=MINUTELY;BYSECOND=1,2,3,4,5',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=SECONDLY;BYHOUR=3;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;BYMONTH=6',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
];
const RANGE = 'start="20200101T000000Z" end="20400101T000000Z"';

function repeated(unit: string, bytes: number): string {
  return unit.repeat(Math.floor(bytes / unit.length));
}

function document(name: string, content: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><${name} ${NAMESPACES}>${content}</${name}>`;
}

function event(uid: string, ...lines: readonly string[]): string {
  const fields = [`UID:${uid}`, 'DTSTAMP:20260101T000000Z', 'DTSTART:20260101T000000Z', ...lines];
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', ...fields, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
}

function card(uid: string, ...lines: readonly string[]): string {
  return ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, 'FN:x', 'N:x;;;;', ...lines, 'END:VCARD', ''].join('\r\n');
}

/** Each sends it once. */
function asked(method: string, path: string, name: string, body: string, prepare: Prepare = nothing): HostileInput {
  return {
    name: `${method}: ${name}`,
    counts: [SENDERS],
    async prepare(clients) {
      await prepare(clients[0]!);
      // a refusal is an answer, too: the body has been read
      return () => Promise.all(clients.map((client) => client.send(method, path, body, XML_TYPE).catch(() => {})));
    },
  };
}

type Prepare = (client: Client) => Promise<void>;

const nothing: Prepare = async () => {};

async function makeCalendar(client: Client): Promise<void> {
  await client.send('MKCALENDAR', 'r/Hostile/');
}

async function makeSeries(client: Client): Promise<void> {
  await makeCalendar(client);
  for (let i = 0; i < OBJECTS; i++) {
    const series = event(`series${i}`, `RRULE:${RULES[i % RULES.length]}`);
    await client.send('PUT', `r/Hostile/series${i}.ics`, series, 'text/calendar');
  }
}

/** Of dates in a thousand years, in a time zone of 200 rules without an end. */
async function makeZones(client: Client): Promise<void> {
  await makeCalendar(client);
  const rule = ['DTSTART:00010101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'RRULE:FREQ=SECONDLY'];
  const rules = ['BEGIN:STANDARD', ...rule, 'END:STANDARD', ''].join('\r\n').repeat(200);
  const zone = `BEGIN:VTIMEZONE\r\nTZID:Z\r\n${rules}END:VTIMEZONE\r\n`;
  const dates = Array.from({ length: 1000 }, (_, i) => `${String(1500 + i)}0101T000000`).join(',');
  for (let i = 0; i < OBJECTS / 10; i++) {
    const object = event(`zone${i}`, 'DURATION:PT1H', `RDATE;TZID=Z:${dates}`);
    const text = object.replace('BEGIN:VEVENT', `${zone}BEGIN:VEVENT`);
    await client.send('PUT', `r/Hostile/zone${i}.ics`, text, 'text/calendar');
  }
}

async function makeBook(client: Client): Promise<void> {
  const type = '<D:resourcetype><D:collection/><CR:addressbook/></D:resourcetype>';
  const body = document('D:mkcol', `<D:set><D:prop>${type}</D:prop></D:set>`);
  await client.send('MKCOL', 'r/Hostile/', body, XML_TYPE);
}

/** Each stores an object of its own again and again. */
function stored(name: string, type: string, ending: string, prepare: Prepare, objectOf: (uid: string) => string) {
  return {
    name: `PUT: ${name}`,
    counts: [SENDERS],
    async prepare(clients: readonly Client[]) {
      await prepare(clients[0]!);
      const objects = clients.map((_, i) => objectOf(`object${i}`));
      return () =>
        Promise.all(clients.map((client, i) => client.send('PUT', `r/Hostile/object${i}.${ending}`, objects[i], type)));
    },
  };
}

const propfind = (content: string) => document('D:propfind', `<D:allprop/>${content}`);
const proppatch = (value: string) => document('D:propertyupdate', `<D:set><D:prop>${value}</D:prop></D:set>`);
const MANY = 19_000;
const OF_LONG_NAMESPACE = `<x xmlns:p="urn:${'n'.repeat(990)}">${'<p:a/>'.repeat(MANY)}</x>`;
const VALUES = Array.from(
  { length: 15 },
  (_, i) => `<x${i} xmlns="u">${'<b/>xxxxxxxxxxxxxx'.repeat(1300)}</x${i}>`,
).join('');
const EXCLUSIVE = '<D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>';
const SEARCHED = `<D:prop>${'<D:displayname/>'.repeat(MANY)}</D:prop><D:match/>`;
const SEARCH = `<D:property-search>${SEARCHED}</D:property-search><D:prop><D:displayname/></D:prop>`;
const ATTRIBUTES = Array.from({ length: 60 }, (_, i) => ` a${i}=""`).join('');
const HREFS_OF_NOTHING = Array.from({ length: HREFS }, (_, i) => `<D:href>/svc/r/Hostile/x${i}.ics</D:href>`).join('');
const HREFS_THAT_ARE_NONE = Array.from({ length: HREFS }, (_, i) => `<D:href>/svc/r/Hostile/%x${i}</D:href>`).join('');
const EVENTS = `<C:comp-filter name="VEVENT"><C:time-range ${RANGE}/></C:comp-filter>`;
const IN_RANGE = `<C:comp-filter name="VCALENDAR">${EVENTS}</C:comp-filter>`;
const EXPANSION = `<D:prop><C:calendar-data><C:expand ${RANGE}/></C:calendar-data></D:prop>`;
const EXPANDED = `${EXPANSION}<C:filter>${IN_RANGE}</C:filter>`;

export const DAV_INPUTS: readonly HostileInput[] = [
  asked('PROPFIND', 'r/Lobby/', '19,900 elements', propfind('<a/>'.repeat(ELEMENTS))),
  asked('PROPFIND', 'r/Lobby/', '1 MB of attributes', propfind(repeated(`<a${ATTRIBUTES}/>`, BODY_BYTES))),
  asked('PROPFIND', 'r/Lobby/', '1 MB of references', propfind(`<a>${repeated('&amp;', BODY_BYTES)}</a>`)),
  asked('PROPFIND', 'r/Lobby/', '1 MB of comments', propfind(repeated('<!---->', BODY_BYTES))),
  asked(
    'PROPPATCH',
    'r/Lobby/',
    '19,000 elements in one value',
    proppatch(`<x xmlns="urn:x">${'<a/>'.repeat(MANY)}</x>`),
  ),
  asked('PROPPATCH', 'r/Hostile/', '19,000 elements of a long namespace', proppatch(OF_LONG_NAMESPACE), makeCalendar),
  asked('PROPPATCH', 'r/Hostile/', 'values of 64 kB', proppatch(VALUES), makeCalendar),
  asked(
    'LOCK',
    'r/Hostile/',
    'an owner in a long namespace',
    document('D:lockinfo', `${EXCLUSIVE}<D:owner>${OF_LONG_NAMESPACE}</D:owner>`),
    makeCalendar,
  ),
  asked('REPORT', 'u/', 'a search for 19,000 times the name', document('D:principal-property-search', SEARCH)),
  asked(
    'REPORT',
    'r/Hostile/',
    '15,000 hrefs of nothing',
    document('C:calendar-multiget', `<D:prop><D:getetag/><C:calendar-data/></D:prop>${HREFS_OF_NOTHING}`),
    makeCalendar,
  ),
  asked(
    'REPORT',
    'r/',
    '15,000 hrefs of nothing, of all calendars',
    document('C:calendar-multiget', `<D:prop><D:getetag/></D:prop>${HREFS_OF_NOTHING}`),
  ),
  asked(
    'REPORT',
    'r/Hostile/',
    '15,000 hrefs that cannot be read',
    document('C:calendar-multiget', `<D:prop><D:getetag/></D:prop>${HREFS_THAT_ARE_NONE}`),
    makeCalendar,
  ),
  asked(
    'REPORT',
    'r/Hostile/',
    '100 series, expanded for 20 years',
    document('C:calendar-query', EXPANDED),
    makeSeries,
  ),
  asked(
    'REPORT',
    'r/Hostile/',
    '10 events in a time zone of 200 rules, expanded for 20 years',
    document('C:calendar-query', EXPANDED),
    makeZones,
  ),
  asked(
    'REPORT',
    'r/Hostile/',
    'busy times of 100 series in 20 years',
    document('C:free-busy-query', `<C:time-range ${RANGE}/>`),
    makeSeries,
  ),
  stored('an event of a series that never takes place', 'text/calendar', 'ics', makeCalendar, (uid) =>
    event(uid, 'RRULE:FREQ=SECONDLY;BYHOUR=3;BYMONTH=2;BYMONTHDAY=30;UNTIL=99990101T000000Z'),
  ),
  stored('an event with 1 MB of dates', 'text/calendar', 'ics', makeCalendar, (uid) =>
    event(uid, 'RRULE:FREQ=DAILY', `EXDATE:${repeated('20260101T000000Z,', OBJECT_BYTES)}20260102T000000Z`),
  ),
  stored('an event with 1 MB of escapes', 'text/calendar', 'ics', makeCalendar, (uid) =>
    event(uid, `DESCRIPTION:${repeated('\\n', OBJECT_BYTES)}`),
  ),
  stored('a contact with a picture in lines of 20', 'text/vcard', 'vcf', makeBook, (uid) =>
    card(uid, `PHOTO;ENCODING=b:${repeated(`${'QUJD'.repeat(5)}\r\n `, OBJECT_BYTES)}`),
  ),
];
