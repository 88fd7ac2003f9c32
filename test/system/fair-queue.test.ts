// Who gets the next place: each caller in turn, within bounds.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { awaitTurn, FairQueue, type FairQueueOptions } from '../../src/system/fair-queue.ts';

const refused = (isOwnFault: boolean) => new AppError('busy', isOwnFault ? 'own' : 'all', { retryAfterSeconds: 5 });
const BOUNDS = { slots: 1, slotsPerCaller: 1, maxWaiting: 10, maxWaitingPerCaller: 5, maxWaitMs: 60_000, refused };
const open = new AbortController().signal;

function queueOf(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ ...BOUNDS, ...options });
  /** callers in the order in which they got a place, and what gives it back */
  const order: string[] = [];
  const leaves: (() => void)[] = [];
  const ask = async (caller: string, signal = open, isFirst = false) => {
    const leave = await queue.enter(caller, signal, isFirst);
    order.push(caller);
    leaves.push(leave);
  };
  const next = async () => {
    leaves.shift()!();
    await new Promise(setImmediate);
  };
  return { queue, order, leaves, ask, next };
}

const isBusy = (error: unknown) =>
  error instanceof AppError && error.code === 'busy' && Number(error.retryAfterSeconds) > 0;

describe('a fair queue', () => {
  it('serves callers in turn, whoever asks for more', async () => {
    const { order, ask, next } = queueOf();
    for (const caller of ['ann', 'ann', 'ann', 'ann', 'bob', 'cid', 'bob']) void ask(caller);
    await new Promise(setImmediate);
    for (let i = 0; i < 7; i++) await next();
    assert.deepEqual(order, ['ann', 'ann', 'bob', 'cid', 'ann', 'bob', 'ann']);
  });

  it('serves those who come first and the others by turns, and neither takes the room of the other', async () => {
    const { order, ask, next } = queueOf({ maxWaiting: 2 });
    for (const caller of ['ann', 'bob', 'cid']) void ask(caller);
    await assert.rejects(ask('dan'), isBusy);
    for (const caller of ['Eve', 'Flo']) void ask(caller, open, true);
    await assert.rejects(ask('Gil', open, true), isBusy);
    for (let i = 0; i < 5; i++) await next();
    assert.deepEqual(order, ['ann', 'Eve', 'bob', 'Flo', 'cid']);
  });

  it('lets one caller have so many places, and others the rest', async () => {
    const { order, ask, next } = queueOf({ slots: 3, slotsPerCaller: 2 });
    for (const caller of ['ann', 'ann', 'ann', 'bob', 'cid']) void ask(caller);
    await new Promise(setImmediate);
    assert.deepEqual(order, ['ann', 'ann', 'bob'], 'the third of ann waits while a place was free');
    await next();
    assert.deepEqual(order, ['ann', 'ann', 'bob', 'ann']);
    await next();
    assert.deepEqual(order, ['ann', 'ann', 'bob', 'ann', 'cid']);
  });

  it('refuses one more than may wait, and takes one again when one has gone', async () => {
    for (const [options, callers] of [
      [{ maxWaitingPerCaller: 3 }, ['ann', 'ann', 'ann', 'ann']],
      [{ maxWaiting: 3 }, ['ann', 'bob', 'cid', 'dan']],
    ] as const) {
      const { queue, ask, next, order } = queueOf(options);
      for (const caller of callers) void ask(caller);
      assert.equal(queue.waiting, 3, 'one has the place');
      await assert.rejects(ask('ann'), isBusy);
      await next();
      void ask('ann');
      for (let i = 0; i < 4; i++) await next();
      assert.equal(order.length, 5);
    }
  });

  it('forgets who has left, and who has waited too long', async () => {
    const { queue, order, ask, next } = queueOf({ maxWaitMs: 30 });
    const leaving = new AbortController();
    await ask('ann');
    const gone = ask('bob', leaving.signal);
    leaving.abort(new Error('left'));
    await assert.rejects(gone, { message: 'left' });
    assert.equal(queue.waiting, 0);
    await assert.rejects(ask('cid'), isBusy);
    assert.equal(queue.waiting, 0);
    await assert.rejects(ask('dan', leaving.signal), { message: 'left' });
    void ask('eve');
    await next();
    assert.deepEqual(order, ['ann', 'eve']);
  });

  it('gives a place back once, however often it is said', async () => {
    const { order, leaves, ask, next } = queueOf();
    for (const caller of ['ann', 'bob', 'cid']) void ask(caller);
    await new Promise(setImmediate);
    const leave = leaves[0]!;
    leave();
    leave();
    await new Promise(setImmediate);
    assert.deepEqual(order, ['ann', 'bob']);
    leaves.shift();
    await next();
    assert.deepEqual(order, ['ann', 'bob', 'cid']);
  });
});

const MAX_WAIT_MS = 1000;

function waiting(t: TestContext, signal?: AbortSignal) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const left: string[] = [];
  const turn = awaitTurn<string>(
    signal,
    MAX_WAIT_MS,
    () => new Error('too late'),
    () => left.push('gave up'),
  );
  turn.came.catch(() => {});
  return { turn, left };
}

describe('who waits for a turn', () => {
  it('gets what it was started with, and is not late afterwards', async (t) => {
    const { turn, left } = waiting(t);
    t.mock.timers.tick(MAX_WAIT_MS - 1);
    const slow = Promise.withResolvers<string>();
    turn.start(slow.promise);
    t.mock.timers.tick(MAX_WAIT_MS * 10);
    slow.resolve('a connection');
    assert.equal(await turn.came, 'a connection');
    assert.deepEqual(left, [], 'it is in no queue any more');
  });

  it('is told when it has waited too long, and leaves the queue first', async (t) => {
    const { turn, left } = waiting(t);
    t.mock.timers.tick(MAX_WAIT_MS);
    assert.deepEqual(left, ['gave up']);
    await assert.rejects(turn.came, { message: 'too late' });
  });

  it('leaves the queue when its client has left', async (t) => {
    const client = new AbortController();
    const { turn, left } = waiting(t, client.signal);
    const reason = new Error('the client has gone');
    client.abort(reason);
    assert.deepEqual(left, ['gave up']);
    await assert.rejects(turn.came, reason);
    t.mock.timers.tick(MAX_WAIT_MS);
    assert.deepEqual(left, ['gave up'], 'once');
  });

  it('does not hear of its client any more when it was started', async (t) => {
    const client = new AbortController();
    const { turn, left } = waiting(t, client.signal);
    turn.start('x');
    client.abort();
    assert.equal(await turn.came, 'x');
    assert.deepEqual(left, []);
  });

  it('may be sent away by whoever keeps the queue', async (t) => {
    const { turn, left } = waiting(t);
    turn.fail(new Error('closed'));
    assert.deepEqual(left, ['gave up']);
    await assert.rejects(turn.came, { message: 'closed' });
  });
});
