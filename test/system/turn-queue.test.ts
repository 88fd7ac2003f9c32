import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { TurnQueue } from '../../src/system/turn-queue.ts';

describe('TurnQueue', () => {
  it('gives one turn in each round of the event loop, in the order in which they were asked for', async () => {
    const turns = new TurnQueue();
    const given: string[] = [];
    for (const name of ['a', 'b', 'c']) void turns.next().then(() => given.push(name));
    const rounds: string[] = [];
    for (let round = 0; round < 4; round++) {
      rounds.push(given.join(''));
      await nextRound();
    }
    assert.deepEqual(rounds, ['', 'a', 'ab', 'abc']);
  });

  it('puts who asks again behind those who wait', async () => {
    const turns = new TurnQueue();
    const given: string[] = [];
    const work = async (name: string) => {
      for (let i = 0; i < 3; i++) {
        await turns.next();
        given.push(name);
      }
    };
    await Promise.all([work('a'), work('b')]);
    assert.equal(given.join(''), 'ababab');
  });

  it('lets work go on until its time is over', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const turns = new TurnQueue();
    const turn = turns.paced(10);
    now = 9;
    assert.equal(turn(), undefined);
    now = 10;
    await turn();
    now = 19;
    assert.equal(turn(), undefined);
    now = 20;
    assert.ok(turn());
  });
});
