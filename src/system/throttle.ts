// Slows down password guessing: counts failed log-ins per account and per address in a sliding window. A network from
// which the account has logged in recently has a counter of its own, so that strangers cannot lock the owner out.

import { hash } from 'node:crypto';
import {
  KNOWN_NETWORK_RENEW_SECONDS,
  KNOWN_NETWORK_SECONDS,
  KNOWN_NETWORKS_WRITE_MS,
  LOGIN_HOLD_SECONDS,
  LOGIN_WINDOW_SECONDS,
  MAX_CACHE_ENTRIES,
  MAX_KNOWN_NETWORKS,
  MAX_KNOWN_NETWORKS_PER_ACCOUNT,
  MAX_LOGIN_FAILURES,
} from '../limits/sessions.ts';
import { readIfThere, writeAtomically } from './file-pieces.ts';
import { networkOf } from './networks.ts';

/**
 * Keys: `address:…` for the client's IP address, `account:…` in canonical form, or anything else that a password
 * protects. After the colon there may be the name of a server between two NULs (fleet/fleet.ts). A check that
 * returns 0 must be followed by failed, succeeded or withdrawn with the same keys.
 */
export interface Throttle {
  /** 0: proceed; otherwise seconds to wait. May wait for concurrent attempts with the same key. */
  check(keys: string[]): Promise<number>;
  failed(keys: string[]): Promise<void>;
  /**
   * Clears the failures of the account from this network. Those of the address stay, or one account of one's own would
   * buy endless guesses; those by strangers stay, or each log-in of the owner would buy them more.
   */
  succeeded(keys: string[]): Promise<void>;
  /** The attempt had no result, as the room server was unreachable. */
  withdrawn(keys: string[]): Promise<void>;
}

const ADDRESS = 'address:';
const ACCOUNT = 'account:';

/** The counter of a key in one attempt. */
interface Counted {
  /** identifies the attempt; for an account it includes the network */
  attempt: string;
  /** the counter's key */
  key: string;
  table: FailureTable;
  /** only the owner can have made these failures, so success clears them */
  isForgotten: boolean;
  /** the account has logged in from this network: only its own failures count */
  isHome: boolean;
}

/** `now` in seconds; the default clock is monotonic. */
export function localThrottle(
  now: () => number = () => performance.now() / 1000,
  known = new KnownNetworks(),
): Throttle {
  // separate, so that a flood of invented account names cannot evict addresses, or vice versa
  const accounts = new FailureTable();
  const addresses = new FailureTable();
  const inProgress = new AttemptsInProgress();

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
        entries = lookUp(keys); // an attempt that ended meanwhile may have made the network known
        let wait = 0;
        let crowded: string | undefined;
        const isHome = entries.some((each) => each.isHome);
        for (const { key, table } of entries) {
          if (isHome && table === addresses) continue;
          const failures = table.recent(key, now());
          if (failures.length >= MAX_LOGIN_FAILURES) {
            wait = Math.max(wait, Math.ceil(failures[0]! + LOGIN_WINDOW_SECONDS - now()));
          } else if (failures.length + inProgress.count(key) >= MAX_LOGIN_FAILURES) {
            crowded = key;
          }
        }
        if (wait > 0) return wait;
        if (crowded === undefined) break;
        await inProgress.nextEnd(crowded);
      }
      // nothing was awaited since the counters were read
      for (const { attempt, key } of entries) inProgress.begin(attempt, key);
      return 0;
    },

    async failed(keys) {
      for (const { attempt, key, table } of lookUp(keys)) {
        table.add(key, now());
        inProgress.end(attempt);
      }
    },

    async succeeded(keys) {
      for (const { attempt, key, table, isForgotten } of lookUp(keys)) {
        if (isForgotten) table.forget(key);
        inProgress.end(attempt);
      }
      for (const { account, network } of attemptsOf(keys)) if (account !== undefined) known.note(account, network!);
    },

    async withdrawn(keys) {
      for (const { attempt } of lookUp(keys)) inProgress.end(attempt);
    },
  };
}

/** A parsed key. */
export interface AttemptKey {
  /** identifies the attempt; hashed */
  attempt: string;
  /** counter for unknown networks; hashed */
  elsewhere: string;
  isAddress: boolean;
  /** account and network of a log-in attempt */
  account: string | undefined;
  network: string | undefined;
}

/** Parses the keys of one attempt. */
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

/** 'address:192.0.2.1' → '192.0.2.1', with or without a server prefix */
function addressIn(key: string): string {
  return key.slice(markOf(key).length);
}

/** The prefix of the address. */
function markOf(key: string): string {
  return key.slice(0, Math.max(ADDRESS.length, key.lastIndexOf('\0') + 1));
}

/** Bounds the length of stored keys. */
function hashed(key: string): string {
  return hash('sha256', key, 'base64');
}

/**
 * The times of the latest failures by key, oldest first, at most MAX_LOGIN_FAILURES. When full, a new key replaces one
 * with the fewest failures and inherits them, so that a flood of new keys can neither evict a guarded key nor reset it.
 */
class FailureTable {
  /** `#byCount[n]`: keys with n failures, least recently changed first */
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

  /** Evicts the least important entry and returns its current failures. */
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
 * Attempts between check and result. Each occupies a slot, or a burst of parallel guesses would pass before the first
 * one fails.
 */
class AttemptsInProgress {
  /** oldest first; the timer ends an attempt whose caller never did */
  #begun = new Map<string, { key: string; timer: NodeJS.Timeout }[]>();
  /** occupied slots by key */
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

  /** Resolves when an attempt with this key ends; there must be one. */
  nextEnd(key: string): Promise<void> {
    return this.#waiting.getOrInsertComputed(key, () => Promise.withResolvers()).promise;
  }
}

const LINE = /^(\d{1,12}) ([\w-]{22}) ([\w-]{22})$/;

export class KnownNetworks {
  readonly #path: string | undefined;
  /** Unix seconds */
  readonly #now: () => number;
  readonly #max: number;
  /** account → network → expiry, both in order of insertion */
  readonly #accounts = new Map<string, Map<string, number>>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  /** Without a path, they are kept in memory only. */
  constructor(path?: string, now = () => Date.now() / 1000, max = MAX_KNOWN_NETWORKS) {
    this.#path = path;
    this.#now = now;
    this.#max = max;
  }

  /** Reads the file. Throws system errors unchanged. */
  static async open(path: string, now?: () => number, max?: number): Promise<KnownNetworks> {
    const networks = new KnownNetworks(path, now, max);
    for (const line of (await readIfThere(path)).split('\n')) {
      const [, until, account, network] = LINE.exec(line) ?? [];
      if (until) networks.#set(account!, network!, Number(until));
    }
    return networks;
  }

  /** `network`: see networkOf. */
  has(account: string, network: string): boolean {
    const until = this.#accounts.get(shortHash(account))?.get(shortHash(network));
    return until !== undefined && until > this.#now();
  }

  /** Records a log-in. */
  note(account: string, network: string): void {
    const [accountHash, networkHash] = [shortHash(account), shortHash(network)];
    const until = Math.floor(this.#now()) + KNOWN_NETWORK_SECONDS;
    const known = this.#accounts.get(accountHash)?.get(networkHash) ?? 0;
    if (until - known < KNOWN_NETWORK_RENEW_SECONDS) return;
    this.#set(accountHash, networkHash, until);
    this.#writeSoon();
  }

  /** Writes pending changes. */
  async close(): Promise<void> {
    if (this.#timer) this.#write();
    await this.#lastWrite;
  }

  #set(account: string, network: string, until: number): void {
    const networks = this.#accounts.get(account) ?? new Map<string, number>();
    this.#accounts.delete(account);
    this.#accounts.set(account, networks);
    if (!networks.delete(network)) this.#count++;
    networks.set(network, until);
    if (networks.size > MAX_KNOWN_NETWORKS_PER_ACCOUNT) this.#forgetOldest(account, networks);
    if (this.#count > this.#max) this.#forgetOldest(...this.#accounts.entries().next().value!);
  }

  #forgetOldest(account: string, networks: Map<string, number>): void {
    networks.delete(networks.keys().next().value!);
    this.#count--;
    if (networks.size === 0) this.#accounts.delete(account);
  }

  #writeSoon(): void {
    if (this.#path === undefined) return;
    this.#timer ??= setTimeout(() => this.#write(), KNOWN_NETWORKS_WRITE_MS).unref();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = this.#now();
    let text = '';
    for (const [account, networks] of this.#accounts) {
      for (const [network, until] of networks) if (until > now) text += `${until} ${account} ${network}\n`;
    }
    // log-ins must work with a full disk; the next write includes everything
    this.#lastWrite = this.#lastWrite.then(() => writeAtomically(this.#path!, text)).catch(() => {});
  }
}

function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
