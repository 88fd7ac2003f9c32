import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Turns } from '../../src/gateway/turns.ts';

describe('changes of one thing', () => {
  it('run one after the other, also after one has failed, and answer each its own', async () => {
    const turns = new Turns();
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
      turns.take('k', change('a')),
      turns.take('k', change('b', true)),
      turns.take('k', change('c')),
    ]);
    assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
      ['a', 'Error: b', 'c'],
    );
  });

  it('do not wait for those of another', async () => {
    const turns = new Turns();
    let release = () => {};
    const held = turns.take('a', () => new Promise<void>((resolve) => (release = resolve)));
    assert.equal(await turns.take('b', async () => 'done'), 'done');
    release();
    await held;
  });
});
