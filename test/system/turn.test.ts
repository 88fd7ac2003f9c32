// Waiting in a queue: until the turn comes, the time is over, or whoever waits has left.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { awaitTurn } from '../../src/system/turn.ts';

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
