// Bounds on what one client may have of the connections: by its own address, or behind a trusted proxy by the one it
// names.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import type { Exchange } from '../../src/http/exchange.ts';
import { asPlainText, send, sendEmpty } from '../../src/http/respond.ts';
import { LINGER_TIMEOUT_MS, MAX_REFUSED_CONNECTIONS } from '../../src/limits/http.ts';
import { dial, exchangeRaw, head, receive, type Site, serve } from './serving.ts';

const statusOf = (answer: string) => Number(answer.slice(9, 12));
const isAnswered = (received: string) => received.includes('\r\n\r\n');
const CLOSE = 'Connection: close';

/** Resolves when the server has seen the end of the connection that comes next. */
function nextEnd({ server }: Site): Promise<void> {
  return new Promise((resolve) => {
    server.once('connection', (socket: Socket) => socket.once('close', () => resolve()));
  });
}

/** From another address of this machine. */
async function dialFrom(localAddress: string, port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  await once(socket, 'connect');
  return socket;
}

describe('connections of one address', () => {
  it('are served up to the bound; a further one is told 429, others are served all the same', async (t) => {
    const site = await serve(t, (exchange) => sendEmpty(exchange, 204), { maxPerAddress: 2 });
    const own = [await dial(site.port), await dial(site.port)];
    const refused = await exchangeRaw(site.port, head('GET /'));
    assert.equal(statusOf(refused), 429);
    assert.match(refused, /\r\nRetry-After: \d+\r\n/);
    assert.match(refused, /\r\nConnection: close\r\n/);
    const other = await dialFrom('127.0.0.2', site.port);
    other.write(head('GET /', CLOSE));
    assert.equal(statusOf(await receive(other)), 204);
    for (const socket of own) {
      socket.write(head('GET /'));
      assert.equal(statusOf(await receive(socket, isAnswered)), 204);
    }
  });

  it('make room when they end', async (t) => {
    const site = await serve(t, (exchange) => sendEmpty(exchange, 204), { maxPerAddress: 1 });
    for (let i = 0; i < 3; i++) {
      const ended = nextEnd(site);
      assert.equal(statusOf(await exchangeRaw(site.port, head('GET /', CLOSE))), 204, `connection ${i + 1}`);
      await ended;
    }
  });

  it('that are refused take no place from others, and only so many wait to be told', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const site = await serve(t, (exchange) => sendEmpty(exchange, 204), { maxPerAddress: 1, maxConnections: 2 });
    const own = await dial(site.port);
    const refused = await Promise.all(Array.from({ length: MAX_REFUSED_CONNECTIONS }, () => dial(site.port)));
    assert.equal(await exchangeRaw(site.port, head('GET /')), '', 'no answer');
    t.mock.timers.tick(LINGER_TIMEOUT_MS);
    await Promise.all(refused.map((socket) => receive(socket)));
    const other = await dialFrom('127.0.0.2', site.port);
    other.write(head('GET /', CLOSE));
    assert.equal(statusOf(await receive(other)), 204);
    own.destroy();
  });
});

describe('behind a trusted proxy', () => {
  const from = (address: string, ...fields: string[]) =>
    head('GET /', `X-Forwarded-For: 6.6.6.6, ${address}`, ...fields);

  /** Requests wait until they are told to end. */
  async function serveWaiting(t: TestContext, maxPerAddress: number) {
    const running: { address: string; finish(): void }[] = [];
    let wake = () => {};
    const site = await serve(
      t,
      async (exchange: Exchange) => {
        await new Promise<void>((resolve) => {
          running.push({ address: exchange.remoteAddress, finish: resolve });
          wake();
        });
        await send(exchange, 200, asPlainText('done'));
      },
      { trustProxy: true, maxPerAddress },
    );
    const started = async (count: number) => {
      while (running.length < count) await new Promise<void>((resolve) => (wake = resolve));
    };
    return { site, running, started };
  }

  it('the requests are counted that run for a client, not the connections of the proxy', async (t) => {
    const { site, running, started } = await serveWaiting(t, 2);
    const idle = await Promise.all(Array.from({ length: 5 }, () => dial(site.port)));
    const answers = ['1.1.1.1', '1.1.1.1', '2.2.2.2', '2001:db8::1', '2001:db8::2'].map((address) =>
      exchangeRaw(site.port, from(address, CLOSE)),
    );
    await started(5);
    for (const address of ['1.1.1.1', '2001:db8::3']) {
      assert.equal(statusOf(await exchangeRaw(site.port, from(address, CLOSE))), 429, address);
    }
    for (const { finish } of running) finish();
    for (const answer of answers) assert.equal(statusOf(await answer), 200);
    for (const socket of idle) socket.destroy();
  });

  it('a request is counted until its answer has gone out', async (t) => {
    const site = await serve(t, (exchange) => sendEmpty(exchange, 204), { trustProxy: true, maxPerAddress: 1 });
    const socket = await dial(site.port);
    for (let i = 0; i < 3; i++) {
      socket.write(from('1.1.1.1'));
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      assert.equal(statusOf(bytes.toString()), 204, `request ${i + 1}`);
    }
    socket.destroy();
  });

  it('one client that is refused does not cost the others the connection of the proxy', async (t) => {
    const { site, running, started } = await serveWaiting(t, 1);
    const first = exchangeRaw(site.port, from('1.1.1.1', CLOSE));
    await started(1);
    const both = exchangeRaw(site.port, from('1.1.1.1') + from('2.2.2.2', CLOSE));
    await started(2);
    for (const { finish } of running) finish();
    assert.deepEqual((await both).match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 429', 'HTTP/1.1 200']);
    assert.equal(statusOf(await first), 200);
  });

  it('requests that are lost with their connection, pipelined ones too, are counted no longer', async (t) => {
    const { site, running, started } = await serveWaiting(t, 2);
    const ended = nextEnd(site);
    const socket = await dial(site.port);
    socket.write(from('1.1.1.1') + from('1.1.1.1'));
    await started(2);
    assert.equal(statusOf(await exchangeRaw(site.port, from('1.1.1.1', CLOSE))), 429);
    socket.destroy();
    await ended;
    const again = exchangeRaw(site.port, from('1.1.1.1', CLOSE));
    const twice = exchangeRaw(site.port, from('1.1.1.1', CLOSE));
    await started(4);
    assert.equal(statusOf(await exchangeRaw(site.port, from('1.1.1.1', CLOSE))), 429);
    for (const { finish } of running) finish();
    for (const answer of [again, twice]) assert.equal(statusOf(await answer), 200);
  });
});
