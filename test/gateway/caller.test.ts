// What becomes of an attempt to log in: which attempts count as guesses, and how long a wrong one takes. The throttle
// and the clock are the test's own.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import type { App } from '../../src/gateway/app.ts';
import { logInThrottled, newLogInQueue } from '../../src/gateway/caller.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import {
  FAILED_LOGIN_MS,
  KNOWN_NETWORK_RENEW_SECONDS,
  MAX_CREDENTIAL_BYTES,
  MAX_LOG_INS_AT_ONCE,
  MAX_WAITING_LOG_INS_PER_NETWORK,
} from '../../src/limits/sessions.ts';

const open = new AbortController().signal;
const requestFrom = (address: string, gone = open) =>
  ({ remoteAddress: address, remoteNetwork: address, gone }) as Exchange;
const REQUEST = requestFrom('10.1.2.3');
const KEYS = ['account:ann', 'address:10.1.2.3'];

/** `named`: the user that the room server tells; '' when it knows nobody of this name. */
function attempt(
  logIn: () => Promise<string>,
  { wait = 0, isKnown = false, user = ' Ann', password = 'x', named = '', loggedInFrom = new Map() } = {},
) {
  const calls: [string, string[]][] = [];
  const note = (name: string) => async (keys: string[]) => {
    calls.push([name, keys]);
    return wait;
  };
  const throttle = {
    check: note('check'),
    failed: note('failed'),
    succeeded: note('succeeded'),
    withdrawn: note('withdrawn'),
  };
  const read = async () => [{ code: named === '' ? 570 : 300, text: `Password required for ${named}` }];
  const identify = async () => ({ name: 'Ann' });
  const parts = { pool: { isKnown: () => isKnown, readAndLeave: read, identify }, fleet: { throttle }, loggedInFrom };
  const app = { ...parts, logIns: newLogInQueue() } as unknown as App;
  return { calls, result: logInThrottled(REQUEST, app, { user, password }, logIn) };
}

function stopClock(t: TestContext): void {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => 1000);
}

const wrong = async () => {
  throw new AppError('not_logged_in', 'Wrong user name or password.');
};

describe('an attempt to log in', () => {
  it('that succeeds takes the failures of the account back', async () => {
    const { calls, result } = attempt(async () => 'welcome');
    assert.equal(await result, 'welcome');
    assert.deepEqual(calls, [
      ['check', KEYS],
      ['succeeded', KEYS],
    ]);
  });

  it('that fails is counted, for account and address, and takes as long whatever it was that was wrong', async (t) => {
    stopClock(t);
    const { calls, result } = attempt(wrong);
    let isAnswered = false;
    const refused = assert.rejects(result, { code: 'not_logged_in' }).then(() => {
      isAnswered = true;
    });
    await setImmediate();
    t.mock.timers.tick(FAILED_LOGIN_MS - 1);
    await setImmediate();
    assert.equal(isAnswered, false);
    t.mock.timers.tick(1);
    await refused;
    assert.deepEqual(calls, [
      ['check', KEYS],
      ['failed', KEYS],
    ]);
  });

  it('is no guess when the room server could not be asked', async () => {
    const { calls, result } = attempt(async () => {
      throw new AppError('backend_unreachable', 'The room server cannot be reached.');
    });
    await assert.rejects(result, { code: 'backend_unreachable' });
    assert.deepEqual(calls, [
      ['check', KEYS],
      ['withdrawn', KEYS],
    ]);
  });

  it('is not made after too many failures', async () => {
    const { calls, result } = attempt(() => assert.fail('asked'), { wait: 17 });
    await assert.rejects(result, { code: 'too_many_requests', retryAfterSeconds: 17 });
    assert.deepEqual(calls, [['check', KEYS]]);
  });

  it('of who is logged in is not counted where he has been let in before, until somebody is refused', async () => {
    const loggedInFrom = new Map<string, number>();
    const ask = (wait = 0) => attempt(async () => 'welcome', { wait, isKnown: true, loggedInFrom });
    const first = ask();
    assert.equal(await first.result, 'welcome');
    assert.deepEqual(first.calls, [
      ['check', KEYS],
      ['succeeded', KEYS],
    ]);
    const next = ask(17);
    assert.equal(await next.result, 'welcome');
    assert.deepEqual(next.calls, []);
    const guess = attempt(wrong, { wait: 17, loggedInFrom, password: 'guess' });
    await assert.rejects(guess.result, { code: 'too_many_requests' });
    await assert.rejects(ask(17).result, { code: 'too_many_requests' });
  });

  it('of who is logged in already counts elsewhere as if he were not', async () => {
    const { calls, result } = attempt(() => assert.fail('asked'), { wait: 17, isKnown: true });
    await assert.rejects(result, { code: 'too_many_requests' });
    assert.deepEqual(calls, [['check', KEYS]]);
  });

  it('makes the network known anew once a day', async (t) => {
    const loggedInFrom = new Map<string, number>();
    const callsAt = async (seconds: number) => {
      t.mock.method(Date, 'now', () => seconds * 1000);
      const { calls, result } = attempt(async () => 'welcome', { isKnown: true, loggedInFrom });
      await result;
      return calls.map(([name]) => name);
    };
    assert.deepEqual(await callsAt(1_000_000), ['check', 'succeeded']);
    assert.deepEqual(await callsAt(1_000_000 + KNOWN_NETWORK_RENEW_SECONDS - 1), []);
    assert.deepEqual(await callsAt(1_000_000 + KNOWN_NETWORK_RENEW_SECONDS), ['check', 'succeeded']);
  });

  it('is one at the account that the room server names', async () => {
    const { calls, result } = attempt(async () => 'welcome', { user: 'info@example.org', named: 'Ann B' });
    await result;
    assert.deepEqual(calls[0], ['check', ['account:annb', 'address:10.1.2.3']]);
  });

  it('with what can be nobody’s is wrong without a question', async () => {
    const longest = 'x'.repeat(MAX_CREDENTIAL_BYTES);
    for (const credentials of [
      { user: 'a|b' },
      { password: 'a\nb' },
      { user: `${longest}x` },
      { password: `${longest}x` },
    ]) {
      const { calls, result } = attempt(() => assert.fail('asked'), credentials);
      await assert.rejects(result, { code: 'not_logged_in' });
      assert.deepEqual(calls, []);
    }
    for (const credentials of [{ user: longest }, { password: longest }]) {
      assert.equal(await attempt(async () => 'welcome', credentials).result, 'welcome');
    }
  });
});

describe('log-ins by password have turns', () => {
  /** `ask` tries a log-in, which ends when `end` says so: names in the order in which the room server is asked. */
  function room(loggedInFrom = new Map<string, number>()) {
    const throttle = {
      check: async () => 0,
      failed: async () => {},
      succeeded: async () => {},
      withdrawn: async () => {},
    };
    const pool = { isKnown: () => false, readAndLeave: async () => [{ code: 570, text: '' }] };
    const app = { pool, fleet: { throttle }, loggedInFrom, logIns: newLogInQueue() } as unknown as App;
    const asked: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (user: string, address: string, gone = open) => {
      const logIn = () => {
        asked.push(user);
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      const result = logInThrottled(requestFrom(address, gone), app, { user, password: 'x' }, logIn);
      result.catch(() => {});
      return result;
    };
    /** log-ins that end until the room server is asked for this one */
    const turnsUntil = async (user: string) => {
      for (let turns = 0; ; turns++) {
        for (let i = 0; i < 20; i++) await setImmediate();
        if (asked.includes(user)) return turns;
        assert.ok(ends.length > 0, 'nobody has a turn');
        ends.shift()!();
      }
    };
    return { ask, asked, turnsUntil };
  }

  const tryNames = (ask: ReturnType<typeof room>['ask'], gone = open) => {
    for (let i = 0; i < 40; i++) void ask(`nobody ${i}`, `203.0.113.${i % 5}`, gone);
  };

  it('40 names from five addresses hold up somebody from another by a turn of each address', async () => {
    const { ask, asked, turnsUntil } = room();
    tryNames(ask);
    await turnsUntil('nobody 0');
    assert.equal(asked.length, MAX_LOG_INS_AT_ONCE);
    void ask('ann', '198.51.100.7');
    const turns = await turnsUntil('ann');
    assert.ok(turns <= 5 + 1, `${turns} turns`);
  });

  it('who has logged in from this address before is the next, whoever else is behind it', async () => {
    const { ask, turnsUntil } = room(new Map([['ann\x00203.0.113.3', 1]]));
    tryNames(ask);
    void ask('ann', '203.0.113.3');
    assert.equal(await turnsUntil('ann'), 1);
  });

  it('who leaves has none, and one network has a bounded number that wait', async () => {
    const { ask, asked, turnsUntil } = room();
    const leaving = new AbortController();
    tryNames(ask, leaving.signal);
    await turnsUntil('nobody 0');
    leaving.abort(new AppError('request_timeout', 'gone'));
    void ask('ann', '203.0.113.3');
    assert.ok((await turnsUntil('ann')) <= 1);
    assert.equal(asked.length, MAX_LOG_INS_AT_ONCE + 1);
    const many = Array.from({ length: MAX_WAITING_LOG_INS_PER_NETWORK + 10 }, (_, i) => ask(`n${i}`, '192.0.2.1'));
    const busy = Promise.any(
      many.map((each) =>
        each.then(
          () => assert.fail('nobody is let in'),
          (error: AppError) => error,
        ),
      ),
    );
    assert.deepEqual([(await busy).code, (await busy).retryAfterSeconds], ['busy', 5]);
  });
});
