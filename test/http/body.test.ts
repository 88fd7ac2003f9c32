import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BodyWait, bodyStream, readBody, readJson } from '../../src/http/body.ts';
import { asJson, send, sendEmpty } from '../../src/http/respond.ts';
import { MAX_SMALL_BODY_BYTES } from '../../src/limits/http.ts';
import { BODY_TURN_MS, BULK_TURN_BYTES } from '../../src/limits/protocol.ts';
import { requestTurns } from '../../src/system/turn-queue.ts';
import { dial, exchangeRaw, head, receive, serve } from './serving.ts';

const post = (url: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers });

it('reads a body up to the bound, with and without Content-Length', async (t) => {
  const site = await serve(t, async (exchange) =>
    send(exchange, 200, asJson((await readBody(exchange, 10)).toString())),
  );
  assert.equal(await (await post(site.url, '0123456789')).json(), '0123456789');
  assert.equal((await post(site.url, '0123456789a')).status, 413);
  const chunked = (...pieces: string[]) =>
    head('POST /', 'Transfer-Encoding: chunked', 'Connection: close') +
    pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('') +
    '0\r\n\r\n';
  assert.match(await exchangeRaw(site.port, chunked('01234', '56789')), /"0123456789"$/);
  assert.match(await exchangeRaw(site.port, chunked('01234', '56789', 'a')), /^HTTP\/1.1 413 /);
  assert.equal(await (await fetch(site.url)).json(), '');
});

it('refuses a too large Content-Length before any of the body comes', async (t) => {
  const site = await serve(t, async (exchange) =>
    send(exchange, 200, asJson((await readBody(exchange, 10)).toString())),
  );
  const request = head('POST /', `Content-Length: ${2 ** 50}`);
  assert.match(await exchangeRaw(site.port, request, (text) => text.endsWith('}')), /^HTTP\/1.1 413 [\s\S]*close/);
});

it('refuses packed bodies', async (t) => {
  const site = await serve(t, async (exchange) =>
    send(exchange, 200, asJson((await readBody(exchange, 10)).toString())),
  );
  assert.equal((await post(site.url, 'x', { 'Content-Encoding': 'gzip' })).status, 415);
  assert.equal((await post(site.url, 'x', { 'Content-Encoding': 'Identity' })).status, 200);
});

it('waits for a turn behind so many bytes, and rests while others ask', async (t) => {
  const worked = t.mock.method(requestTurns, 'nextOfBulk').mock;
  const site = await serve(t, async (exchange) => {
    let size = 0;
    for await (const piece of bodyStream(exchange, 4 * BULK_TURN_BYTES)) size += piece.length;
    await send(exchange, 200, asJson(size));
  });
  for (const [size, turns] of [
    [BULK_TURN_BYTES, 0], // nor behind the last piece
    [4 * BULK_TURN_BYTES, 3],
  ] as const) {
    assert.equal(await (await post(site.url, Buffer.alloc(size))).json(), size);
    // what comes in larger pieces has fewer
    assert.ok(Math.abs(worked.callCount() - turns) <= turns / 2, `${worked.callCount()}`);
    for (const { arguments: sent } of worked.calls) assert.deepEqual(sent, [BODY_TURN_MS]);
  }
});

it('gives a body up when nothing comes any more', async (t) => {
  const site = await serve(t, async (exchange) => {
    for await (const _ of bodyStream(exchange, 100, new BodyWait({ maxMs: 10, msPerByte: 0 })));
    await sendEmpty(exchange, 204);
  });
  const answer = await exchangeRaw(site.port, `${head('POST /', 'Content-Length: 10')}half`, (text) =>
    text.endsWith('}'),
  );
  assert.match(answer, /^HTTP\/1.1 408 [\s\S]*Connection: close/);
});

it('throws into a consumer whose client goes away', async (t) => {
  const failed = Promise.withResolvers<unknown>();
  const reading = Promise.withResolvers<void>();
  const site = await serve(t, async (exchange) => {
    try {
      for await (const _ of bodyStream(exchange, 100)) reading.resolve();
    } catch (error) {
      failed.resolve(error);
      throw error;
    }
  });
  const socket = await dial(site.port);
  socket.write(`${head('POST /', 'Content-Length: 10')}half`);
  await reading.promise;
  socket.destroy();
  assert.equal(((await failed.promise) as { code: string }).code, 'bad_request');
  assert.deepEqual(site.logged, []);
});

it('asks for more only when the consumer does', async (t) => {
  let seen = 0;
  const gate = Promise.withResolvers<void>();
  const site = await serve(t, async (exchange) => {
    for await (const piece of bodyStream(exchange, 2 ** 30)) {
      seen += piece.length;
      await gate.promise;
    }
    await send(exchange, 200, asJson(seen));
  });
  const total = 32 * 1024 * 1024;
  const socket = await dial(site.port);
  socket.write(head('POST /', `Content-Length: ${total}`, 'Connection: close'));
  const received = receive(socket);
  const isFlushed = new Promise<string>((resolve) => socket.write(Buffer.alloc(total), () => resolve('flushed')));
  const held = new Promise<string>((resolve) => setTimeout(resolve, 100, 'held'));
  assert.equal(await Promise.race([isFlushed, held]), 'held');
  assert.ok(seen <= 1024 * 1024, `${seen} bytes were read ahead`);
  gate.resolve();
  assert.match(await received, new RegExp(`${total}$`));
});

it('leaves the connection in step when a consumer stops in the middle', async (t) => {
  const site = await serve(t, async (exchange) => {
    for await (const _ of bodyStream(exchange, 2 ** 20)) break;
    await send(exchange, 200, asJson(exchange.rawPath));
  });
  const body = 'x'.repeat(200_000);
  const answer = await exchangeRaw(
    site.port,
    `${head('POST /a', `Content-Length: ${body.length}`)}${body}${head('GET /b', 'Connection: close')}`,
  );
  assert.match(answer, /"\/a"HTTP\/1.1 200 OK[\s\S]*"\/b"$/);
});

it('reads JSON, and refuses what is not JSON or not UTF-8', async (t) => {
  const site = await serve(t, async (exchange) => send(exchange, 200, asJson(await readJson(exchange))));
  assert.deepEqual(await (await post(site.url, '{"a":"ë"}')).json(), { a: 'ë' });
  for (const body of ['', '{', '"\xff"']) {
    assert.equal((await post(site.url, Buffer.from(body, 'latin1'))).status, 400, body);
  }
  assert.equal((await post(site.url, `"${'x'.repeat(MAX_SMALL_BODY_BYTES - 2)}"`)).status, 200);
  assert.equal((await post(site.url, `"${'x'.repeat(MAX_SMALL_BODY_BYTES - 1)}"`)).status, 413);
});
