// Slows down the guessing of passwords: counts failed log-ins by account and by address in a sliding window.
// Called by gateway/caller.ts around every log-in whose credentials are not known yet, and by backend/login.ts for those
// who reach the room server itself.

import { hash } from 'node:crypto';
import { LOGIN_HOLD_SECONDS, LOGIN_WINDOW_SECONDS, MAX_CACHE_ENTRIES, MAX_LOGIN_FAILURES } from './limits/sessions.ts';
import { networkOf } from './networks.ts';

/**
 * Keys are `address:…` for where the attempt comes from (an IP address; of an IPv6 address the network counts), and
 * anything else (`account:…`) for whom it claims to be, spelled in one way only.
 * A check that answers 0 is followed by failed, succeeded or withdrawn with the same keys.
 */
export interface Throttle {
  /** 0: go on; otherwise the whole seconds to wait. May take a moment while other attempts on a key are under way. */
  check(keys: string[]): Promise<number>;
  failed(keys: string[]): Promise<void>;
  /** Forgets the failures of the account. Those of the address stay, or one own account would buy endless guesses. */
  succeeded(keys: string[]): Promise<void>;
  /** The attempt came to neither end: the room server was not there. */
  withdrawn(keys: string[]): Promise<void>;
}

const ADDRESS = 'address:';

/** `now` in seconds; the default clock never goes back. */
export function localThrottle(now: () => number = () => performance.now() / 1000): Throttle {
  // Apart, so that a flood of invented account names cannot push out addresses, nor the other way round.
  const accounts = new FailureTable();
  const addresses = new FailureTable();
  const underWay = new AttemptsUnderWay();

  const lookUp = (keys: string[]) =>
    keys.map((key) => {
      const isAddress = key.startsWith(ADDRESS);
      const counted = isAddress ? ADDRESS + networkOf(key.slice(ADDRESS.length)) : key;
      // Names in a log-in body may be long; what is kept of them is not.
      return { key: hash('sha256', counted, 'base64'), table: isAddress ? addresses : accounts };
    });

  return {
    async check(keys) {
      const entries = lookUp(keys);
      for (;;) {
        let wait = 0;
        let crowded: string | undefined;
        for (const { key, table } of entries) {
          const failures = table.recent(key, now());
          if (failures.length >= MAX_LOGIN_FAILURES) {
            wait = Math.max(wait, Math.ceil(failures[0]! + LOGIN_WINDOW_SECONDS - now()));
          } else if (failures.length + underWay.count(key) >= MAX_LOGIN_FAILURES) {
            crowded = key;
          }
        }
        if (wait > 0) return wait;
        if (crowded === undefined) break;
        await underWay.nextEnd(crowded);
      }
      // Nothing was awaited since the counts were read: what was free still is.
      for (const { key } of entries) underWay.begin(key);
      return 0;
    },

    async failed(keys) {
      for (const { key, table } of lookUp(keys)) {
        table.add(key, now());
        underWay.end(key);
      }
    },

    async succeeded(keys) {
      for (const { key, table } of lookUp(keys)) {
        if (table === accounts) table.forget(key);
        underWay.end(key);
      }
    },

    async withdrawn(keys) {
      for (const { key } of lookUp(keys)) underWay.end(key);
    },
  };
}

/**
 * Times of the latest failures by key, oldest first, at most MAX_LOGIN_FAILURES of them. When the table is full, a new
 * key takes the place of one with the fewest failures and inherits them: a flood of new keys, which have one failure
 * each, can neither push out a key that is being guarded nor wipe its count.
 */
class FailureTable {
  /** `#byCount[n]`: the keys with n failures, longest untouched first */
  #byCount = Array.from({ length: MAX_LOGIN_FAILURES + 1 }, () => new Map<string, number[]>());
  #countOf = new Map<string, number>();

  recent(key: string, now: number): number[] {
    const count = this.#countOf.get(key);
    return count === undefined ? [] : withinWindow(this.#byCount[count]!.get(key)!, now);
  }

  add(key: string, now: number): void {
    const inherited = this.#countOf.has(key) || this.#countOf.size < MAX_CACHE_ENTRIES ? [] : this.#evict(now);
    const failures = [...inherited, ...this.recent(key, now), now].slice(-MAX_LOGIN_FAILURES);
    this.forget(key);
    this.#countOf.set(key, failures.length);
    this.#byCount[failures.length]!.set(key, failures);
  }

  forget(key: string): void {
    const count = this.#countOf.get(key);
    if (count === undefined) return;
    this.#countOf.delete(key);
    this.#byCount[count]!.delete(key);
  }

  /** Removes the entry that guards least and returns what of it still counts. */
  #evict(now: number): number[] {
    const oldest = this.#byCount.flatMap((entries) => entries.entries().take(1).toArray());
    const [key, failures] = oldest.find(([, times]) => withinWindow(times, now).length === 0) ?? oldest[0]!;
    this.forget(key);
    return withinWindow(failures, now);
  }
}

function withinWindow(failures: number[], now: number): number[] {
  return failures.filter((time) => time > now - LOGIN_WINDOW_SECONDS);
}

/**
 * Attempts between check and their end, which hold a place each: otherwise a burst of parallel guesses would all be
 * let through before the first has failed. Right passwords only wait a little, they are not refused.
 */
class AttemptsUnderWay {
  /** one timer per attempt, oldest first: it ends an attempt whose caller never did */
  #begun = new Map<string, NodeJS.Timeout[]>();
  #waiting = new Map<string, PromiseWithResolvers<void>>();

  count(key: string): number {
    return this.#begun.get(key)?.length ?? 0;
  }

  begin(key: string): void {
    const timer = setTimeout(() => this.end(key), LOGIN_HOLD_SECONDS * 1000).unref();
    const timers = this.#begun.get(key);
    if (timers) timers.push(timer);
    else this.#begun.set(key, [timer]);
  }

  end(key: string): void {
    const timers = this.#begun.get(key);
    if (!timers) return;
    clearTimeout(timers.shift());
    if (timers.length === 0) this.#begun.delete(key);
    this.#waiting.get(key)?.resolve();
    this.#waiting.delete(key);
  }

  /** Resolves when an attempt on the key ends; only for a key that has one. */
  nextEnd(key: string): Promise<void> {
    let waiting = this.#waiting.get(key);
    if (!waiting) this.#waiting.set(key, (waiting = Promise.withResolvers()));
    return waiting.promise;
  }
}
