// Whole requests of somebody who is logged in, to every route of a whole gateway with its room server. Whatever they
// say: an answer that is whole and well-formed, nothing of ours that fails, and the next request is served.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { routes } from '../../../src/api/routes.ts';
import { addDavRoutes } from '../../../src/dav/routes.ts';
import { readXml } from '../../../src/dav/xml-read.ts';
import { VIEW } from '../../../src/model.ts';
import { askedOf } from '../../support/access-requests.ts';
import { basic, startGateway, type TestGateway } from '../../support/gateway.ts';
import type { Random } from '../../support/random.ts';
import type { Target } from '../engine.ts';

const PREFIX = '/svc/';
/** what a made-up password, account or log-out would spoil for all that comes later */
const LEFT_OUT =
  /^(?:POST a\/password|\w+ a\/logout|POST a\/login|\w+ a\/app-passwords|DELETE u\/|DELETE r\/:room\/?$)/;
/** an answer that has begun and goes on for ever, or one that nothing comes of */
const PATIENCE_MS = 20_000;
const ROOM = 'Calendars';
const VALUES: Readonly<Record<string, string>> = {
  room: 'Lobby',
  name: '1',
  part: '1',
  user: 'alice',
  num: '0',
  id: 'AAAAAAAAAAAAAAAAAAAAAA',
};
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
const C = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"';
const EVENTS = '<C:comp-filter name="VEVENT"><C:time-range start="20260101T000000Z"/></C:comp-filter>';
const FILTER = `<C:filter><C:comp-filter name="VCALENDAR">${EVENTS}</C:comp-filter></C:filter>`;
const WANTED = '<D:prop><D:getetag/><C:calendar-data/></D:prop>';
const QUERY = `<C:calendar-query ${C}>${WANTED}${FILTER}</C:calendar-query>`;

function request(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const fields = Object.entries({ host: 'a', ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${PREFIX}${path} HTTP/1.1\r\n${fields.join('')}\r\n${body}`;
}

function seeds(): string[] {
  const router = routes(PREFIX);
  addDavRoutes(router, PREFIX);
  const all = router.routes().flatMap(({ method, pattern }) => {
    if (!pattern.startsWith(PREFIX)) return [];
    const below = pattern.slice(PREFIX.length);
    return LEFT_OUT.test(`${method} ${below}`) ? [] : askedOf(method === '*' ? 'PROPFIND' : method, below);
  });
  const requests = all.map(({ method, pattern, query = '', headers, body = '' }) => {
    const path = pattern.replace('*path', 'a/b').replace(/:(\w+)/g, (_, name: string) => VALUES[name] ?? name);
    return request(method, path + query, headers, body.toString('latin1'));
  });
  const xml = { 'content-type': 'application/xml', depth: '1' };
  return [
    ...new Set(requests), // one request is asked in several places
    request('PUT', `r/${ROOM}/fuzz.ics`, { 'content-type': 'text/calendar', 'if-none-match': '*' }, EVENT),
    request('REPORT', `r/${ROOM}/`, xml, QUERY),
    request('GET', 'r/Lobby/1', { range: 'bytes=0-3', 'if-none-match': '"1", W/"2"', prefer: 'return=minimal' }),
    request('PUT', 'r/Lobby/new', { 'content-type': 'multipart/mixed; boundary=b' }, '--b\r\n\r\na\r\n--b--\r\n'),
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

/** What comes back until the gateway has ended the connection; of a stream its beginning. */
async function answerTo(gateway: TestGateway, bytes: Buffer): Promise<string> {
  const { port } = new URL(gateway.url);
  const socket = connect(Number(port), '127.0.0.1');
  const ended = Promise.withResolvers<void>();
  const late = setTimeout(() => ended.reject(new Error('no end of the answer')), PATIENCE_MS);
  let received = '';
  socket.on('data', (piece: Buffer) => {
    received += piece.toString('latin1');
    if (/^content-type: text\/event-stream/im.test(received)) ended.resolve();
  });
  socket.on('close', () => ended.resolve()).on('error', () => {});
  socket.end(bytes);
  try {
    await ended.promise;
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
  return received;
}

const FIRST_LINE = /^[^\r\n]*\r\n/;
const ANSWER =
  /^(?:HTTP\/1\.1 100[^\r\n]*\r\n\r\n)*HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[!-9;-~]+: [\t -~\x80-\xff]*\r\n)*)\r\n/;
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
    const received = await answerTo(
      site,
      Buffer.from(
        text.replace(FIRST_LINE, (line) => line + asking),
        'latin1',
      ),
    );
    assert.deepEqual(site.faults.splice(0), []);
    if (received === '') return 'refused: nothing was asked';
    const match = ANSWER.exec(received);
    assert.ok(match, `no answer: ${JSON.stringify(received.slice(0, 300))}`);
    const [head, status = '', fields = ''] = match;
    assert.notEqual(status, '500', received);
    wellFormed(fields, Buffer.from(received.slice(head.length), 'latin1'), text.startsWith('HEAD '));
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

/** `content`: of an answer whose connection was closed behind it. */
function wellFormed(fields: string, content: Buffer, isHead: boolean): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(fields)?.[1];
  const length = field('content-length');
  if (isHead) return;
  if (length !== undefined) assert.ok(content.length === Number(length), `${content.length} bytes of ${length}`);
  const type = field('content-type') ?? '';
  if (length === undefined || content.length === 0 || field('content-encoding') !== undefined) return;
  // what somebody has posted is as he has posted it
  if (/^sandbox/.test(field('content-security-policy') ?? '') && !/atom/.test(type)) return;
  if (/json/.test(type)) JSON.parse(content.toString());
  else if (/xml/.test(type)) readXml(content);
}
