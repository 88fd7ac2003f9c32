import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  LOGIN_HOLD_SECONDS,
  LOGIN_WINDOW_SECONDS,
  MAX_CACHE_ENTRIES,
  MAX_LOGIN_FAILURES,
} from '../../src/limits/sessions.ts';
import { localThrottle } from '../../src/system/throttle.ts';

function throttleAt(start: number) {
  const clock = { seconds: start };
  const throttle = localThrottle(() => clock.seconds);
  const fail = async (keys: string[], times = 1) => {
    for (let i = 0; i < times; i++) {
      assert.equal(await throttle.check(keys), 0);
      await throttle.failed(keys);
    }
  };
  return { clock, throttle, fail };
}

describe('log-in throttle', () => {
  it('lets MAX_LOGIN_FAILURES attempts pass and refuses the next one', async () => {
    const { throttle, fail } = throttleAt(100);
    await fail(['account:ann'], MAX_LOGIN_FAILURES);
    assert.equal(await throttle.check(['account:ann']), LOGIN_WINDOW_SECONDS);
    assert.equal(await throttle.check(['account:bob']), 0);
  });

  it('opens again as each failure leaves the window, not before', async () => {
    const { clock, throttle, fail } = throttleAt(0);
    await fail(['account:ann']);
    clock.seconds = 50;
    await fail(['account:ann'], MAX_LOGIN_FAILURES - 1);
    clock.seconds = LOGIN_WINDOW_SECONDS - 1;
    assert.equal(await throttle.check(['account:ann']), 1);
    clock.seconds = LOGIN_WINDOW_SECONDS;
    await fail(['account:ann']);
    assert.equal(await throttle.check(['account:ann']), 50);
  });

  it('lets in who has logged in from there before, however many others beside him have failed', async () => {
    const { throttle, fail } = throttleAt(0);
    const at = (account: string) => [`account:${account}`, 'address:192.0.2.1'];
    assert.equal(await throttle.check(at('ann')), 0);
    await throttle.succeeded(at('ann'));
    await fail(at('bob'), MAX_LOGIN_FAILURES);
    assert.equal(await throttle.check(at('carl')), LOGIN_WINDOW_SECONDS);
    await fail(at('ann'), MAX_LOGIN_FAILURES);
    assert.equal(await throttle.check(at('ann')), LOGIN_WINDOW_SECONDS, 'what fails at herself counts');
  });

  it('answers in whole seconds, at least 1', async () => {
    const { clock, throttle, fail } = throttleAt(0);
    await fail(['account:ann'], MAX_LOGIN_FAILURES);
    clock.seconds = LOGIN_WINDOW_SECONDS - 0.001;
    assert.equal(await throttle.check(['account:ann']), 1);
  });

  it('refuses when any of the keys is used up, with the longest wait', async () => {
    const { clock, throttle, fail } = throttleAt(0);
    await fail(['address:192.0.2.1'], MAX_LOGIN_FAILURES);
    clock.seconds = 10;
    await fail(['account:ann'], MAX_LOGIN_FAILURES);
    assert.equal(await throttle.check(['account:bob', 'address:192.0.2.1']), LOGIN_WINDOW_SECONDS - 10);
    assert.equal(await throttle.check(['address:192.0.2.1', 'account:ann']), LOGIN_WINDOW_SECONDS);
  });

  it('forgets the failures of an account that logged in, from where it did, not those of the address', async () => {
    const { throttle, fail } = throttleAt(0);
    const keys = ['account:ann', 'address:192.0.2.1'];
    assert.equal(await throttle.check(keys), 0);
    await throttle.succeeded(keys);
    await fail(keys, MAX_LOGIN_FAILURES - 1);
    assert.equal(await throttle.check(keys), 0);
    await throttle.succeeded(keys);
    await fail(['address:192.0.2.1']);
    assert.ok((await throttle.check(['address:192.0.2.1'])) > 0);
    // an address of the same network where few have failed
    await fail(['account:ann', 'address:::ffff:192.0.2.2'], MAX_LOGIN_FAILURES);
  });

  it('lets nobody who guesses elsewhere shut out an account where it has logged in before', async () => {
    const { throttle, fail } = throttleAt(0);
    const home = ['account:ann', 'address:2001:db8::1'];
    assert.equal(await throttle.check(home), 0);
    await throttle.succeeded(home);
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await fail(['account:ann', `address:198.51.100.${i}`]);
    assert.ok((await throttle.check(['account:ann', 'address:203.0.113.1'])) > 0, 'strangers have one count');
    assert.ok((await throttle.check(['account:ann'])) > 0);
    assert.equal(await throttle.check(['account:ann', 'address:2001:db8::99']), 0, 'of the same network');
    await throttle.withdrawn(['account:ann', 'address:2001:db8::99']);
    await fail(home, MAX_LOGIN_FAILURES);
    assert.ok((await throttle.check(home)) > 0, 'nor is there no end to what may be tried there');
  });

  it('gives strangers no more guesses when the owner logs in, here or elsewhere', async () => {
    const { throttle, fail } = throttleAt(0);
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) {
      await fail(['account:ann', `address:198.51.100.${i}`]);
      if (i === MAX_LOGIN_FAILURES - 1) break;
      for (const address of ['192.0.2.1', `192.0.2.${i}`]) {
        const keys = ['account:ann', `address:${address}`];
        assert.equal(await throttle.check(keys), 0);
        await throttle.succeeded(keys);
      }
    }
    assert.ok((await throttle.check(['account:ann', 'address:203.0.113.1'])) > 0);
  });

  it('counts the failures of one account alone where another has logged in', async () => {
    const { throttle, fail } = throttleAt(0);
    const ann = ['account:ann', 'address:192.0.2.1'];
    await throttle.succeeded(['account:bob', 'address:192.0.2.1']);
    await fail(['account:ann', 'address:198.51.100.1'], MAX_LOGIN_FAILURES);
    assert.ok((await throttle.check(ann)) > 0);
    assert.equal(await throttle.check(['account:bob', 'address:192.0.2.1']), 0);
  });

  it('forgets the failures at what is no account by a right password from anywhere', async () => {
    const { throttle, fail } = throttleAt(0);
    const keys = ['room:5', 'address:192.0.2.1'];
    await fail(['room:5', 'address:198.51.100.1'], MAX_LOGIN_FAILURES - 1);
    assert.equal(await throttle.check(keys), 0);
    await throttle.succeeded(keys);
    await fail(['room:5', 'address:198.51.100.2'], MAX_LOGIN_FAILURES - 1);
    assert.equal(await throttle.check(keys), 0);
  });

  it('counts one IPv6 network as one address', async () => {
    const { throttle, fail } = throttleAt(0);
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await fail([`address:2001:db8::${i}:1`]);
    for (const address of ['2001:db8::', '2001:0DB8:0:0:a:b:c:d', '2001:db8:0:0::1']) {
      assert.ok((await throttle.check([`address:${address}`])) > 0, address);
    }
    for (const address of ['2001:db8:0:1::', '2001:db8:1::', '::1', 'fe80::1%eth0', '192.0.2.1', 'unix']) {
      assert.equal(await throttle.check([`address:${address}`]), 0, address);
    }
  });

  it('counts an IPv4 address the same however the socket writes it', async () => {
    const { throttle, fail } = throttleAt(0);
    await fail(['address:::ffff:192.0.2.1'], MAX_LOGIN_FAILURES);
    assert.ok((await throttle.check(['address:192.0.2.1'])) > 0);
    assert.equal(await throttle.check(['address:::ffff:192.0.2.2']), 0);
  });

  it('does not let a burst of parallel guesses through', async () => {
    const { throttle } = throttleAt(0);
    const keys = ['account:ann'];
    const answers: number[] = [];
    const guesses = Array.from({ length: 5 * MAX_LOGIN_FAILURES }, async () => {
      const wait = await throttle.check(keys);
      answers.push(wait);
      if (wait > 0) return;
      await turn();
      await throttle.failed(keys);
    });
    await Promise.all(guesses);
    assert.equal(answers.filter((wait) => wait === 0).length, MAX_LOGIN_FAILURES);
    assert.equal(answers.filter((wait) => wait > 0).length, 4 * MAX_LOGIN_FAILURES);
  });

  it('lets any number of parallel right passwords through', async () => {
    const { throttle } = throttleAt(0);
    const keys = ['account:ann', 'address:192.0.2.1'];
    const logIns = Array.from({ length: 5 * MAX_LOGIN_FAILURES }, async () => {
      const wait = await throttle.check(keys);
      await turn();
      await throttle.succeeded(keys);
      return wait;
    });
    assert.deepEqual(new Set(await Promise.all(logIns)), new Set([0]));
  });

  it('counts nothing for an attempt that is withdrawn', async () => {
    const { throttle } = throttleAt(0);
    for (let i = 0; i < 3 * MAX_LOGIN_FAILURES; i++) {
      assert.equal(await throttle.check(['account:ann']), 0);
      await throttle.withdrawn(['account:ann']);
    }
  });

  it('gives back the place of an attempt that never ended', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { throttle } = throttleAt(0);
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await throttle.check(['account:ann']);
    const waiting = throttle.check(['account:ann']);
    t.mock.timers.tick(LOGIN_HOLD_SECONDS * 1000);
    assert.equal(await waiting, 0);
  });

  it('keeps guarding an account through a flood of other names', async () => {
    const { throttle, fail } = throttleAt(0);
    await fail(['account:ann'], MAX_LOGIN_FAILURES);
    await fail(['account:bob'], MAX_LOGIN_FAILURES - 1);
    for (let i = 0; i <= MAX_CACHE_ENTRIES; i++) await throttle.failed([`account:${i}`]);
    assert.ok((await throttle.check(['account:ann'])) > 0);
    await fail(['account:bob']);
    assert.ok((await throttle.check(['account:bob'])) > 0);
  });

  it('keeps guarding an address through a flood of names and a name through a flood of addresses', async () => {
    const { throttle, fail } = throttleAt(0);
    await fail(['address:192.0.2.1'], 1);
    await fail(['account:ann'], 1);
    for (let i = 0; i <= MAX_CACHE_ENTRIES; i++) await throttle.failed([`account:${i}`]);
    await fail(['address:192.0.2.1'], MAX_LOGIN_FAILURES - 1);
    assert.ok((await throttle.check(['address:192.0.2.1'])) > 0);
  });

  it('hands the failures of a pushed out key on to the one that takes its place', async () => {
    const { throttle } = throttleAt(0);
    for (let i = 0; i < MAX_CACHE_ENTRIES; i++) {
      for (let n = 0; n < MAX_LOGIN_FAILURES - 1; n++) await throttle.failed([`account:${i}`]);
    }
    await throttle.failed(['account:ann']);
    assert.ok((await throttle.check(['account:ann'])) > 0);
  });

  it('prefers an expired entry when a place is needed', async () => {
    const { clock, throttle, fail } = throttleAt(0);
    await fail(['account:ann'], MAX_LOGIN_FAILURES);
    clock.seconds = LOGIN_WINDOW_SECONDS;
    for (let i = 0; i < MAX_CACHE_ENTRIES; i++) await throttle.failed([`account:${i}`]);
    assert.equal(await throttle.check(['account:0']), 0);
    await throttle.failed(['account:0']);
    await fail([`account:${MAX_CACHE_ENTRIES - 1}`], MAX_LOGIN_FAILURES - 1);
    assert.ok((await throttle.check([`account:${MAX_CACHE_ENTRIES - 1}`])) > 0);
  });
});
