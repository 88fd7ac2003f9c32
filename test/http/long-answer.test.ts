// Answers that are sent as they are made.

import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { AppError } from '../../src/errors.ts';
import { Outgoing } from '../../src/http/outgoing.ts';
import { jsonListStream, sendStream } from '../../src/http/respond.ts';
import { MAX_PACKED_STREAMS } from '../../src/limits/http.ts';
import { serve } from './serving.ts';

const listOf = (t: TestContext, batches: () => AsyncIterable<string>) =>
  serve(t, (exchange) => sendStream(exchange, jsonListStream({ name: 'Box' }, 'msgs', batches())));

/** The answer as it is on the wire. */
function get(url: string, accepted: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': accepted } }, resolve)
      .on('error', reject)
      .end();
  });
}

it('a list is one JSON text, whatever its batches are', async (t) => {
  const lists = [[], [''], ['1', '', '2,3'], ['', '4']];
  for (const batches of lists) {
    const site = await listOf(t, async function* () {
      yield* batches;
    });
    const answer = await fetch(site.url);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const msgs = batches.flatMap((batch) => (batch === '' ? [] : batch.split(',').map(Number)));
    assert.deepEqual(await answer.json(), { name: 'Box', msgs });
  }
});

for (const [coding, opened] of [
  ['gzip', createGunzip],
  ['br', createBrotliDecompress],
] as const) {
  it(`what has been made goes out before the rest is, packed with ${coding} too`, async (t) => {
    const rest = Promise.withResolvers<void>();
    const site = await listOf(t, async function* () {
      yield '1';
      await rest.promise;
      yield '2';
    });
    const answer = await get(site.url, coding);
    assert.equal(answer.headers['content-encoding'], coding);
    assert.equal(answer.headers.vary, 'Accept-Encoding');
    let text = '';
    for await (const piece of answer.pipe(opened())) {
      text += piece;
      if (text === '{"name":"Box","msgs":[1') rest.resolve();
    }
    assert.equal(text, '{"name":"Box","msgs":[1,2]}');
  });
}

it('a list that fails at once is an error, one that fails later never looks complete', async (t) => {
  const lost = new AppError('backend_lost', 'gone');
  for (const coding of ['identity', 'gzip', 'br']) {
    const atOnce = await listOf(t, async function* () {
      yield* [];
      throw lost;
    });
    assert.equal((await fetch(atOnce.url, { headers: { 'accept-encoding': coding } })).status, 502, coding);
    const later = await listOf(t, async function* () {
      yield '1';
      await setTimeout(50); // the first piece is on its way
      throw lost;
    });
    const answer = await get(later.url, coding);
    assert.equal(answer.statusCode, 200);
    await assert.rejects(async () => {
      for await (const _ of answer);
    }, coding);
  }
});

it('a client that takes nothing has little made for it', async (t) => {
  let made = 0;
  const piece = `"${'x'.repeat(100_000)}"`;
  const site = await listOf(t, async function* () {
    for (; made < 2000; made++) yield piece;
  });
  const answer = await get(site.url, 'identity');
  for (let before = -1; before !== made; await setTimeout(200)) before = made;
  assert.ok(made < 1000, `${made} pieces`);
  answer.destroy();
});

it('so many are packed at the same time, the next one is sent as it is, and places are left again', async (t) => {
  const outgoing = new Outgoing();
  const rest = Promise.withResolvers<void>();
  async function* body() {
    yield Buffer.from('a');
    await rest.promise;
  }
  const site = await serve(
    t,
    (exchange) => sendStream(exchange, { contentType: 'text/plain', isPackable: true, body: body() }),
    {
      outgoing,
    },
  );
  const codings: unknown[] = [];
  const ends: Promise<unknown>[] = [];
  for (let i = 0; i <= MAX_PACKED_STREAMS; i++) {
    const answer = await get(site.url, 'gzip');
    codings.push(answer.headers['content-encoding']);
    ends.push(answer.toArray());
  }
  const all = Array.from({ length: MAX_PACKED_STREAMS }, () => 'gzip');
  assert.deepEqual(codings, [...all, undefined]);
  rest.resolve();
  await Promise.all(ends);
  const later = await get(site.url, 'gzip');
  assert.equal(later.headers['content-encoding'], 'gzip');
  await later.toArray();
});
