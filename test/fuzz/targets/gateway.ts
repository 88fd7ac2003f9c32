// Whole requests of somebody who is logged in, to every route of a whole gateway with its room server. Whatever they
// say: an answer that is whole and well-formed, nothing of ours that fails, and the next request is served.

import assert from 'node:assert/strict';
import { VIEW } from '../../../src/model.ts';
import { basic, startGateway, type TestGateway } from '../../support/gateway.ts';
import type { Random } from '../../support/random.ts';
import type { Target } from '../engine.ts';
import { receivedFrom, strictAnswer } from '../http-answer.ts';
import { CALENDAR_QUERY, requestsToRoutes, requestTo } from '../requests.ts';

const ROOM = 'Calendars';
const EVENT = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:x',
  'BEGIN:VEVENT',
  'UID:fuzz',
  'DTSTAMP:20260101T000000Z',
  'DTSTART:20260105T100000Z',
  'RRULE:FREQ=DAILY;COUNT=3',
  'SUMMARY:Tea',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

function seeds(): string[] {
  const xml = { 'content-type': 'application/xml', depth: '1' };
  return [
    ...requestsToRoutes(),
    requestTo('PUT', `r/${ROOM}/fuzz.ics`, { 'content-type': 'text/calendar', 'if-none-match': '*' }, EVENT),
    requestTo('REPORT', `r/${ROOM}/`, xml, CALENDAR_QUERY),
    requestTo('GET', 'r/Lobby/1', { range: 'bytes=0-3', 'if-none-match': '"1", W/"2"', prefer: 'return=minimal' }),
    requestTo('PUT', 'r/Lobby/new', { 'content-type': 'multipart/mixed; boundary=b' }, '--b\r\n\r\na\r\n--b--\r\n'),
  ];
}

let starting: Promise<TestGateway> | undefined;
const endings: (() => Promise<void> | void)[] = [];

async function start(): Promise<TestGateway> {
  const gateway = await startGateway({ after: (end) => void endings.unshift(end) }, { demo: true });
  const make = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ name: ROOM, kind: 'personal', view: VIEW.calendar });
  assert.equal((await gateway.as('alice')('r/', { ...make, body })).status, 201);
  return gateway;
}

/** the rest of a request is not waited for */
const UNFINISHED_MS = 50;
const FIRST_LINE = /^[^\r\n]*\r\n/;
/** not read as a request, or for nothing that is there */
const NOT_HANDLED = new Set(['', '400', '404', '405', '411', '413', '414', '417', '431', '501', '505']);

export const gateway: Target = {
  name: 'gateway',
  seeds: seeds().map((text) => Buffer.from(text, 'latin1')),
  words: [
    'Depth: infinity\r\n',
    'If: (<urn:uuid:1> ["1"])\r\n',
    'If: <http://a/svc/r/Lobby/> (Not <DAV:no-lock>)\r\n',
    'Destination: http://a/svc/r/Lobby/x\r\n',
    'Overwrite: F\r\n',
    'Prefer: return=representation, depth-noroot\r\n',
    'Range: bytes=-1\r\n',
    'If-Match: "1"\r\n',
    'If-Modified-Since: Sat, 21 Nov 2026 00:00:00 GMT\r\n',
    'Accept: message/rfc822\r\n',
    'Accept-Encoding: br;q=0.5, gzip\r\n',
    'Origin: http://b\r\n',
    'Sec-Fetch-Site: cross-site\r\n',
    'X-Room-Password: x\r\n',
    'Content-Type: application/json\r\n',
    '?limit=1&before=2',
    '&q=a%20b',
    '%2F',
    '%00',
    '%F0%9F%98%80',
    'a/events',
    '/json',
    '/history/',
    '<D:prop xmlns:D="DAV:"><D:acl/></D:prop>',
    '{"a":[1,"\\u0000"]}',
  ],
  vary(input, other, random: Random) {
    const [head = '', body = ''] = halves(input);
    const lines = head.split('\r\n');
    const change = random(4);
    if (change === 0) lines[0] = (halves(other)[0] ?? '').split('\r\n')[0]!;
    else if (change === 1) {
      const fields = gateway.words.filter((word) => word.endsWith('\r\n'));
      lines.splice(1 + random(lines.length), 0, fields[random(fields.length)]!.trimEnd());
    } else if (change === 2) lines[0] = lines[0]!.replace(/ (\S*)/, (_, path: string) => ` ${changed(path, random)}`);
    const content = change === 3 ? (halves(other)[1] ?? '') : body;
    const rest = lines.filter((line) => !/^content-length:/i.test(line));
    if (content !== '') rest.push(`content-length: ${content.length}`);
    return Buffer.from(`${rest.join('\r\n')}\r\n\r\n${content}`, 'latin1');
  },
  async run(input) {
    const site = await (starting ??= start());
    const text = input.toString('latin1');
    const asking = `authorization: ${basic('alice')}\r\nconnection: close\r\n`;
    const whole = text.replace(FIRST_LINE, (line) => line + asking);
    const { port } = new URL(site.url);
    const { received, hasLeft } = await receivedFrom(Number(port), Buffer.from(whole, 'latin1'), UNFINISHED_MS);
    assert.deepEqual(site.faults.splice(0), []);
    if (received === '') return 'refused: nothing was asked';
    const { status, isWhole } = strictAnswer(received, text.startsWith('HEAD '));
    assert.notEqual(status, '500', received);
    assert.ok(isWhole || hasLeft, 'an answer is cut off');
    return NOT_HANDLED.has(status) ? `refused: ${status}` : `${status} ${/^\S*/.exec(text)}`;
  },
  async close() {
    starting = undefined;
    for (const end of endings.splice(0)) await end();
  },
};

function halves(input: Buffer): [head?: string, body?: string] {
  const text = input.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 4)];
}

function changed(path: string, random: Random): string {
  const segments = path.split('/');
  const at = random(segments.length);
  const others = ['Lobby', ROOM, 'Mail', 'alice', 'bob', '1', '2', '46', 'new', 'json', 'a%2Fb', '%C3%A4', '', '..'];
  segments[at] = others[random(others.length)]!;
  return segments.join('/');
}
