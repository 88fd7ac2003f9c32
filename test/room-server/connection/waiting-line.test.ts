// Waiting for a connection that others hold.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_WAIT_MS } from '../../../src/limits/protocol.ts';
import { WaitingLine } from '../../../src/room-server/connection/slots.ts';

/** What has come of a promise by now. */
function outcome(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise, Promise.resolve('waits')]).catch((error: { code: string }) => error.code);
}

describe('who waits for a connection', () => {
  it('gets one in the order of coming', async () => {
    const line = new WaitingLine<string>();
    const [first, second] = [line.wait(), line.wait()];
    line.next()!.start('one');
    line.next()!.start(Promise.resolve('two'));
    assert.deepEqual([await first, await second, line.next()], ['one', 'two', undefined]);
  });

  it('gives up after MAX_WAIT_MS, and is passed over then', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const line = new WaitingLine<string>();
    const early = line.wait();
    early.catch(() => {}); // looked at below
    t.mock.timers.tick(MAX_WAIT_MS - 1);
    const late = line.wait();
    assert.equal(await outcome(early), 'waits');
    t.mock.timers.tick(1);
    assert.equal(await outcome(early), 'busy');
    assert.equal(line.length, 1);
    line.next()!.start('one');
    assert.equal(await late, 'one');
  });

  it('no longer gives up when the turn has come, be it for a connection that is still being opened', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const line = new WaitingLine<string>();
    const waiting = line.wait();
    const opening = Promise.withResolvers<string>();
    line.next()!.start(opening.promise);
    t.mock.timers.tick(MAX_WAIT_MS);
    opening.resolve('one');
    assert.equal(await waiting, 'one');
  });

  it('fails with all others when no connection is left; who comes later waits anew', async () => {
    const line = new WaitingLine<string>();
    const waiting = [line.wait(), line.wait()];
    line.failAll(new Error('gone'));
    for (const each of waiting) await assert.rejects(each, { message: 'gone' });
    const later = line.wait();
    line.next()!.start('one');
    assert.equal(await later, 'one');
  });
});
