import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SerialQueue } from '../../src/system/fair-queue.ts';

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

  it('do not wait for those of another', async () => {
    const queue = new SerialQueue();
    let release = () => {};
    const held = queue.run('a', () => new Promise<void>((resolve) => (release = resolve)));
    assert.equal(await queue.run('b', async () => 'done'), 'done');
    release();
    await held;
  });
});
