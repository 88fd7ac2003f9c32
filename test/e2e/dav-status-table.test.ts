// What DAV clients are answered where servers differ (test/fixtures/dav-status-table.txt): statuses, preconditions, and
// the addresses that go with them, as clients are known to need them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway } from '../support/gateway.ts';

const TABLE = readFileSync(join(import.meta.dirname, '../fixtures/dav-status-table.txt'), 'utf8');
const WIDTH = 49; // of the first column

const CALENDAR = 'text/calendar; charset=utf-8';
const object = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const component = (kind: string, uid: string) => [
  `BEGIN:${kind}`,
  `UID:${uid}`,
  'DTSTAMP:20260101T000000Z',
  'DTSTART:20260105T100000Z',
  `END:${kind}`,
];
const event = (uid: string) => object(...component('VEVENT', uid));

const NAMESPACES = 'xmlns="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"';
const query = (filter: string) =>
  `<calendar-query ${NAMESPACES}><D:prop><D:getetag/></D:prop><filter>${filter}</filter></calendar-query>`;
const EVENTS = '<comp-filter name="VCALENDAR"><comp-filter name="VEVENT"/></comp-filter>';
const COLLATED =
  '<comp-filter name="VCALENDAR"><comp-filter name="VEVENT"><prop-filter name="SUMMARY">' +
  '<text-match collation="x;none">a</text-match></prop-filter></comp-filter></comp-filter>';
const sync = (token: string, limit = '') =>
  `<D:sync-collection xmlns:D="DAV:"><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level>${limit}` +
  '<D:prop><D:getetag/></D:prop></D:sync-collection>';
const DAY = '<time-range start="20260105T000000Z" end="20260106T000000Z"/>';
const BUSY = `<free-busy-query ${NAMESPACES}>${DAY}</free-busy-query>`;
const SET =
  '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><D:displayname>x</D:displayname><D:getetag>y</D:getetag></D:prop>' +
  '</D:set></D:propertyupdate>';
const ENTITY = '<!DOCTYPE a [<!ENTITY b "c">]><propfind xmlns="DAV:"><prop><displayname/></prop></propfind>';

type Request = [name: string, path: string, method: string, headers?: Record<string, string>, body?: string];

const REQUESTS: readonly Request[] = [
  ['PUT an object', 'r/Table/one.ics', 'PUT', { 'content-type': CALENDAR }, event('one')],
  ['PUT the same UID, other name', 'r/Table/two.ics', 'PUT', { 'content-type': CALENDAR }, event('one')],
  ['PUT another UID, same name', 'r/Table/one.ics', 'PUT', { 'content-type': CALENDAR }, event('two')],
  ['PUT not iCalendar', 'r/Table/x.ics', 'PUT', { 'content-type': CALENDAR }, 'hello'],
  ['PUT wrong type', 'r/Table/x.ics', 'PUT', { 'content-type': 'text/plain' }, event('x')],
  [
    'PUT METHOD',
    'r/Table/method.ics',
    'PUT',
    { 'content-type': CALENDAR },
    object('METHOD:PUBLISH', ...component('VEVENT', 'method')),
  ],
  [
    'PUT two UIDs',
    'r/Table/x.ics',
    'PUT',
    { 'content-type': CALENDAR },
    object(...component('VEVENT', 'x'), ...component('VEVENT', 'y')),
  ],
  ['PUT a task', 'r/Table/x.ics', 'PUT', { 'content-type': CALENDAR }, object(...component('VTODO', 'x'))],
  [
    'PUT with If-Match: nothing',
    'r/Table/x.ics',
    'PUT',
    { 'content-type': CALENDAR, 'if-match': 'nothing' },
    event('x'),
  ],
  [
    'PUT with If-None-Match: * over its alias',
    'r/Table/one',
    'PUT',
    { 'content-type': CALENDAR, 'if-none-match': '*' },
    event('one'),
  ],
  ['PUT into a missing collection', 'r/Missing/x.ics', 'PUT', { 'content-type': CALENDAR }, event('x')],
  ['PUT onto the collection', 'r/Table/', 'PUT', { 'content-type': CALENDAR }, event('x')],
  ['REPORT calendar-query, unknown collation', 'r/Table/', 'REPORT', { depth: '1' }, query(COLLATED)],
  [
    'REPORT calendar-query, root not VCALENDAR',
    'r/Table/',
    'REPORT',
    { depth: '1' },
    query('<comp-filter name="VEVENT"/>'),
  ],
  ['REPORT calendar-query without Depth', 'r/Table/', 'REPORT', {}, query(EVENTS)],
  ['REPORT sync-collection, bad token', 'r/Table/', 'REPORT', {}, sync('http://example.org/ns/1')],
  [
    'REPORT sync-collection, nresults=1',
    'r/Table/',
    'REPORT',
    {},
    sync('', '<D:limit><D:nresults>1</D:nresults></D:limit>'),
  ],
  ['REPORT unknown', 'r/Table/', 'REPORT', {}, '<x xmlns="urn:x"/>'],
  ['REPORT free-busy-query', 'r/Table/', 'REPORT', { depth: '1' }, BUSY],
  ['MKCALENDAR existing', 'r/Table/', 'MKCALENDAR'],
  ['MKCALENDAR too deep', 'r/Missing/deeper/', 'MKCALENDAR'],
  ['PROPPATCH displayname and getetag', 'r/Table/', 'PROPPATCH', {}, SET],
  ['PROPFIND with a DTD and entities', 'r/Table/', 'PROPFIND', { depth: '0' }, ENTITY],
  ['PROPFIND without credentials', 'r/Table/', 'PROPFIND', { depth: '0' }],
  ['OPTIONS without credentials', 'r/Table/', 'OPTIONS'],
  ['DELETE with another tag', 'r/Table/one.ics', 'DELETE', { 'if-match': '"1"' }],
  ['DELETE', 'r/Table/one.ics', 'DELETE'],
];

/** The parts of an answer that the table has. */
async function told(answer: Response): Promise<string> {
  const { status } = answer;
  const text = await answer.text();
  if (status === 207) return `207 ${multistatusTold(text)}`;
  if (status === 200 && text !== '') return `200 ${answer.headers.get('content-type')!.split(';')[0]}`;
  const condition = /<D:error[^>]*><(?:\w+:)?([\w-]+)/.exec(text)?.[1];
  const href = /<D:href>([^<]*)</.exec(text)?.[1];
  return [status, condition, href].filter((part) => part !== undefined).join(' ');
}

/** Each response as its address or the status that is none of 200, then the conditions. */
function multistatusTold(text: string): string {
  const responses = [...text.matchAll(/<D:response>(.*?)<\/D:response>/gs)].map(([, inner]) => {
    const href = /<D:href>([^<]*)</.exec(inner!)![1]!;
    const statuses = [...inner!.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    if (statuses.includes('200')) return href;
    if (!inner!.includes('<D:propstat>')) return `${statuses.join(' ')} ${href}`;
    const failures = [...inner!.matchAll(/HTTP\/1\.1 (\d+)[^<]*<\/D:status>(?:<D:error><D:([\w-]+))?/g)];
    return failures.map(([, status, condition]) => (condition ? `${status} ${condition}` : status)).join(' ');
  });
  return [...responses, ...(text.includes('<D:sync-token>') ? ['token'] : [])].join(' ');
}

describe('what DAV clients are answered', () => {
  it('is what the table says', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const alice = gateway.as('alice');
    const body = JSON.stringify({ name: 'Table', view: 3 });
    const made = await alice('r/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    assert.equal(made.status, 201);
    const rows: string[] = [];
    for (const [name, path, method, headers = {}, sent] of REQUESTS) {
      const api = name.endsWith('without credentials') ? gateway.api : alice;
      const answer = await api(path, { method, headers, ...(sent !== undefined && { body: sent }) });
      rows.push(`${name.padEnd(WIDTH)}${await told(answer)}\n`);
      // two members, for the limit to leave one out
      if (name === 'REPORT sync-collection, bad token') {
        const headers2 = { 'content-type': CALENDAR };
        await alice('r/Table/two.ics', { method: 'PUT', headers: headers2, body: event('two') });
      }
    }
    assert.deepEqual(rows.join('').split('\n'), TABLE.split('\n'));
  });
});
