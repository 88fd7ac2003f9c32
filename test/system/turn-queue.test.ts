import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { ASKED_LATELY_MS, BULK_RESTS } from '../../src/limits/backend.ts';
import { onBehalfOf, PROGRAM } from '../../src/system/fair-queue.ts';
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

  it('gives turns to askers, however many one of them asks for, of either kind', async () => {
    for (const kind of ['next', 'nextOfBulk'] as const) {
      const turns = new TurnQueue();
      const given: string[] = [];
      const ask = (turnKey: string) =>
        onBehalfOf({ ...PROGRAM, turnKey }, () => turns[kind](0)).then(() => void given.push(turnKey));
      for (let i = 0; i < 100; i++) void ask('mallory');
      for (let i = 0; i < 3; i++) await ask('ann');
      assert.deepEqual(given, ['mallory', 'ann', 'mallory', 'ann', 'mallory', 'ann']);
    }
  });

  it('lets work go on until its time is over', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const turns = new TurnQueue();
    const turn = turns.begin(10);
    now = 9;
    assert.ok(!turn.isOver);
    now = 10;
    assert.ok(turn.isOver);
    await turn.next();
    now = 19;
    assert.ok(!turn.isOver);
    now = 20;
    assert.ok(turn.isOver);
  });

  it('makes something of each item, in order, and waits where its time is over', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const turns = new TurnQueue();
    const { mock } = t.mock.method(turns, 'next');
    const make = (item: number) => {
      now += 1;
      return item * 2;
    };
    assert.deepEqual(await turns.map([1, 2, 3, 4, 5], 2, make), [2, 4, 6, 8, 10]);
    assert.equal(mock.callCount(), 2);
  });

  it('gives work that yields a turn among what moves very many bytes for each stretch of it', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const turns = new TurnQueue();
    const seen: string[] = [];
    function* work(): Generator<undefined, string> {
      for (const step of ['a', 'b', 'c', 'd']) {
        seen.push(step);
        now += 1;
        yield;
      }
      return 'done';
    }
    const outcome = turns.run(work(), 2, () => {});
    for (const expected of ['ab', 'abcd', 'abcd']) {
      await nextRound();
      assert.equal(seen.join(''), expected);
    }
    assert.equal(await outcome, 'done');
  });

  it('does nothing further of it for who has gone', async () => {
    const turns = new TurnQueue();
    const gone = new AbortController();
    let steps = 0;
    function* work(): Generator<undefined, number> {
      for (;;) {
        if (++steps === 3) gone.abort();
        yield;
      }
    }
    await assert.rejects(
      turns.run(work(), 0, () => gone.signal.throwIfAborted()),
      { name: 'AbortError' },
    );
    assert.equal(steps, 3);
  });

  it('lets what moves very many bytes rest many times as long as it has worked while others ask', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const turns = new TurnQueue();
    let isGiven = false;
    const ask = (worked: number) => {
      isGiven = false;
      void turns.nextOfBulk(worked).then(() => (isGiven = true));
    };
    ask(2);
    await nextRound();
    assert.ok(isGiven, 'nobody else has asked');
    turns.noteShort();
    now = ASKED_LATELY_MS - 1;
    ask(2);
    await turns.next();
    await nextRound();
    assert.ok(!isGiven);
    now += 2 * BULK_RESTS;
    await turns.next();
    await nextRound();
    assert.ok(isGiven);
    now = ASKED_LATELY_MS + 100;
    ask(2);
    await nextRound();
    assert.ok(isGiven, 'nobody else has asked lately');
  });

  it('puts off nobody for those who come behind him', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const turns = new TurnQueue();
    let given = 0;
    const join = () => void turns.nextOfBulk(1).then(() => given++);
    const goOn = async (ms: number) => {
      turns.noteShort();
      now += ms;
      await turns.next();
      await nextRound();
    };
    turns.noteShort();
    for (let i = 0; i < 5; i++) join();
    for (let turn = 1; turn <= 5; turn++) {
      await goOn(BULK_RESTS - 1);
      assert.equal(given, turn - 1);
      for (let i = 0; i < 100; i++) join();
      await goOn(1);
      assert.equal(given, turn);
    }
  });

  it('goes on by itself behind a rest, which is short however long it has worked', async () => {
    const turns = new TurnQueue();
    const order: string[] = [];
    turns.noteShort();
    const bulk = turns.nextOfBulk(60_000).then(() => order.push('bulk'));
    void turns.next().then(() => order.push('others'));
    await bulk;
    assert.deepEqual(order, ['others', 'bulk']);
  });

  it('starves nobody: what moves very many bytes and the others take turns', async () => {
    const turns = new TurnQueue();
    const given: string[] = [];
    const work = async (name: string, next: () => Promise<void>) => {
      for (let i = 0; i < 3; i++) {
        await next();
        given.push(name);
      }
    };
    await Promise.all([
      work('a', () => turns.next()),
      work('b', () => turns.next()),
      work('l', () => turns.nextOfBulk(5)),
    ]);
    assert.equal(given.join(''), 'alblalbab');
  });
});
