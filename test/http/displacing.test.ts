// A full house: who waits for nobody known gives its place to who comes new, and who has logged in keeps his.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBody } from '../../src/http/body.ts';
import type { ListenOptions } from '../../src/http/listener.ts';
import { asPlainText, send, sendEmpty } from '../../src/http/respond.ts';
import { MAX_PIPELINED_REQUESTS } from '../../src/limits/http.ts';
import { eventually } from '../support/eventually.ts';
import { dial, exchangeRaw, head, receive, serve } from './serving.ts';

const statusOf = (answer: string) => Number(answer.slice(9, 12));
/** in which nothing further may happen */
const SETTLE_MS = 300;
const CLOSE = 'Connection: close';
const SLOW_BODY = `${head('POST /', 'Content-Length: 100')}x`;

/** `/in` is of somebody who has logged in, and is answered when the test says so. */
async function serveSlowly(t: TestContext, options: Partial<ListenOptions>) {
  const answers: (() => void)[] = [];
  const site = await serve(
    t,
    async (exchange) => {
      if (exchange.rawPath === '/in') {
        exchange.markLoggedIn();
        await new Promise<void>((resolve) => answers.push(resolve));
      } else {
        await readBody(exchange, 1000);
      }
      await send(exchange, 200, asPlainText(exchange.rawPath));
    },
    { displaceAfterMs: 0, ...options },
  );
  const begun = async (request: string) => {
    const socket = await dial(site.port);
    socket.on('error', () => {});
    const requests = once(site.server, 'request');
    socket.write(request);
    await requests;
    return socket;
  };
  const ask = () => exchangeRaw(site.port, head('GET /', CLOSE)).then(statusOf);
  return { site, answers, begun, ask };
}

const isOpen = (socket: Socket) => !socket.readableEnded && !socket.destroyed;

describe('in a full house', () => {
  it('the client whose body has been waited for longest loses its place, and no other', async (t) => {
    const { begun, ask } = await serveSlowly(t, { maxConnections: 3 });
    const slow = [await begun(SLOW_BODY), await begun(SLOW_BODY), await begun(SLOW_BODY)];
    const closed = once(slow[0]!.resume(), 'close');
    assert.equal(await ask(), 200);
    await closed;
    assert.deepEqual(slow.map(isOpen), [false, true, true]);
  });

  it('so do connections that have said nothing, or half of a request, or wait for the next one', async (t) => {
    const { site, ask } = await serveSlowly(t, { maxConnections: 3 });
    const kinds = ['', 'GET / HTT', head('GET /')];
    const sockets: Socket[] = [];
    for (const text of kinds) {
      const socket = await dial(site.port);
      socket.write(text);
      if (text.endsWith('\r\n\r\n')) await once(socket, 'data');
      sockets.push(socket.resume());
    }
    for (const [i, socket] of sockets.entries()) {
      const closed = once(socket, 'close');
      const another = await dial(site.port);
      await closed;
      assert.equal(sockets.filter(isOpen).length, kinds.length - 1 - i);
      another.on('error', () => {}).resume();
    }
    assert.equal(await ask(), 200);
  });

  it('who has logged in keeps his place until he is answered', async (t) => {
    const { begun, ask, answers } = await serveSlowly(t, { maxConnections: 2 });
    const inside = [await begun(head('GET /in')), await begun(head('GET /in'))];
    assert.equal(await ask(), 503);
    assert.deepEqual(inside.map(isOpen), [true, true]);
    answers[0]!();
    assert.match(await receive(inside[0]!, (text) => text.endsWith('/in')), / 200 /);
    assert.equal(await ask(), 200);
    answers[1]!();
    assert.match(await receive(inside[1]!, (text) => text.endsWith('/in')), / 200 /);
  });

  it('a connection keeps its place as long as one of several requests on it is of a user', async (t) => {
    const { begun, ask, answers } = await serveSlowly(t, { maxConnections: 1 });
    const inside = await begun(head('GET /in') + head('GET /') + head('GET /in'));
    assert.equal(await ask(), 503);
    assert.equal(isOpen(inside), true);
    for (const answer of answers) answer();
    assert.match(await receive(inside, (text) => text.split('200 OK').length === 4), / 200 /);
  });

  it('who has only just come is not sent away', async (t) => {
    const { site, ask } = await serveSlowly(t, { maxConnections: 1, displaceAfterMs: 200 });
    const first = await dial(site.port);
    assert.equal(await ask(), 503);
    assert.equal(isOpen(first), true);
    await sleep(250);
    assert.equal(await ask(), 200);
  });

  it('a client that has all that one may have makes room for its own newcomers only', async (t) => {
    const { begun, ask, site } = await serveSlowly(t, { maxPerAddress: 2 });
    const other = connect({ port: site.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    await once(other, 'connect');
    const slow = [await begun(SLOW_BODY), await begun(SLOW_BODY)];
    const closed = once(slow[0]!.resume(), 'close');
    assert.equal(await ask(), 200);
    await closed;
    assert.deepEqual([other, ...slow].map(isOpen), [true, false, true]);
    other.destroy();
  });

  it('places are counted right afterwards', async (t) => {
    const { begun, ask } = await serveSlowly(t, { maxConnections: 2, maxPerAddress: 2 });
    for (let i = 0; i < 10; i++) await begun(SLOW_BODY);
    await begun(head('GET /in'));
    await begun(head('GET /in'));
    assert.equal(await ask(), 503);
  });
});

describe('requests on one connection that wait for their answers', () => {
  for (const count of [MAX_PIPELINED_REQUESTS, MAX_PIPELINED_REQUESTS + 1, 1000]) {
    it(`are answered, but for those that are too many: of ${count}`, async (t) => {
      const gate = Promise.withResolvers<void>();
      let seen = 0;
      const site = await serve(t, async (exchange) => {
        if (++seen === MAX_PIPELINED_REQUESTS) setImmediate(gate.resolve);
        await gate.promise;
        await sendEmpty(exchange, 204);
      });
      const socket = await dial(site.port);
      const received = receive(socket, (text) => text.split(' 204 ').length > count);
      socket.write(head('GET /').repeat(count));
      const statuses = [...(await received).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
      const answered = Array<string>(MAX_PIPELINED_REQUESTS).fill('204');
      assert.deepEqual(statuses, count > MAX_PIPELINED_REQUESTS ? [...answered, '429'] : answered);
      assert.equal(seen, MAX_PIPELINED_REQUESTS);
    });
  }

  it('are read no further while so many wait, however many are sent', async (t) => {
    const request = head('GET /');
    let read = 0;
    const site = await serve(t, () => new Promise<void>(() => {}));
    site.server.on('request', () => read++);
    const socket = await dial(site.port);
    socket.on('error', () => {});
    socket.write(request.repeat(50_000));
    await eventually(async () => read > MAX_PIPELINED_REQUESTS, true);
    await sleep(SETTLE_MS);
    // those that one read of the socket brought are taken apart, too
    assert.ok(read <= MAX_PIPELINED_REQUESTS + (2 * 65_536) / request.length, `${read}`);
    socket.destroy();
  });
});
