// What a job can do to the thread that it runs in, and that nobody else suffers.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { MAX_RENDER_REST_MS } from '../../src/limits/http.ts';
import type { ObjectJob } from '../../src/render/job.ts';
import { requestTurns } from '../../src/system/turn-queue.ts';
import { gate, testThreads, textJob } from '../support/render-threads.ts';

const open = new AbortController().signal;

function textOf(json: Buffer | undefined): string {
  return (JSON.parse(`{"msgnum":1${json}`) as { text: string }).text;
}

const isUnreadable = (words: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === 'not_rendered' && words.test(error.message);

describe('threads that render', () => {
  it('give what is made of a job, one after the other in one thread', async (t) => {
    const { threads, spawned } = testThreads(t);
    const results = await Promise.all(['one', 'two', 'three'].map((text) => threads.run(textJob(text), text, open)));
    assert.deepEqual(results.map(textOf), ['one', 'two', 'three']);
    assert.equal(spawned.length, 1);
  });

  it('are made when they are needed', async (t) => {
    const { threads, spawned } = testThreads(t, { count: 3 });
    assert.equal(spawned.length, 0);
    await threads.run(textJob('a'), 'ann', open);
    await threads.run(textJob('b'), 'ann', open);
    assert.equal(spawned.length, 1, 'the idle one is used again');
  });

  it('are ended when a job takes too long, which alone fails', async (t) => {
    const { threads, spawned } = testThreads(t, { timeoutMs: 2000 });
    const slow = threads.run(textJob('!loop'), 'ann', open);
    const next = threads.run(textJob('next'), 'bob', open);
    await assert.rejects(slow, isUnreadable(/takes too long .* can still be downloaded/));
    assert.equal(textOf(await next), 'next');
    assert.equal(spawned.length, 2);
    assert.equal(spawned[0]!.threadId, -1, 'the thread is gone');
  });

  for (const [order, words] of [
    ['!exit', 'exited'],
    ['!memory', 'out of memory'],
  ] as const) {
    it(`are replaced when a job breaks one (${words}), which alone fails and is logged`, async (t) => {
      const { threads, logged, spawned } = testThreads(t, { timeoutMs: 60_000 });
      const broken = threads.run(textJob(order), 'ann', open);
      const next = threads.run(textJob('next'), 'bob', open);
      await assert.rejects(broken, isUnreadable(/could not be rendered.* can still be downloaded/));
      assert.equal(textOf(await next), 'next');
      assert.equal(spawned.length, 2);
      assert.match(String(logged), new RegExp(words));
    });
  }

  it('say of what is to be stored that it was not, where they fail', async (t) => {
    const { threads } = testThreads(t, { timeoutMs: 2000 });
    const checking = (order: string): ObjectJob => {
      return { kind: 'object', source: Buffer.from(order), isWhole: true, charset: '', components: undefined };
    };
    await assert.rejects(threads.run(checking('!exit'), 'ann', open), isUnreadable(/not be checked, so it was not st/));
    await assert.rejects(
      threads.run(checking('!loop'), 'ann', open),
      isUnreadable(/takes too long, so it was not stored/),
    );
  });

  it('are never all for one caller', async (t) => {
    const { threads } = testThreads(t, { count: 2 });
    const { order, release } = gate(t);
    const done: string[] = [];
    const run = (name: string, text: string, caller: string) =>
      threads.run(textJob(text), caller, open).then(() => done.push(name));
    const heavy = ['first', 'second', 'third'].map((name) => run(name, order, 'ann'));
    await run('of the other', 'text', 'bob');
    assert.deepEqual(done, ['of the other']);
    release();
    await Promise.all(heavy);
  });

  it('leave out a job whose client has left while it waits', async (t) => {
    const { threads, spawned } = testThreads(t, { timeoutMs: 60_000 });
    const { order, release } = gate(t);
    const leaving = new AbortController();
    const first = threads.run(textJob(order), 'ann', open);
    const waiting = threads.run(textJob('!exit'), 'ann', leaving.signal);
    leaving.abort(new Error('left'));
    await assert.rejects(waiting, { message: 'left' });
    release();
    await first;
    assert.equal(textOf(await threads.run(textJob('next'), 'ann', open)), 'next');
    assert.equal(spawned.length, 1);
  });

  it('rest behind a job for its caller’s next one where the gateway has answered others meanwhile', async (t) => {
    const { threads } = testThreads(t);
    await threads.run(textJob('alone'), 'ann', open);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await threads.run(textJob('alone'), 'ann', open);
    const { order, release } = gate(t);
    const beside = threads.run(textJob(order), 'ann', open);
    await new Promise(setImmediate);
    requestTurns.noteShort();
    release();
    await beside; // its own answer does not wait
    let isDone = false;
    const next = threads.run(textJob('next'), 'ann', open).finally(() => (isDone = true));
    for (let round = 0; round < 5000; round++) await new Promise(setImmediate);
    assert.ok(!isDone);
    t.mock.timers.tick(MAX_RENDER_REST_MS);
    assert.equal(textOf(await next), 'next');
  });

  it('end when they are closed, whatever runs, and take nothing more', async (t) => {
    const { threads, spawned } = testThreads(t, { timeoutMs: 60_000 });
    const running = assert.rejects(threads.run(textJob('!loop'), 'ann', open), { code: 'busy' });
    while (spawned.length === 0) await new Promise(setImmediate);
    await threads.close();
    await running;
    assert.equal(spawned[0]!.threadId, -1);
    await assert.rejects(threads.run(textJob('next'), 'ann', open), { code: 'busy' });
  });
});
