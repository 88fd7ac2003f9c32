import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { AppError } from '../../src/errors.ts';
import { asJson, asPlainText, jsonWithList, send, sendEmpty, sendStream } from '../../src/http/respond.ts';
import { MIN_COMPRESS_BYTES, STALL_TIMEOUT_MS } from '../../src/limits/http.ts';
import { turnsIn } from '../support/counted-turns.ts';
import { dial, exchangeRaw, head, receive, serve } from './serving.ts';

/** less than a connection takes before it says that it is full */
const PIECE = 16 * 1024;
/** what a connection's buffers surely cannot hold */
const LARGE = 16 * 1024 * 1024;

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

describe('small answers', () => {
  it('carry their length, their type and nosniff', async (t) => {
    const site = await serve(t, (exchange) => send(exchange, 201, asJson({ a: 'ë' }), { 'X-A': 1, 'X-B': undefined }));
    const answer = await fetch(site.url);
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(answer.headers.get('content-length'), '10');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('x-a'), '1');
    assert.ok(!answer.headers.has('x-b'));
    assert.deepEqual(await answer.json(), { a: 'ë' });
  });

  it('have no body for HEAD, but its length', async (t) => {
    const site = await serve(t, (exchange) => send(exchange, 200, asPlainText('hello')));
    assert.match(
      await exchangeRaw(site.port, head('HEAD /', 'Connection: close')),
      /Content-Length: 5[\s\S]*\r\n\r\n$/,
    );
  });

  it('have no length where there can be no body', async (t) => {
    const site = await serve(t, (exchange) =>
      exchange.rawPath === '/' ? sendEmpty(exchange, 204) : sendEmpty(exchange, 308, { Location: '/a%20b' }),
    );
    const none = await fetch(site.url);
    assert.equal(none.status, 204);
    assert.ok(!none.headers.has('content-length'));
    const moved = await fetch(`${site.url}/a`, { redirect: 'manual' });
    assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/a%20b']);
    assert.equal(moved.headers.get('content-length'), '0');
  });
});

describe('packing', () => {
  const packed = async (port: number, path: string, accept: string) => {
    const answer = await exchangeRaw(port, head(`GET ${path}`, `Accept-Encoding: ${accept}`, 'Connection: close'));
    const [fields, body] = [answer.slice(0, answer.indexOf('\r\n\r\n')), answer.slice(answer.indexOf('\r\n\r\n') + 4)];
    const encoding = /Content-Encoding: (\w+)/.exec(fields)?.[1];
    return { encoding, varies: fields.includes('Vary: Accept-Encoding'), bytes: Buffer.from(body, 'latin1') };
  };

  it('happens in the coding the client likes best, from a size on', async (t) => {
    const site = await serve(t, (exchange) =>
      send(exchange, 200, asPlainText('x'.repeat(Number(exchange.rawPath.slice(1))))),
    );
    const least = `/${MIN_COMPRESS_BYTES}`;
    const br = await packed(site.port, least, 'gzip, br');
    assert.equal(br.encoding, 'br');
    assert.equal(brotliDecompressSync(br.bytes).length, MIN_COMPRESS_BYTES);
    const gzip = await packed(site.port, least, 'gzip');
    assert.equal(gzip.encoding, 'gzip');
    assert.equal(gunzipSync(gzip.bytes).length, MIN_COMPRESS_BYTES);
    assert.deepEqual(await packed(site.port, least, 'zstd').then(({ encoding, varies }) => [encoding, varies]), [
      undefined,
      true,
    ]);
    const small = await packed(site.port, `/${MIN_COMPRESS_BYTES - 1}`, 'br');
    assert.deepEqual([small.encoding, small.varies], [undefined, false]);
  });

  it('adds to what the answer varies with already', async (t) => {
    const site = await serve(t, (exchange) =>
      send(exchange, 200, asPlainText('x'.repeat(MIN_COMPRESS_BYTES)), { Vary: 'Accept' }),
    );
    for (const encoding of ['gzip', 'identity']) {
      const answer = await fetch(site.url, { headers: { 'accept-encoding': encoding } });
      assert.equal(answer.headers.get('vary'), 'Accept, Accept-Encoding', encoding);
    }
  });

  it('leaves packed types and answers with an entity tag alone', async (t) => {
    const text = 'x'.repeat(2 * MIN_COMPRESS_BYTES);
    const site = await serve(t, (exchange) =>
      exchange.rawPath === '/tag'
        ? send(exchange, 200, asPlainText(text), { ETag: '"1"' })
        : send(exchange, 200, { type: decodeURIComponent(exchange.rawPath.slice(1)), body: Buffer.from(text) }),
    );
    for (const type of ['image%2Fpng', 'application%2Fzip', 'application%2Foctet-stream', 'video%2Fmp4', 'tag']) {
      assert.equal((await packed(site.port, `/${type}`, 'br')).encoding, undefined, type);
    }
    for (const type of ['text/calendar', 'application/xml; charset=utf-8', 'image/svg+xml', 'application/json']) {
      assert.equal((await packed(site.port, `/${encodeURIComponent(type)}`, 'br')).encoding, 'br', type);
    }
  });
});

describe('streams', () => {
  it('are sent whole, chunked or with their length', async (t) => {
    const site = await serve(t, (exchange) => {
      const length = exchange.rawPath === '/known' ? 6 : undefined;
      return sendStream(exchange, { contentType: 'text/plain', length, body: pieces('abc', 'def') });
    });
    const chunked = await fetch(site.url);
    assert.equal(chunked.headers.get('content-length'), null);
    assert.equal(await chunked.text(), 'abcdef');
    const known = await fetch(`${site.url}/known`);
    assert.equal(known.headers.get('content-length'), '6');
    assert.equal(await known.text(), 'abcdef');
  });

  it('answer with a problem when the source fails at once', async (t) => {
    const body: AsyncIterable<Buffer> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new AppError('backend_lost', 'The room server went away')),
      }),
    };
    const site = await serve(t, (exchange) => sendStream(exchange, { contentType: 'text/plain', body }));
    assert.equal((await fetch(site.url)).status, 502);
  });

  it('break off when the source fails later, so that the answer cannot look complete', async (t) => {
    async function* source() {
      yield Buffer.from('abc');
      throw new AppError('backend_lost', 'The room server went away');
    }
    const site = await serve(t, (exchange) => sendStream(exchange, { contentType: 'text/plain', body: source() }));
    const answer = await exchangeRaw(site.port, head('GET /'));
    assert.ok(!answer.includes('0\r\n\r\n'), answer);
    assert.equal(site.logged.length, 1);
    await assert.rejects(fetch(site.url).then((response) => response.text()));
  });

  it('break off when the body is shorter or longer than its length', async (t) => {
    const site = await serve(t, (exchange) => {
      const length = exchange.rawPath === '/short' ? 7 : 5;
      return sendStream(exchange, { contentType: 'text/plain', length, body: pieces('abc', 'def') });
    });
    for (const path of ['/short', '/long']) {
      await assert.rejects(
        fetch(site.url + path).then((response) => response.text()),
        path,
      );
    }
    assert.equal(site.logged.length, 2);
  });

  it('never touch the source for HEAD', async (t) => {
    let returned = 0;
    const body = {
      [Symbol.asyncIterator]: () => ({
        next: (): never => assert.fail('pulled'),
        return: async () => ({ done: true as const, value: returned++ }),
      }),
    };
    const site = await serve(t, (exchange) => sendStream(exchange, { contentType: 'text/plain', length: 3, body }));
    const answer = await fetch(site.url, { method: 'HEAD' });
    assert.equal(answer.headers.get('content-length'), '3');
    assert.equal(returned, 1);
  });

  it('pull only as fast as the client takes, and stop when it goes away', async (t) => {
    let pulled = 0;
    const ended = Promise.withResolvers<void>();
    async function* source() {
      try {
        for (;;) {
          pulled++;
          yield Buffer.alloc(64 * 1024);
          await new Promise(setImmediate);
        }
      } finally {
        ended.resolve();
      }
    }
    let timeout: () => number | undefined = () => 0;
    const site = await serve(t, (exchange) => {
      timeout = () => exchange.request.socket.timeout;
      return sendStream(exchange, { contentType: 'text/plain', body: source() });
    });
    const socket = await dial(site.port);
    socket.write(head('GET /'));
    await once(socket, 'readable');
    // nothing is pulled any more, and not only because the machine was busy elsewhere
    let before = -1;
    while (before !== pulled || timeout() !== STALL_TIMEOUT_MS) {
      before = pulled;
      await new Promise((resolve) => setTimeout(resolve, 30));
      assert.ok(pulled < 1000, `${pulled} pieces`);
    }
    socket.destroy();
    await ended.promise;
    assert.deepEqual(site.logged, []);
  });

  it('give a piece back to their source when the system has all of it, and not before', async (t) => {
    const back: (Buffer | undefined)[] = [];
    const made: Buffer[] = [];
    async function* source(): AsyncGenerator<Buffer, void, Buffer | undefined> {
      for (let i = 0; i < LARGE / PIECE; i++) {
        const piece = Buffer.alloc(PIECE, i % 200);
        made.push(piece);
        const spent = yield piece;
        if (spent) assert.equal(spent, piece);
        back.push(spent);
        spent?.fill(255); // it is the source's again: that must reach nobody
      }
    }
    const site = await serve(t, (exchange) =>
      sendStream(exchange, { contentType: 'text/plain', length: LARGE, body: source() }),
    );
    const socket = await dial(site.port);
    socket.pause().write(head('GET /', 'Connection: close'));
    let before = -1;
    while (made.length < 2 || before !== made.length) {
      before = made.length;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(before > 1 && before < LARGE / PIECE, `${before} pieces`);
    const received = await receive(socket.resume());
    const body = Buffer.from(received, 'latin1').subarray(-LARGE);
    for (let i = 0; i < LARGE / PIECE; i++) assert.equal(body[i * PIECE], i % 200);
    assert.ok(back.some(Boolean));
  });

  it('tell a source that waits for its next event that the client has gone', async (t) => {
    const returned = Promise.withResolvers<void>();
    let isFirst = true;
    const body: AsyncIterable<Buffer> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          if (isFirst) {
            isFirst = false;
            return { done: false, value: Buffer.from('event') };
          }
          await returned.promise;
          return { done: true, value: undefined };
        },
        return: async () => {
          returned.resolve();
          return { done: true, value: undefined };
        },
      }),
    };
    const site = await serve(t, (exchange) => sendStream(exchange, { contentType: 'text/event-stream', body }));
    const socket = await dial(site.port);
    socket.write(head('GET /'));
    await receive(socket, (text) => text.includes('event'));
    await returned.promise;
    assert.deepEqual(site.logged, []);
  });
});

it('packs nothing wrongly: random bytes come back as they were sent', async (t) => {
  const bytes = randomBytes(100_000);
  const site = await serve(t, (exchange) => send(exchange, 200, { type: 'text/plain', body: bytes }));
  assert.deepEqual(Buffer.from(await (await fetch(site.url)).arrayBuffer()), bytes);
});

describe('JSON with a list', () => {
  for (const count of [0, 1, 500, 501, 1001, 3000]) {
    it(`of ${count} is that of the whole object`, async () => {
      const items = Array.from({ length: count }, (_, i) => `é ${i}`);
      const made = await jsonWithList({ name: 'Lobby', total: count }, { msgs: items }, (item) => ({ item }));
      const whole = { name: 'Lobby', total: count, msgs: items.map((item) => ({ item })) };
      assert.deepEqual(JSON.parse(made.toString()), whole);
      assert.equal(made.toString(), JSON.stringify(whole));
    });
  }

  it('is made in turns with other requests', async (t) => {
    const items = Array.from({ length: 1000 }, (_, i) => i);
    assert.equal(await turnsIn(t, () => jsonWithList({}, { items }, String)), 50);
  });
});
