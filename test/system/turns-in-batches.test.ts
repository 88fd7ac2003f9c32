// Long work of reports in short stretches.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inTurns } from '../../src/system/turn-queue.ts';

async function* batches<T>(...all: T[][]) {
  yield* all;
}

describe('work in turns', () => {
  it('makes all, in order, but nothing of what is left out', async () => {
    const made: number[] = [];
    for await (const some of inTurns(batches([1, 2], [], [3]), (one) => (one === 2 ? undefined : one * 10))) {
      made.push(...some);
    }
    assert.deepEqual(made, [10, 30]);
  });

  it('lets others have their turn after each stretch', async () => {
    let turns = 0;
    const others = (async () => {
      for (; turns < 1000; turns++) await setImmediate();
    })();
    const made: number[] = [];
    for await (const some of inTurns(batches([1, 2, 3, 4]), (one) => one, { turnMs: 0 })) made.push(...some);
    assert.deepEqual(made, [1, 2, 3, 4]);
    assert.ok(turns >= 3, `${turns} turns of others`);
    turns = 1000;
    await others;
  });

  it('lets others have their turn within the making of one, which is as if it had been made at once', async () => {
    let turns = 0;
    const others = (async () => {
      for (; turns < 1000; turns++) await setImmediate();
    })();
    const seen: number[] = [];
    function* made(one: number): Generator<undefined, number | undefined> {
      for (let step = 0; step < 3; step++) {
        seen.push(turns);
        yield;
      }
      return one === 2 ? undefined : one * 10;
    }
    const all: number[] = [];
    for await (const some of inTurns(batches([1, 2, 3]), made, { turnMs: 0 })) all.push(...some);
    assert.deepEqual(all, [10, 30]);
    assert.equal(new Set(seen).size, seen.length, `turns of others before each step: ${seen}`);
    turns = 1000;
    await others;
  });

  it('makes nothing further for who has gone', async () => {
    const gone = new AbortController();
    const seen: number[] = [];
    function* made(one: number): Generator<undefined, number> {
      for (let step = 0; step < 10; step++) {
        seen.push(one);
        if (one === 1 && step === 2) gone.abort();
        yield;
      }
      return one;
    }
    const pace = { turnMs: 0, gone: gone.signal };
    for await (const some of inTurns(batches([1, 2]), made, pace)) assert.deepEqual(some, []);
    assert.deepEqual(seen, [1, 1, 1]);
  });

  it('goes on with one large item at a time, of all that are asked for', async () => {
    const begun = new Set<string>();
    let most = 0;
    function* made(name: string): Generator<undefined, string> {
      yield;
      begun.add(name);
      most = Math.max(most, begun.size);
      for (let step = 0; step < 5; step++) yield;
      begun.delete(name);
      return name;
    }
    const take = (name: string) => Array.fromAsync(inTurns(batches([name]), made, { turnMs: 0 }));
    const all = await Promise.all(['a', 'b', 'c'].map(take));
    assert.deepEqual(all.flat(2), ['a', 'b', 'c']);
    assert.equal(most, 1);
  });
});
