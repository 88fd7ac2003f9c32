import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Acknowledgements } from '../../../src/extra/redis/replica.ts';
import { MAX_UNACKNOWLEDGED, NOTIFIED_WAIT_MS } from '../../../src/limits/processes.ts';

const isDone = async (promise: Promise<void>) => {
  let done = false;
  void promise.then(() => (done = true));
  await turn();
  return done;
};

describe('who has told a change', () => {
  it('waits until all have it, however early they say so', async () => {
    const acknowledged = new Acknowledgements();
    assert.ok(await isDone(acknowledged.byAll(1, 0)));
    const two = acknowledged.byAll(2, 2);
    acknowledged.note(2);
    acknowledged.note(3);
    assert.equal(await isDone(two), false);
    acknowledged.note(2);
    assert.ok(await isDone(two));
    acknowledged.note(4);
    acknowledged.note(4);
    assert.ok(await isDone(acknowledged.byAll(4, 2)));
  });

  it('waits no longer than NOTIFIED_WAIT_MS for who is cut off', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const one = new Acknowledgements().byAll(1, 1);
    t.mock.timers.tick(NOTIFIED_WAIT_MS - 1);
    assert.equal(await isDone(one), false);
    t.mock.timers.tick(1);
    assert.ok(await isDone(one));
  });

  it('waits for MAX_UNACKNOWLEDGED changes at once, and not for one more', async () => {
    const acknowledged = new Acknowledgements();
    for (let i = 1; i < MAX_UNACKNOWLEDGED; i++) acknowledged.note(i);
    const last = acknowledged.byAll(MAX_UNACKNOWLEDGED, 1);
    assert.equal(await isDone(last), false);
    assert.ok(await isDone(acknowledged.byAll(MAX_UNACKNOWLEDGED + 1, 1)));
    acknowledged.note(MAX_UNACKNOWLEDGED);
    assert.ok(await isDone(last));
  });
});
