// Messages made ready for reading: kept, shared, each caller in turn. What is made here is JSON text, so the source is
// what comes back.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import { RenderedMessages, type RenderRequest } from '../../../src/gateway/message/rendered-messages.ts';
import {
  MAX_KEPT_READING_BYTES,
  MAX_RENDERED_IN_PLACE_BYTES,
  MAX_RENDERINGS_PER_CALLER,
  MAX_WAITING_RENDERINGS_PER_CALLER,
  READING_OVERHEAD_BYTES,
} from '../../../src/limits/http.ts';
import { MAX_RENDERED_SOURCE_BYTES } from '../../../src/limits/mime.ts';
import { onBehalfOf } from '../../../src/system/fair-queue.ts';
import { gate, largeText, testThreads, textJob } from '../../support/render-threads.ts';

const open = new AbortController().signal;

function readingsOf(t: TestContext, options: Parameters<typeof testThreads>[1] = {}) {
  const { threads, spawned } = testThreads(t, { timeoutMs: 60_000, ...options });
  const readings = new RenderedMessages(threads);
  /** what was fetched, in this order, with how much of it was asked for */
  const fetched: [string, number][] = [];
  const request = (key: string, text: string, more: Partial<RenderRequest> = {}): RenderRequest => ({
    key,
    isSmall: false,
    fetch: async (maxBytes) => {
      fetched.push([key, maxBytes]);
      const job = textJob(text);
      return { ...job, source: job.source.subarray(0, maxBytes), isWhole: job.source.length <= maxBytes };
    },
    ...more,
  });
  const get = (
    key: string,
    text: string,
    { caller = 'ann', signal = open, ...more }: Partial<RenderRequest> & { caller?: string; signal?: AbortSignal } = {},
  ) => onBehalfOf({ turnKey: caller, gone: signal }, () => readings.get(request(key, text, more)));
  return { readings, get, request, fetched, spawned };
}

describe('readings', () => {
  it('are made in place where the message is small, else in a thread', async (t) => {
    const { get, fetched, spawned } = readingsOf(t);
    const head = textJob('').source.length;
    const small = 'x'.repeat(MAX_RENDERED_IN_PLACE_BYTES - head);
    assert.match(String(await get('small', small, { isSmall: true })), /"text":"x+"/);
    assert.equal(spawned.length, 0);
    assert.match(String(await get('large', `${small}x`, { isSmall: true })), /"text":"x+"/);
    assert.equal(spawned.length, 1);
    assert.deepEqual(fetched, [
      ['small', MAX_RENDERED_IN_PLACE_BYTES],
      ['large', MAX_RENDERED_IN_PLACE_BYTES], // its list of parts was wrong
      ['large', MAX_RENDERED_SOURCE_BYTES],
    ]);
  });

  it('are the same bytes for all who ask, made once', async (t) => {
    const { get, fetched } = readingsOf(t);
    const { order, release } = gate(t);
    const asked = ['ann', 'bob', 'cid'].map((caller) => get('one', largeText(order), { caller }));
    await new Promise(setImmediate);
    release();
    const [first, ...others] = await Promise.all(asked);
    assert.ok(first);
    for (const other of [...others, await get('one', '')]) assert.equal(other, first);
    assert.equal(fetched.length, 1);
  });

  it('do not fail for others with the one who asked first', async (t) => {
    const { get, fetched } = readingsOf(t);
    const { promise, reject } = Promise.withResolvers<never>();
    const first = assert.rejects(get('one', '', { fetch: () => promise }), { code: 'backend_lost' });
    const second = get('one', 'text', { caller: 'bob' });
    await new Promise(setImmediate);
    reject(new AppError('backend_lost', 'lost'));
    await first;
    assert.match(String(await second), /"text":"text"/);
    assert.equal(fetched.length, 1);
  });

  it('that cannot be made fail for all who wait, at once', async (t) => {
    const { get, fetched } = readingsOf(t, { timeoutMs: 500 });
    const refused = { code: 'not_rendered' };
    await Promise.all([
      assert.rejects(get('one', largeText('!loop')), refused),
      assert.rejects(get('one', largeText('!loop'), { caller: 'bob' }), refused),
    ]);
    assert.equal(fetched.length, 1);
  });

  it('that are one caller’s own are made in a thread each time, and at most so many wait', async (t) => {
    const { readings, spawned } = readingsOf(t);
    const make = (text: string, signal = open) =>
      onBehalfOf({ turnKey: 'ann', gone: signal }, () => readings.makeOwn(async () => textJob(text)));
    assert.match(String(await make('small')), /"text":"small"/);
    assert.equal(spawned.length, 1);
    await assert.rejects(make('small', AbortSignal.abort()), { name: 'AbortError' });
    const { order, release } = gate(t);
    const running = MAX_RENDERINGS_PER_CALLER + MAX_WAITING_RENDERINGS_PER_CALLER;
    const all = Array.from({ length: running }, () => make(largeText(order)));
    await assert.rejects(make('one more'), { code: 'busy' });
    release();
    assert.equal((await Promise.all(all)).length, running);
    assert.match(String(await make('again')), /"text":"again"/);
  });

  it('are kept up to so many bytes, and not one more', async (t) => {
    const MIB = 1024 * 1024;
    for (const more of [0, 1]) {
      const { get, fetched } = readingsOf(t);
      const overhead = (await get('??', ''))!.length + 2 * 2 + READING_OVERHEAD_BYTES;
      const all = MAX_KEPT_READING_BYTES / MIB;
      for (let i = 10; i < 10 + all; i++) await get(`${i}`, 'x'.repeat(MIB - overhead + (i > 10 ? 0 : more)));
      fetched.length = 0;
      await get('10', '');
      assert.equal(fetched.length, more, `${more} bytes too many`);
    }
  });

  it('of a client that has left are made no more, unless they are under way', async (t) => {
    const { get, fetched, spawned } = readingsOf(t);
    const { order, release } = gate(t);
    const leaving = new AbortController();
    const { signal } = leaving;
    const first = get('first', largeText(order), { signal });
    const second = get('second', largeText('!exit'), { signal });
    const held = Array.from({ length: MAX_RENDERINGS_PER_CALLER - 2 }, (_, i) => get(`held ${i}`, largeText('a')));
    await new Promise(setImmediate);
    const third = get('third', largeText('!exit'), { signal });
    leaving.abort(new Error('left'));
    for (const left of [first, second, third]) await assert.rejects(left, { message: 'left' });
    release();
    await Promise.all(held);
    assert.match(String(await get('first', '')), /"text":"!wait/, 'what was made all the same is kept');
    assert.equal(spawned.length, 1, 'the second one did not come to its thread');
    assert.ok(!fetched.some(([key]) => key === 'third'));
  });

  it('wait for those of the same caller, and not for those of others', async (t) => {
    const { get } = readingsOf(t, { count: 2 });
    const { order, release } = gate(t);
    const all = MAX_RENDERINGS_PER_CALLER + MAX_WAITING_RENDERINGS_PER_CALLER;
    const heavy = Array.from({ length: all }, (_, i) => get(`heavy ${i}`, largeText(order)));
    await new Promise(setImmediate);
    await assert.rejects(get('one more', largeText('a')), { code: 'busy' });
    assert.match(String(await get('of the other', largeText('b'), { caller: 'bob' })), /"text":"b/);
    release();
    await Promise.all(heavy);
  });
});
