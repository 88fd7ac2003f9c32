// Passwords of rooms that were tried: once for all requests that bring the same one.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type PasswordOutcome, TriedPasswords } from '../../src/gateway/tried-passwords.ts';
import { RIGHT_PASSWORD_SECONDS, WRONG_PASSWORD_SECONDS } from '../../src/limits/sessions.ts';

function start(t: TestContext) {
  const clock = { now: 0 };
  t.mock.method(performance, 'now', () => clock.now);
  const tried = new TriedPasswords();
  let count = 0;
  const outcome = (key: string, password: string, answer: PasswordOutcome) =>
    tried.outcomeOf(key, password, async () => {
      count++;
      return answer;
    });
  return { clock, tried, outcome, attempts: () => count };
}

it('requests that come together try once', async (t) => {
  const { outcome, attempts } = start(t);
  const all = await Promise.all([1, 2, 3].map(() => outcome('a', 'x', 'wrong')));
  assert.deepEqual([all, attempts()], [['wrong', 'wrong', 'wrong'], 1]);
  assert.equal(await outcome('a', 'x', 'right'), 'wrong');
  assert.equal(attempts(), 1);
});

it('another password, room or caller is another attempt', async (t) => {
  const { outcome, attempts } = start(t);
  assert.equal(await outcome('a', 'x', 'wrong'), 'wrong');
  assert.equal(await outcome('a', 'y', 'right'), 'right');
  assert.equal(await outcome('b', 'x', 'right'), 'right');
  assert.equal(attempts(), 3);
});

for (const [answer, seconds] of [
  ['right', RIGHT_PASSWORD_SECONDS],
  ['wrong', WRONG_PASSWORD_SECONDS],
] as const) {
  it(`what was ${answer} is known for ${seconds} seconds`, async (t) => {
    const { clock, outcome, attempts } = start(t);
    await outcome('a', 'x', answer);
    clock.now = seconds * 1000 - 1;
    await outcome('a', 'x', answer);
    assert.equal(attempts(), 1);
    clock.now = seconds * 1000;
    await outcome('a', 'x', answer);
    assert.equal(attempts(), 2);
  });
}

it('what was no guess, or failed, is not kept', async (t) => {
  const { tried, outcome, attempts } = start(t);
  assert.equal(await outcome('a', 'x', undefined), undefined);
  assert.equal(await outcome('a', 'x', 'right'), 'right');
  assert.equal(attempts(), 2);
  const fails = () => tried.outcomeOf('b', 'x', () => Promise.reject(new Error('lost')));
  await assert.rejects(fails(), /lost/);
  await assert.rejects(fails(), /lost/);
  assert.equal(await outcome('b', 'x', 'wrong'), 'wrong');
});
