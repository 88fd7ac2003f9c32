// Failed log-ins of all gateways of a fleet, with the rules of src/system/throttle.ts. Counters, slots and known
// networks are in the store, each with an expiry.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FIRST_ATTEMPT_WAIT_MS, LAST_ATTEMPT_WAIT_MS } from '../../limits/processes.ts';
import {
  KNOWN_NETWORK_SECONDS,
  LOGIN_HOLD_SECONDS,
  LOGIN_WINDOW_SECONDS,
  MAX_KNOWN_NETWORKS_PER_ACCOUNT,
  MAX_LOGIN_FAILURES,
} from '../../limits/sessions.ts';
import { type AttemptKey, attemptsOf, type Throttle } from '../../system/throttle.ts';
import type { Script, StoreClient } from '../resp/store-client.ts';
import { CHECK, END } from './scripts.ts';

const HOLD_MS = LOGIN_HOLD_SECONDS * 1000;
/** for a result without an attempt, such as a log-in that needed no check */
const NO_PLACE = '-';

export function redisThrottle(client: StoreClient, prefix: string): Throttle {
  /** attempt → ids in progress here, oldest first; the timer ends those whose caller never does */
  const begun = new Map<string, { id: string; timer: NodeJS.Timeout }[]>();

  function forget(attempt: string): string {
    const slots = begun.get(attempt);
    if (!slots) return NO_PLACE;
    const { id, timer } = slots.shift()!;
    clearTimeout(timer);
    if (slots.length === 0) begun.delete(attempt);
    return id;
  }

  function run(
    script: Script,
    attempts: readonly AttemptKey[],
    args: (string | number)[],
    ids: string[],
    last: number[],
  ) {
    const keys = attempts.flatMap((each) => keysOf(prefix, each));
    const network = attempts[0]?.network ?? '';
    const flags = attempts.flatMap((each, i) => [flagOf(each), ids[i]!]);
    return client.run(script, keys, [...args, network, ...flags, ...last]);
  }

  async function end(keys: string[], ending: 'failed' | 'succeeded' | 'withdrawn'): Promise<void> {
    if (keys.length === 0) return;
    const attempts = attemptsOf(keys);
    const ids = attempts.map(({ attempt }) => forget(attempt));
    const args = [LOGIN_WINDOW_SECONDS * 1000, KNOWN_NETWORK_SECONDS, MAX_LOGIN_FAILURES, ending];
    await run(END, attempts, args, ids, [MAX_KNOWN_NETWORKS_PER_ACCOUNT]);
  }

  return {
    async check(keys) {
      if (keys.length === 0) return 0;
      const attempts = attemptsOf(keys);
      const id = randomUUID();
      const ids = attempts.map(() => id);
      for (let pause = FIRST_ATTEMPT_WAIT_MS; ; pause = Math.min(2 * pause, LAST_ATTEMPT_WAIT_MS)) {
        const args = [LOGIN_WINDOW_SECONDS * 1000, HOLD_MS, MAX_LOGIN_FAILURES, NO_PLACE];
        const wait = await run(CHECK, attempts, args, ids, []);
        if (typeof wait !== 'number') throw new Error('CHECK must return a number');
        if (wait > 0) return wait;
        if (wait === 0) break;
        await sleep(pause); // slots are released, or expire after LOGIN_HOLD_SECONDS
      }
      for (const { attempt } of attempts) {
        const timer = setTimeout(() => forget(attempt), HOLD_MS).unref();
        begun.getOrInsertComputed(attempt, () => []).push({ id, timer });
      }
      return 0;
    },

    failed: (keys) => end(keys, 'failed'),
    // a correct password counts even if the store is away; counters expire
    succeeded: (keys) => end(keys, 'succeeded').catch(() => {}),
    withdrawn: (keys) => end(keys, 'withdrawn').catch(() => {}),
  };
}

/** All in one slot of a cluster, because a script needs them together. */
function keysOf(prefix: string, { attempt, elsewhere, isAddress, account }: AttemptKey): string[] {
  const name = (kind: string, of: string) => `${prefix}:{throttle}:${kind}:${of}`;
  const plain = isAddress || account === undefined ? attempt : elsewhere;
  const known = account === undefined ? 'none' : elsewhere;
  return [
    name('failed', attempt),
    name('held', attempt),
    name('failed', plain),
    name('held', plain),
    name('known', known),
  ];
}

function flagOf({ isAddress, account }: AttemptKey): string {
  return isAddress ? 'address' : account === undefined ? 'other' : 'account';
}
