// Answers on their way to clients that are slow, send bodies that nobody reads, or have gone.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Outgoing } from '../../src/http/outgoing.ts';
import { sendJson } from '../../src/http/respond.ts';
import { STALL_TIMEOUT_MS } from '../../src/limits/http.ts';
import { eventually } from '../support/eventually.ts';
import { dial, exchangeRaw, head, receive, serve } from './serving.ts';

/** what a connection's buffers surely cannot hold */
const LARGE = 16 * 1024 * 1024;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('clients that do not read', () => {
  it('are dropped when they take nothing for a while', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const outgoing = new Outgoing();
    const site = await serve(t, (exchange) => sendJson(exchange, 200, 'a'.repeat(LARGE)), { outgoing });
    const reader = await dial(site.port);
    t.after(() => reader.destroy());
    reader.pause().write(head('GET /'));
    while (outgoing.bytes.held === 0) await turn();
    let isFull = 0;
    // the buffers of the connection take some first
    for (let before = -1; isFull < 1000; isFull = before === reader.bytesRead ? isFull + 1 : 0) {
      before = reader.bytesRead;
      await turn();
    }
    t.mock.timers.tick(STALL_TIMEOUT_MS - 1);
    await turn();
    assert.equal(outgoing.bytes.held, LARGE + 2);
    t.mock.timers.tick(1);
    const closed = once(reader.resume(), 'close');
    await closed;
    assert.ok(reader.bytesRead < LARGE);
    assert.equal(outgoing.bytes.held, 0);
  });

  it('behind an answer that is not there yet are let go with their connection', async (t) => {
    const outgoing = new Outgoing();
    const site = await serve(
      t,
      (exchange) =>
        exchange.rawPath === '/never' ? new Promise<void>(() => {}) : sendJson(exchange, 200, 'a'.repeat(LARGE)),
      { outgoing },
    );
    const socket = await dial(site.port);
    socket.write(head('GET /never') + head('GET /'));
    await eventually(async () => outgoing.bytes.held, LARGE + 2);
    socket.destroy();
    await eventually(async () => outgoing.bytes.held, 0);
  });
});

describe('a large answer', () => {
  const value = Array.from({ length: 50_000 }, (_, i) => `entry ${i}`);

  it('arrives whole, packed or not, also by HEAD and to who sends a body that nobody reads', async (t) => {
    const site = await serve(t, (exchange) => sendJson(exchange, 200, value, { 'X-A': 'b' }));
    for (const encoding of ['identity', 'gzip', 'br']) {
      const answer = await fetch(site.url, { headers: { 'accept-encoding': encoding } });
      assert.equal(answer.headers.get('content-encoding'), encoding === 'identity' ? null : encoding);
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
      assert.equal(answer.headers.get('x-a'), 'b');
      assert.deepEqual(await answer.json(), value);
    }
    const length = JSON.stringify(value).length;
    const only = await exchangeRaw(site.port, head('HEAD /', 'Connection: close'));
    assert.match(only, new RegExp(`Content-Length: ${length}\\r\\n[\\s\\S]*\\r\\n\\r\\n$`));
    const posted = await fetch(site.url, { method: 'POST', body: randomBytes(100_000) });
    assert.deepEqual(await posted.json(), value);
  });

  it('leaves its connection usable', async (t) => {
    const site = await serve(t, (exchange) =>
      exchange.rawPath === '/' ? sendJson(exchange, 200, value) : sendJson(exchange, 200, 'small'),
    );
    const socket = await dial(site.port);
    socket.write(head('GET /') + head('GET /next', 'Connection: close'));
    const received = await receive(socket);
    assert.match(received, /"entry 49999"\]HTTP\/1\.1 200 OK[\s\S]*"small"$/);
  });
});
