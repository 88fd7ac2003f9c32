import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBody } from '../../src/http/body.ts';
import { listen } from '../../src/http/listener.ts';
import { asPlainText, send, sendEmpty } from '../../src/http/respond.ts';
import {
  LINGER_TIMEOUT_MS,
  MAX_DISCARD_BYTES,
  MAX_HEADER_COUNT,
  MAX_REFUSED_CONNECTIONS,
  MAX_URL_BYTES,
} from '../../src/limits/http.ts';
import { dial, exchangeRaw, head, receive, serve } from './serving.ts';

const dialMany = (port: number, count: number) => Promise.all(Array.from({ length: count }, () => dial(port)));
const statusOf = (answer: string) => Number(answer.slice(9, 12));
/** ends in time on a machine that is busy */
const LONG_GRACE_MS = 60_000;

describe('request targets', () => {
  it('takes origin form, absolute form and * for OPTIONS, and nothing else', async (t) => {
    const site = await serve(t, (exchange) =>
      send(exchange, 200, asPlainText(`${exchange.rawPath}|${exchange.rawQuery}`)),
    );
    const ask = (line: string) => exchangeRaw(site.port, head(line, 'Connection: close'));
    assert.match(await ask('GET /a?b'), /\/a\|b$/);
    assert.match(await ask('GET http://other.example:80/a%20b?c'), /\/a%20b\|c$/);
    assert.match(await ask('GET HTTPS://other.example'), /\/\|$/);
    assert.match(await ask('GET http://other.example?q'), /\/\|q$/);
    assert.match(await ask('OPTIONS *'), /\*\|$/);
    assert.equal(statusOf(await ask('GET *')), 400);
    assert.equal(statusOf(await ask('GET ftp://other.example/')), 400);
    assert.equal(statusOf(await ask('CONNECT other.example:443')), 501);
  });

  it('takes the longest target and no longer one', async (t) => {
    const site = await serve(t, (exchange) => sendEmpty(exchange, 204));
    assert.equal((await fetch(`${site.url}${'/'.padEnd(MAX_URL_BYTES, 'a')}`)).status, 204);
    assert.equal((await fetch(`${site.url}${'/'.padEnd(MAX_URL_BYTES + 1, 'a')}`)).status, 414);
  });
});

describe('what is pipelined', () => {
  it('behind a head that is refused is not handled', async (t) => {
    const handled: string[] = [];
    const site = await serve(t, (exchange) => {
      handled.push(exchange.method);
      return sendEmpty(exchange, 204);
    });
    const behind = head('DELETE /');
    for (const refused of [
      'POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello',
      'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
      'GET /\r\n\r\n',
    ]) {
      const received = await exchangeRaw(site.port, refused + behind);
      assert.match(received, /^HTTP\/1\.1 400 .*\r\nConnection: close\r\n/s, refused);
      assert.doesNotMatch(received, /204/);
    }
    assert.deepEqual(handled, []);
  });

  it('and cannot be read does not take away the answer to what was', async (t) => {
    const go = Promise.withResolvers<void>();
    const site = await serve(t, async (exchange) => {
      await go.promise;
      await send(exchange, 200, asPlainText('done'));
    });
    const socket = await dial(site.port);
    const received = receive(socket);
    socket.write(`${head('POST /', 'Content-Length: 0')}\0garbage`);
    socket.write('\0and more');
    await sleep(50);
    go.resolve();
    // one answer, and none that could be taken for it
    assert.match(await received, /^HTTP\/1\.1 200 .*\r\n\r\ndone$/s);
  });

  it('and has a body that cannot be read takes away no answer before it either', async (t) => {
    let go = Promise.withResolvers<void>();
    const site = await serve(t, async (exchange) => {
      const { method } = exchange;
      if (method === 'PUT') await readBody(exchange, 1000);
      if (method === 'GET') await go.promise;
      await send(exchange, method === 'POST' ? 403 : 200, asPlainText(method));
    });
    const chunked = 'Transfer-Encoding: chunked';
    for (const last of [
      `${head('PUT /', chunked)}zz\r\n`, // its handler waits for it
      `${head('POST /', chunked)}zz\r\n`, // has answered without it
      'GET /\r\nTransfer-Encoding: k\r\n\r\n', // is not asked
    ]) {
      go = Promise.withResolvers<void>();
      const socket = await dial(site.port);
      const received = receive(socket);
      socket.write(head('GET /') + head('GET /') + last);
      await sleep(50);
      go.resolve();
      const answers = (await received).match(/HTTP\/1\.1 \d+/g);
      assert.deepEqual(answers?.slice(0, 2), ['HTTP/1.1 200', 'HTTP/1.1 200'], last);
      assert.match(answers[2] ?? '', /40[03]$/, last);
      assert.equal(answers.length, 3, last);
    }
  });
});

describe('connections beyond the bound', () => {
  it('are told so and closed, and those that are there go on', async (t) => {
    const site = await serve(t, (exchange) => sendEmpty(exchange, 204), { maxConnections: 2 });
    const [first, second] = [await dial(site.port), await dial(site.port)];
    const answer = await exchangeRaw(site.port, head('GET /'));
    assert.equal(statusOf(answer), 503);
    assert.match(answer, /\r\nConnection: close\r\n/i);
    assert.match(answer, /\r\nRetry-After: \d+\r\n/);
    assert.match(answer, /Too many connections/);
    second.write(head('GET /', 'Connection: close'));
    assert.equal(statusOf(await receive(second)), 204);
    let status = 503;
    while (status === 503) status = statusOf(await exchangeRaw(site.port, head('GET /', 'Connection: close')));
    assert.equal(status, 204, 'when one has gone');
    first.destroy();
  });

  it('are closed at once when too many of them wait to be told, and soon when they do not ask', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const site = await serve(t, (exchange) => sendEmpty(exchange, 204), { maxConnections: 1 });
    const dialled = await dialMany(site.port, 1 + MAX_REFUSED_CONNECTIONS);
    assert.equal(await exchangeRaw(site.port, head('GET /')), '', 'no answer');
    const [first, ...surplus] = dialled;
    t.mock.timers.tick(LINGER_TIMEOUT_MS);
    await Promise.all(surplus.map((socket) => receive(socket)));
    first!.write(head('GET /', 'Connection: close'));
    assert.equal(statusOf(await receive(first!)), 204);
  });
});

describe('an expectation that is not 100-continue', () => {
  it('is ignored, and the body of the request does not become the next one', async (t) => {
    const site = await serve(t, (exchange) => sendEmpty(exchange, exchange.method === 'GET' ? 204 : 403));
    const refused = head('POST /', 'Expect: miracles', 'Content-Length: 4');
    const request = `${refused}body${head('GET /', 'Connection: close')}`;
    const answers = await exchangeRaw(site.port, request);
    assert.deepEqual(answers.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 403', 'HTTP/1.1 204']);
  });
});

describe('what is no request', () => {
  it('does no harm when its connection is reset before the answer has been read', async (t) => {
    const site = await serve(t, (exchange) => sendEmpty(exchange, 204));
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on('uncaughtException', note);
    t.after(() => process.off('uncaughtException', note));
    for (const line of ['CONNECT other.example:443', 'GET nowhere', 'nonsense']) {
      const socket = await dial(site.port);
      socket.write(head(line));
      await once(socket, 'data');
      const closed = once(socket, 'close');
      socket.resetAndDestroy();
      await closed;
    }
    assert.equal((await fetch(site.url)).status, 204);
    assert.deepEqual(uncaught, []);
  });

  it('gets a plain answer and the end of the connection', async (t) => {
    const site = await serve(t, (exchange) => sendEmpty(exchange, 204));
    assert.equal(statusOf(await exchangeRaw(site.port, 'rubbish\r\n\r\n')), 400);
    assert.equal(statusOf(await exchangeRaw(site.port, 'GET / HTTP/1.1\r\n\r\n')), 400);
    for (const method of ['FOO', 'BASELINE-CONTROL', 'GETX']) {
      assert.equal(statusOf(await exchangeRaw(site.port, head(`${method} /`))), 501, method);
    }
    for (const rubbish of ['FOO\r\n\r\n', 'FOO / SIP/2.0\r\n\r\n', '\x16\x03\x01\x02\x00 / HTTP/1.1\r\n\r\n']) {
      assert.equal(statusOf(await exchangeRaw(site.port, rubbish)), 400, JSON.stringify(rubbish));
    }
    const huge = head('GET /', `X: ${'x'.repeat(20_000)}`);
    assert.equal(statusOf(await exchangeRaw(site.port, huge)), 431);
    const smuggled = head('POST /', 'Content-Length: 5', 'Transfer-Encoding: chunked');
    assert.equal(statusOf(await exchangeRaw(site.port, `${smuggled}0\r\n\r\n`)), 400);
  });

  it('is refused when it has more header fields than allowed', async (t) => {
    const site = await serve(t, (exchange) => sendEmpty(exchange, 204));
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: y`);
    const most = head('GET /', 'Connection: close', ...fields(MAX_HEADER_COUNT - 2));
    assert.equal(statusOf(await exchangeRaw(site.port, most)), 204);
    const more = head('GET /', 'Connection: close', ...fields(MAX_HEADER_COUNT - 1));
    assert.equal(statusOf(await exchangeRaw(site.port, more)), 431);
  });
});

describe('the connection', () => {
  it('answers pipelined requests in their order', async (t) => {
    const site = await serve(t, async (exchange) => {
      if (exchange.rawPath === '/slow') await sleep(20);
      await send(exchange, 200, asPlainText(`<${exchange.rawPath}>`));
    });
    const answer = await exchangeRaw(
      site.port,
      head('GET /slow') + head('GET /quick') + head('GET /last', 'Connection: close'),
    );
    assert.deepEqual(answer.match(/<[^>]+>/g), ['</slow>', '</quick>', '</last>']);
  });

  it('stays usable after a small body that nobody read', async (t) => {
    const site = await serve(t, (exchange) => send(exchange, 404, asPlainText(`<${exchange.rawPath}>`)));
    const body = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'.padEnd(5000, 'x');
    const answer = await exchangeRaw(
      site.port,
      `${head('POST /a', `Content-Length: ${body.length}`)}${body}${head('GET /b', 'Connection: close')}`,
    );
    assert.deepEqual(answer.match(/<[^>]+>/g), ['</a>', '</b>']);
  });

  it('shows the answer to a client that still sends, and is closed after a large body that nobody read', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let taken = () => 0;
    const site = await serve(t, (exchange) => {
      taken = () => exchange.request.socket.bytesRead;
      return send(exchange, 413, asPlainText('enough'));
    });
    const socket = await dial(site.port);
    const closed = once(socket, 'close');
    socket.write(head('POST /a', `Content-Length: ${200 * MAX_DISCARD_BYTES}`));
    socket.write(Buffer.alloc(100 * MAX_DISCARD_BYTES));
    let answer = '';
    while (!answer.endsWith('enough')) answer += (await once(socket, 'data'))[0];
    assert.equal(statusOf(answer), 413);
    assert.match(answer, /Connection: close\r\n/);
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    assert.ok(taken() < 4 * MAX_DISCARD_BYTES, `${taken()} bytes were taken`);
    t.mock.timers.tick(LINGER_TIMEOUT_MS);
    await closed.catch(() => {});
    assert.ok(socket.destroyed);
  });

  it('is closed when an announced small body never comes', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const site = await serve(t, (exchange) => send(exchange, 404, asPlainText('nothing')));
    const socket = await dial(site.port);
    const received = receive(socket);
    socket.write(head('POST /a', 'Content-Length: 10'));
    await once(socket, 'data');
    t.mock.timers.tick(LINGER_TIMEOUT_MS);
    assert.match(await received, /nothing$/);
  });

  it('asks for the body of `Expect: 100-continue` only when it is read', async (t) => {
    const site = await serve(t, async (exchange) => {
      if (exchange.rawPath === '/refused') return sendEmpty(exchange, 403);
      await send(exchange, 200, asPlainText(`<${await readBody(exchange, 100)}>`));
    });
    const request = (path: string) => head(`POST ${path}`, 'Expect: 100-continue', 'Content-Length: 4');
    const refused = await exchangeRaw(site.port, request('/refused'), (text) => text.endsWith('\r\n\r\n'));
    assert.equal(statusOf(refused), 403);
    assert.match(refused, /Connection: close/);
    const socket = await dial(site.port);
    socket.write(request('/read'));
    const [first] = await once(socket, 'data');
    assert.equal(first.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('body');
    assert.match(await receive(socket, (text) => text.endsWith('>')), /<body>$/);
  });

  it('takes an Upgrade for an ordinary request', async (t) => {
    const site = await serve(t, (exchange) => send(exchange, 200, asPlainText('plain')));
    const answer = await exchangeRaw(site.port, head('GET /', 'Connection: Upgrade, close', 'Upgrade: websocket'));
    assert.match(answer, /^HTTP\/1.1 200 OK[\s\S]*plain$/);
  });
});

describe('close()', () => {
  it('lets running requests finish, closes idle connections and takes no new ones', async (t) => {
    let finish = () => {};
    const started = Promise.withResolvers<void>();
    const site = await serve(
      t,
      async (exchange) => {
        if (exchange.rawPath === '/quick') return sendEmpty(exchange, 204);
        started.resolve();
        await new Promise<void>((resolve) => (finish = resolve));
        await send(exchange, 200, asPlainText('finished'));
      },
      { graceMs: LONG_GRACE_MS },
    );
    const idle = await dial(site.port);
    idle.write(head('GET /quick'));
    await once(idle, 'data');
    const running = exchangeRaw(site.port, head('GET /slow'));
    await started.promise;
    const closed = site.close();
    await once(idle.resume(), 'close');
    await assert.rejects(dial(site.port), { code: 'ECONNREFUSED' });
    finish();
    assert.match(await running, /finished$/);
    await closed;
    await site.close();
  });

  it('breaks off what is still running after the grace', async (t) => {
    const started = Promise.withResolvers<void>();
    const handle = () => {
      started.resolve();
      return new Promise<void>(() => {});
    };
    const site = await serve(t, handle, { graceMs: 30 });
    const running = exchangeRaw(site.port, head('GET /'));
    await started.promise;
    await site.close();
    assert.equal(await running, '');
  });

  it('sends an answer to its end that the client takes slowly', async (t) => {
    const body = Buffer.alloc(8 * 1024 * 1024, 'x');
    const site = await serve(t, (exchange) => void exchange.response.end(body), { graceMs: LONG_GRACE_MS });
    const socket = await dial(site.port);
    socket.write(head('GET /'));
    await once(socket, 'readable');
    socket.pause();
    const closed = site.close();
    await sleep(50);
    let count = 0;
    socket.on('data', (bytes) => (count += bytes.length)).resume();
    await once(socket, 'end');
    assert.ok(count > body.length, `${count} bytes`);
    socket.destroy();
    await closed;
  });
});

it('prints an address that can be used, also for IPv6', async (t) => {
  const listener = await listen({
    at: { host: '::1', port: 0 },
    handle: (exchange) => sendEmpty(exchange, 204),
    logError: () => {},
  }).catch(() => undefined);
  if (!listener) return t.skip('no IPv6 here');
  assert.equal(listener.url, `http://[::1]:${listener.port}`);
  assert.equal((await fetch(listener.url)).status, 204);
  listener.server.closeAllConnections();
  await listener.close();
});

it('rejects when the address is taken', async (t) => {
  const site = await serve(t, (exchange) => sendEmpty(exchange, 204));
  const again = listen({ at: { host: '127.0.0.1', port: site.port }, handle: () => {}, logError: () => {} });
  await assert.rejects(again, { code: 'EADDRINUSE' });
});
