// Bytes of an HTTP client. Each request that reaches the handler has one answer, of the length that it says; the
// answers are the same however the network cuts what was sent; the next client is served.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { bodyStream } from '../../../src/http/body.ts';
import type { Exchange } from '../../../src/http/exchange.ts';
import { listen } from '../../../src/http/listener.ts';
import { asJson, send as sendAnswer } from '../../../src/http/respond.ts';
import { randomFrom } from '../../support/random.ts';
import type { Target } from '../engine.ts';

const MAX_BODY_BYTES = 100_000;
const SEEDS = [
  'GET /svc/r/?a=1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nT: v\r\n\r\n',
  'HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx',
  'GET http://b/x%2Fy HTTP/1.1\r\nHost: a\r\nCookie: a=b; c="d"\r\nRange: bytes=0-\r\nIf-None-Match: W/"y"\r\n\r\n',
];

/** What the handler saw, in order. */
let seen: string[] = [];

async function handle(exchange: Exchange): Promise<void> {
  let bytes = 0;
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD')
    for await (const piece of bodyStream(exchange, MAX_BODY_BYTES)) bytes += piece.length;
  const request = `${exchange.method} ${exchange.rawPath} ${exchange.query.get('a')} ${exchange.cookies.size} ${bytes}`;
  seen.push(request);
  await sendAnswer(exchange, 200, asJson({ request }));
}

let listening: ReturnType<typeof listen> | undefined;
const faults: unknown[] = [];

const start = () =>
  (listening ??= listen({
    at: { host: '127.0.0.1', port: 0 },
    handle,
    logError: (_id, error) => faults.push(error),
    graceMs: 100,
  }));

async function send(pieces: readonly Buffer[]): Promise<string> {
  const { port } = (await start()).server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay();
  let received = '';
  socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
  const closed = new Promise<void>((resolve) => socket.once('close', resolve).on('error', () => {}));
  for (const piece of pieces) {
    socket.write(piece);
    if (pieces.length > 1) await new Promise(setImmediate);
  }
  socket.end();
  await closed;
  return received;
}

const ANSWER = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[!-9;-~]+: [^\r\n]*\r\n)*)\r\n/;

/** The statuses of the answers; throws where what was received is not a row of whole answers. */
function statusesOf(received: string, mayBeHead: boolean): string[] {
  const statuses: string[] = [];
  for (let at = 0; at < received.length; ) {
    const match = ANSWER.exec(received.slice(at));
    assert.ok(match, `no answer: ${JSON.stringify(received.slice(at, at + 200))}`);
    const [head, status, fields] = match as unknown as [string, string, string];
    at += head.length;
    if (status === '100') continue;
    const length = /^content-length: (\d+)\r$/im.exec(fields)?.[1];
    // of a request that was refused nobody knows the method
    const hasNone = mayBeHead && (at === received.length || received.startsWith('HTTP/1.1 ', at));
    if (!hasNone && status !== '204' && status !== '304') {
      assert.ok(length !== undefined || /^connection: close\r$/im.test(fields), `no length: ${fields}`);
      at = length === undefined ? received.length : at + Number(length);
    }
    assert.ok(at <= received.length, 'an answer is cut off');
    statuses.push(status);
  }
  return statuses;
}

export const http: Target = {
  name: 'http',
  seeds: SEEDS.map((text) => Buffer.from(text)),
  words: [
    '\r\n',
    '\n',
    '\r\n ',
    'Content-Length: 3\r\n',
    'Content-Length: +3\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: identity, chunked\r\n',
    'Host: b\r\n',
    'Connection: close\r\n',
    'Accept: text/html;q=0.5, */*\r\n',
    'If-Match: *\r\n',
    'Range: bytes=5-1,-3\r\n',
    'Authorization: Basic YTpi\r\n',
    'X-Forwarded-For: 1.2.3.4\r\n',
    'Connection: upgrade\r\nUpgrade: websocket\r\n',
    'Expect: x\r\n',
    'HTTP/1.0',
    'HTTP/2.0',
    '0\r\n\r\n',
    'ffffffffffffffff\r\n',
    '%00',
    '%2e%2e/',
    '\x00',
    ': ',
  ],
  vary(input, _other, random) {
    const lines = input.toString('latin1').split('\r\n');
    const fields = http.words.filter((word) => word.endsWith('\r\n') && word.includes(': '));
    const field =
      random(3) === 0 ? `X-${random(9)}: ${'y'.repeat(random(300))}` : fields[random(fields.length)]!.trimEnd();
    const last = lines.indexOf('');
    lines.splice(last < 0 ? lines.length : 1 + random(last), 0, field);
    return Buffer.from(lines.join('\r\n'), 'latin1');
  },
  async run(input) {
    seen = [];
    const whole = await send([input]);
    const requests = seen;
    const statuses = statusesOf(whole, input.includes('HEAD'));
    const good = statuses.filter((status) => status === '200').length;
    assert.equal(good, requests.length, `requests ${requests.join(', ')}, answers ${statuses.join(' ')}`);
    seen = [];
    const at = randomFrom(input.length + 1)(input.length + 1);
    await send([input.subarray(0, at), input.subarray(at)]);
    assert.deepEqual(seen, requests, `cut at ${at}`);
    assert.deepEqual(faults, []);
    return good > 0 ? statuses.slice(0, 4).join(' ') : `refused: ${statuses.slice(0, 4).join(' ')}`;
  },
  async close() {
    const listener = await listening;
    listening = undefined;
    listener?.server.closeAllConnections();
    await listener?.close();
  },
};
