import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onBehalfOf, SerialQueue } from '../../src/system/fair-queue.ts';

describe('changes of one thing', () => {
  it('run one after the other, also after one has failed, and answer each its own', async () => {
    const queue = new SerialQueue();
    const order: string[] = [];
    const change =
      (name: string, fails = false) =>
      async () => {
        order.push(`${name} begins`);
        await new Promise(setImmediate);
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const results = await Promise.allSettled([
      queue.run('k', change('a')),
      queue.run('k', change('b', true)),
      queue.run('k', change('c')),
    ]);
    assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
      ['a', 'Error: b', 'c'],
    );
  });

  it('of one who makes many are made in turn with those of others, and not once he has left', async () => {
    const queue = new SerialQueue();
    const order: string[] = [];
    const leaving = new AbortController();
    const change = (turnKey: string, gone: AbortSignal) =>
      onBehalfOf({ turnKey, gone }, () =>
        queue.run(
          'k',
          async () => {
            await new Promise(setImmediate);
            order.push(turnKey);
            if (order.length === 3) leaving.abort(new Error('left'));
          },
          gone,
        ),
      );
    const attack = Array.from({ length: 100 }, () => change('mallory', leaving.signal));
    await change('ann', new AbortController().signal);
    assert.deepEqual(order, ['mallory', 'mallory', 'ann']);
    const ends = await Promise.allSettled(attack);
    assert.equal(ends.filter(({ status }) => status === 'rejected').length, 98);
    await assert.rejects(change('mallory', leaving.signal), { message: 'left' });
  });

  it('do not wait for those of another', async () => {
    const queue = new SerialQueue();
    let release = () => {};
    const held = queue.run('a', () => new Promise<void>((resolve) => (release = resolve)));
    assert.equal(await queue.run('b', async () => 'done'), 'done');
    release();
    await held;
  });
});
