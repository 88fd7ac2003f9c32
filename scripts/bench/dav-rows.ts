// The requests of the DAV benchmark, those that calendar clients send most (RFC 4791, RFC 6578), and what must be true
// of their answers: one that is wrong is not fast.

import { type BenchEvent, MONTH, newEvent } from './dav-events.ts';

/** What a request is made of: the calendar of one server. */
export interface BenchCalendar {
  /** with a slash at the end */
  url: string;
  /** path of each event */
  hrefs: readonly string[];
  /** DAV:sync-token after the last change */
  token: string;
  events: readonly BenchEvent[];
  inMonth: number;
}

export interface BenchRequest {
  method: string;
  /** relative to the calendar's, or absolute */
  url: string;
  depth?: '0' | '1';
  type?: string;
  body?: string;
}

export interface Row {
  name: string;
  /** `run`: another one each time, from 0 */
  request(calendar: BenchCalendar, run: number): BenchRequest;
  status: number;
  /** Throws when the answer is not what it must be. */
  check(body: string, calendar: BenchCalendar): void;
}

const XML = 'application/xml; charset=utf-8';
const MULTIGET = 500;
const NAMESPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/"';
const IN_MONTH = `<C:time-range start="${MONTH.start}" end="${MONTH.end}"/>`;

function report(name: string, body: string): BenchRequest {
  return { method: 'REPORT', url: '', depth: '1', type: XML, body: document(name, body) };
}

function propfind(depth: '0' | '1', properties: string): BenchRequest {
  return {
    method: 'PROPFIND',
    url: '',
    depth,
    type: XML,
    body: document('D:propfind', `<D:prop>${properties}</D:prop>`),
  };
}

function query(properties: string, filter: string): BenchRequest {
  const events = `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${filter}</C:comp-filter>`;
  return report('C:calendar-query', `<D:prop>${properties}</D:prop>${events}</C:comp-filter></C:filter>`);
}

function sync(token: string): BenchRequest {
  const asked = `<D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop>`;
  return report('D:sync-collection', asked);
}

function document(name: string, body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<${name} ${NAMESPACES}>${body}</${name}>`;
}

const START_TAG = /<(?:\w+:)?([\w-]+)(?=[\s>])/g;

/** How many elements of each local name an answer has that are not empty, whatever their prefixes. */
function elementCounts(body: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, name] of body.matchAll(START_TAG)) counts.set(name!, (counts.get(name!) ?? 0) + 1);
  return counts;
}

function mustHave(body: string, counts: Record<string, number>): void {
  const found = elementCounts(body);
  for (const [name, count] of Object.entries(counts)) {
    const there = found.get(name) ?? 0;
    if (there !== count) throw new Error(`${there} of ${name}, not ${count}: ${body.slice(0, 1500)}`);
  }
}

export const TOKEN_REQUEST = propfind('0', '<CS:getctag/><D:sync-token/>');
export const LIST_REQUEST = propfind('1', '<D:resourcetype/><D:getetag/><D:getcontenttype/>');
const PUT_NAME = 'bench-new';

export const ROWS: readonly Row[] = [
  {
    name: 'PROPFIND of all, 3 properties',
    request: () => LIST_REQUEST,
    status: 207,
    check: (body, { events }) => mustHave(body, { response: events.length + 1 }),
  },
  {
    name: `calendar-multiget of ${MULTIGET}`,
    request: ({ hrefs }) => {
      const wanted = hrefs.slice(0, MULTIGET).map((href) => `<D:href>${href}</D:href>`);
      const properties = '<D:prop><D:getetag/><C:calendar-data/></D:prop>';
      return report('C:calendar-multiget', `${properties}${wanted.join('')}`);
    },
    status: 207,
    check: (body) => mustHave(body, { response: MULTIGET, 'calendar-data': MULTIGET }),
  },
  {
    name: 'calendar-query, a month, ETags',
    request: () => query('<D:getetag/>', IN_MONTH),
    status: 207,
    check: (body, { inMonth }) => mustHave(body, { response: inMonth }),
  },
  {
    name: 'calendar-query, a month, data',
    request: () => query('<D:getetag/><C:calendar-data/>', IN_MONTH),
    status: 207,
    check: (body, { inMonth }) => mustHave(body, { response: inMonth, 'calendar-data': inMonth }),
  },
  {
    name: 'calendar-query, all, ETags',
    request: () => query('<D:getetag/>', ''),
    status: 207,
    check: (body, { events }) => mustHave(body, { response: events.length }),
  },
  {
    name: 'sync-collection, from nothing',
    request: () => sync(''),
    status: 207,
    check: (body, { events }) => mustHave(body, { response: events.length, 'sync-token': 1 }),
  },
  {
    name: 'sync-collection, nothing changed',
    request: ({ token }) => sync(token),
    status: 207,
    check: (body) => mustHave(body, { response: 0, 'sync-token': 1 }),
  },
  {
    name: 'getctag and sync-token',
    request: () => TOKEN_REQUEST,
    status: 207,
    check: (body) => mustHave(body, { getctag: 1, 'sync-token': 1 }),
  },
  {
    name: 'GET one',
    request: ({ hrefs }, run) => ({ method: 'GET', url: hrefs[run]! }),
    status: 200,
    check: (body) => {
      if (!body.includes('UID:bench-')) throw new Error(`no event: ${body}`);
    },
  },
  {
    name: 'PUT one new',
    request: (_calendar, run) => ({
      method: 'PUT',
      url: `${PUT_NAME}-${run}.ics`,
      type: 'text/calendar; charset=utf-8',
      body: newEvent(`${PUT_NAME}-${run}`),
    }),
    status: 201,
    check: () => {},
  },
];
