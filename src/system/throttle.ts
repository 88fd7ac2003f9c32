// Slows down the guessing of passwords: counts failed log-ins by account and by address in a sliding window. An address
// from which the account has logged in of late counts for itself, so that strangers cannot lock the owner out: not
// those elsewhere, and not those beside him, who fail at other accounts.

import { hash } from 'node:crypto';
import { LOGIN_HOLD_SECONDS, LOGIN_WINDOW_SECONDS, MAX_CACHE_ENTRIES, MAX_LOGIN_FAILURES } from '../limits/sessions.ts';
import { KnownNetworks } from './known-networks.ts';
import { networkOf } from './networks.ts';

/**
 * Keys are `address:…` for where the attempt comes from (an IP address; of an IPv6 address the network counts),
 * `account:…` for whom it claims to be, spelled in one way only, and anything else for what else a password opens.
 * What stands behind the colon may begin with the server that it counts at, between two NULs (fleet/server-fleet.ts).
 * A check that answers 0 is followed by failed, succeeded or withdrawn with the same keys.
 */
export interface Throttle {
  /** 0: go on; otherwise the whole seconds to wait. May take a moment while other attempts on a key are under way. */
  check(keys: string[]): Promise<number>;
  failed(keys: string[]): Promise<void>;
  /**
   * Forgets the failures of the account from this network, and of other things. Those of the address stay, or one own
   * account would buy endless guesses; so do those that strangers have made at the account, or each log-in of its owner
   * would buy them more.
   */
  succeeded(keys: string[]): Promise<void>;
  /** The attempt came to neither end: the room server was not there. */
  withdrawn(keys: string[]): Promise<void>;
}

const ADDRESS = 'address:';
const ACCOUNT = 'account:';

/** What a key stands for in one attempt. */
interface Counted {
  /** whose attempt it is: of an account's the network is a part, whether it is known or not */
  attempt: string;
  /** where it counts */
  key: string;
  table: FailureTable;
  /** nobody else can have made these failures, as far as can be known: a right password takes them back */
  isForgotten: boolean;
  /** the account has logged in from there: only what fails at itself shuts it out */
  isHome: boolean;
}

/** `now` in seconds; the default clock never goes back. */
export function localThrottle(
  now: () => number = () => performance.now() / 1000,
  known = new KnownNetworks(),
): Throttle {
  // Apart, so that a flood of invented account names cannot push out addresses, nor the other way round.
  const accounts = new FailureTable();
  const addresses = new FailureTable();
  const underWay = new AttemptsUnderWay();

  const lookUp = (keys: string[]) =>
    attemptsOf(keys).map(({ attempt, elsewhere, isAddress, account, network }): Counted => {
      const isHome = account !== undefined && known.has(account, network!);
      const common = { attempt, isHome };
      if (isAddress) return { ...common, key: attempt, table: addresses, isForgotten: false };
      if (account === undefined || isHome) return { ...common, key: attempt, table: accounts, isForgotten: true };
      return { ...common, key: elsewhere, table: accounts, isForgotten: false };
    });

  return {
    async check(keys) {
      let entries: Counted[];
      for (;;) {
        entries = lookUp(keys); // one of those that were waited for may have made the network known
        let wait = 0;
        let crowded: string | undefined;
        const isHome = entries.some((each) => each.isHome);
        for (const { key, table } of entries) {
          if (isHome && table === addresses) continue;
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
      for (const { attempt, key } of entries) underWay.begin(attempt, key);
      return 0;
    },

    async failed(keys) {
      for (const { attempt, key, table } of lookUp(keys)) {
        table.add(key, now());
        underWay.end(attempt);
      }
    },

    async succeeded(keys) {
      for (const { attempt, key, table, isForgotten } of lookUp(keys)) {
        if (isForgotten) table.forget(key);
        underWay.end(attempt);
      }
      for (const { account, network } of attemptsOf(keys)) if (account !== undefined) known.note(account, network!);
    },

    async withdrawn(keys) {
      for (const { attempt } of lookUp(keys)) underWay.end(attempt);
    },
  };
}

/** A key of a throttle, taken apart. */
export interface AttemptKey {
  /** whose attempt it is; a hash */
  attempt: string;
  /** where it counts from a network that the account is not known to use; a hash */
  elsewhere: string;
  isAddress: boolean;
  /** an account that somebody claims to be, who comes from `network` */
  account: string | undefined;
  network: string | undefined;
}

/** Of the keys of one attempt. */
export function attemptsOf(keys: readonly string[]): AttemptKey[] {
  const from = keys.find((key) => key.startsWith(ADDRESS));
  const network = from === undefined ? undefined : networkOf(addressIn(from));
  return keys.map((key) => {
    const isAddress = key.startsWith(ADDRESS);
    const account = key.startsWith(ACCOUNT) && network !== undefined ? key : undefined;
    const text = isAddress ? markOf(key) + network : account === undefined ? key : `${key}\n${network}`;
    return { attempt: hashed(text), elsewhere: hashed(key), isAddress, account, network };
  });
}

/** 'address:192.0.2.1' → '192.0.2.1'; also behind the mark of a server */
function addressIn(key: string): string {
  return key.slice(markOf(key).length);
}

/** What stands before the address. */
function markOf(key: string): string {
  return key.slice(0, Math.max(ADDRESS.length, key.lastIndexOf('\0') + 1));
}

/** Names in a log-in body may be long; what is kept of them is not. */
function hashed(key: string): string {
  return hash('sha256', key, 'base64');
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
  /**
   * oldest first, each with the key that it holds a place of, and a timer: it ends an attempt whose caller never did
   */
  #begun = new Map<string, { key: string; timer: NodeJS.Timeout }[]>();
  /** places held, by key */
  #held = new Map<string, number>();
  #waiting = new Map<string, PromiseWithResolvers<void>>();

  count(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  begin(attempt: string, key: string): void {
    const timer = setTimeout(() => this.end(attempt), LOGIN_HOLD_SECONDS * 1000).unref();
    this.#begun.getOrInsertComputed(attempt, () => []).push({ key, timer });
    this.#held.set(key, this.count(key) + 1);
  }

  end(attempt: string): void {
    const begun = this.#begun.get(attempt);
    if (!begun) return;
    const { key, timer } = begun.shift()!;
    clearTimeout(timer);
    if (begun.length === 0) this.#begun.delete(attempt);
    if (this.count(key) === 1) this.#held.delete(key);
    else this.#held.set(key, this.count(key) - 1);
    this.#waiting.get(key)?.resolve();
    this.#waiting.delete(key);
  }

  /** Resolves when an attempt on the key ends; only for a key that has one. */
  nextEnd(key: string): Promise<void> {
    return this.#waiting.getOrInsertComputed(key, () => Promise.withResolvers()).promise;
  }
}
