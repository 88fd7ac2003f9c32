// Bodies that come slowly: who may go on, who is told 408, and that only the client's own time counts.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { BodyWait, bodyStream, readBody, waitingTimeFor } from '../../src/http/body.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { asJson, send, sendEmpty } from '../../src/http/respond.ts';
import { ANONYMOUS_BODY_WAIT_MS, BODY_WAIT_MS, MIN_BODY_BYTES_PER_SECOND } from '../../src/limits/http.ts';
import { dial, exchangeRaw, head, receive, serve } from './serving.ts';

const KIB = 1024;
const loggedIn = () => new BodyWait(waitingTimeFor({ isLoggedIn: true } as Exchange));
/** a short time that nothing gives back */
const short = (maxMs: number) => new BodyWait({ maxMs, msPerByte: 0 });
/** Time passes when it is told to, and no other. */
function clockOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  return (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
}
const turns = async (count = 20) => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

describe('the time that a body may take', () => {
  it('is enough for 200 MB at 20 KiB a second with many pauses', () => {
    const wait = loggedIn();
    for (let sent = 0, second = 1; sent < 200e6; second++) {
      const pause = second % 60 === 0 ? 20 : second % 10 === 0 ? 4 : 0;
      wait.waited(1000 + pause * 1000);
      assert.ok(wait.leftMs > 0, `${sent} bytes had come`);
      wait.received(20 * KIB);
      sent += 20 * KIB;
    }
  });

  it('is enough at the least rate, and not for one byte less in a second', () => {
    const lasts = (bytesPerSecond: number) => {
      const wait = loggedIn();
      let seconds = 0;
      for (; seconds < 200_000 && wait.leftMs > 0; seconds++) {
        wait.waited(1000);
        wait.received(bytesPerSecond);
      }
      return seconds;
    };
    assert.equal(lasts(MIN_BODY_BYTES_PER_SECOND), 200_000);
    assert.ok(lasts(MIN_BODY_BYTES_PER_SECOND - 1) < 100_000);
  });

  it('cannot be saved up: what came fast gives no more than one pause', () => {
    const wait = loggedIn();
    wait.received(2 ** 30);
    wait.waited(BODY_WAIT_MS - 1);
    assert.ok(wait.leftMs > 0);
    wait.waited(1);
    assert.equal(wait.leftMs, 0);
  });

  it('ends after two bytes of a client that sends one in 30 seconds', () => {
    const wait = loggedIn();
    let bytes = 0;
    for (; wait.leftMs > 30_000; bytes++) {
      wait.waited(30_000);
      wait.received(1);
    }
    assert.ok(bytes <= 2, `${bytes}`);
  });
});

for (const [who, isLoggedIn, ms] of [
  ['nobody knows', false, ANONYMOUS_BODY_WAIT_MS],
  ['has logged in', true, BODY_WAIT_MS],
] as const) {
  it(`ends after ${ms / 1000} silent seconds for a client that ${who}: 408, and the connection is freed`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const reading = Promise.withResolvers<void>();
    const site = await serve(t, async (exchange) => {
      if (isLoggedIn) exchange.markLoggedIn();
      const body = readBody(exchange, 100);
      await turns();
      reading.resolve();
      await send(exchange, 200, asJson((await body).toString()));
    });
    const socket = await dial(site.port);
    let received = '';
    socket.on('data', (bytes) => (received += bytes));
    const closed = once(socket, 'close');
    socket.write(head('POST /', 'Content-Length: 10'));
    await reading.promise;
    t.mock.timers.tick(ms - 1);
    await turns();
    assert.equal(received, '');
    t.mock.timers.tick(1);
    while (!received.includes('}')) await new Promise(setImmediate);
    assert.match(received, /^HTTP\/1.1 408 [\s\S]*\r\nConnection: close\r\n/);
    assert.match(received, /application\/problem\+json/);
    t.mock.timers.tick(10_000);
    await closed;
  });
}

describe('only the time of the client counts', () => {
  const told = (t: TestContext, maxMs: number, each: () => Promise<void> | void) =>
    serve(t, async (exchange) => {
      for await (const _ of bodyStream(exchange, 2 ** 20, short(maxMs))) await each();
      await sendEmpty(exchange, 204);
    });

  it('not that in which nobody reads', async (t) => {
    const pass = clockOf(t);
    const [begun, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const site = await told(t, 150, () => {
      begun.resolve();
      return free.promise;
    });
    const socket = await dial(site.port);
    socket.write(`${head('POST /', 'Content-Length: 3', 'Connection: close')}a`);
    await begun.promise;
    pass(10_000);
    socket.write('b');
    await turns();
    pass(10_000);
    free.resolve();
    socket.write('c');
    assert.match(await receive(socket), /^HTTP\/1.1 204 /);
  });

  it('not that in which this process was busy, when something has come meanwhile', async (t) => {
    const site = await told(t, 50, () => {});
    const socket = await dial(site.port);
    socket.write(head('POST /', 'Content-Length: 1', 'Connection: close'));
    await turns();
    socket.write('x');
    for (const end = performance.now() + 150; performance.now() < end; );
    assert.match(await receive(socket), /^HTTP\/1.1 204 /);
  });
});

describe('what is no content gives no time back', () => {
  const MAX_MS = 150;
  const trickles: Record<string, [first: string, drop: string]> = {
    'bytes of a length': ['Content-Length: 100000', 'x'],
    'a chunk extension': ['Transfer-Encoding: chunked', 'x'],
    trailers: ['Transfer-Encoding: chunked', 'x'],
    'nothing after Expect: 100-continue': ['Expect: 100-continue\r\nContent-Length: 10', ''],
  };
  const beginnings: Record<string, string> = { 'a chunk extension': '4;', trailers: '0\r\nX: ' };
  for (const [name, [fields, drop]] of Object.entries(trickles)) {
    it(`${name}: 408`, async (t) => {
      const site = await serve(t, async (exchange) => {
        for await (const _ of bodyStream(exchange, 2 ** 20, short(MAX_MS)));
        await sendEmpty(exchange, 204);
      });
      const socket = await dial(site.port);
      socket.write(`${head('POST /', fields)}${beginnings[name] ?? ''}`);
      const drip = setInterval(() => drop && socket.write(drop), 20);
      t.after(() => clearInterval(drip));
      const answer = await receive(socket, (text) => text.includes('}'));
      assert.match(answer, /HTTP\/1.1 408 [\s\S]*\r\nConnection: close\r\n/);
    });
  }
});

it('a body that comes evenly goes on for as long as it comes', async (t) => {
  const pass = clockOf(t);
  let size = 0;
  const site = await serve(t, async (exchange) => {
    const wait = new BodyWait({ maxMs: 200, msPerByte: 20 });
    for await (const piece of bodyStream(exchange, 2 ** 20, wait)) size += piece.length;
    await send(exchange, 200, asJson(size));
  });
  const socket = await dial(site.port);
  socket.write(head('POST /', 'Content-Length: 300', 'Connection: close'));
  for (let sent = 0; sent < 300; sent += 10) {
    await turns();
    pass(150);
    await turns();
    socket.write('0123456789');
    for (let i = 0; i < 100_000 && size < sent + 10; i++) await new Promise(setImmediate);
    assert.equal(size, sent + 10);
  }
  assert.match(await receive(socket), /300$/);
});

it('what is pipelined behind a body that stops does not become a request', async (t) => {
  const seen: string[] = [];
  const site = await serve(t, async (exchange) => {
    seen.push(exchange.rawPath);
    for await (const _ of bodyStream(exchange, 100, short(20)));
    await sendEmpty(exchange, 204);
  });
  const answer = await exchangeRaw(site.port, `${head('POST /a', 'Content-Length: 90')}${head('GET /b')}`);
  assert.match(answer, /^HTTP\/1.1 408 /);
  assert.deepEqual(seen, ['/a']);
});
