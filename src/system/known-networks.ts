// The networks from which each account has logged in of late, for throttle.ts: failures elsewhere do not count for
// them. In memory, and in a file of lines `<until> <account> <network>` that is written a little later: what a kill
// loses is noted again by the next log-in. Account and network are hashes, so that the file is no list of who was
// where; its thief can still try every address.

import { hash } from 'node:crypto';
import {
  KNOWN_NETWORK_RENEW_SECONDS,
  KNOWN_NETWORK_SECONDS,
  KNOWN_NETWORKS_WRITE_MS,
  MAX_KNOWN_NETWORKS,
  MAX_KNOWN_NETWORKS_PER_ACCOUNT,
} from '../limits/sessions.ts';
import { readIfThere, writeAtomically } from './atomic-file.ts';

const LINE = /^(\d{1,12}) ([\w-]{22}) ([\w-]{22})$/;

export class KnownNetworks {
  readonly #path: string | undefined;
  /** Unix seconds */
  readonly #now: () => number;
  readonly #max: number;
  /** until when, by network, by account; both in the order in which they were noted */
  readonly #accounts = new Map<string, Map<string, number>>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  /** Without a path they are kept in memory only. */
  constructor(path?: string, now = () => Date.now() / 1000, max = MAX_KNOWN_NETWORKS) {
    this.#path = path;
    this.#now = now;
    this.#max = max;
  }

  /** Reads the file. What the system refuses is thrown as it comes. */
  static async open(path: string, now?: () => number, max?: number): Promise<KnownNetworks> {
    const networks = new KnownNetworks(path, now, max);
    for (const line of (await readIfThere(path)).split('\n')) {
      const [, until, account, network] = LINE.exec(line) ?? [];
      if (until) networks.#set(account!, network!, Number(until));
    }
    return networks;
  }

  /** `network` as networkOf makes it. */
  has(account: string, network: string): boolean {
    const until = this.#accounts.get(hashed(account))?.get(hashed(network));
    return until !== undefined && until > this.#now();
  }

  /** The account has logged in from there. */
  note(account: string, network: string): void {
    const [accountHash, networkHash] = [hashed(account), hashed(network)];
    const until = Math.floor(this.#now()) + KNOWN_NETWORK_SECONDS;
    const known = this.#accounts.get(accountHash)?.get(networkHash) ?? 0;
    if (until - known < KNOWN_NETWORK_RENEW_SECONDS) return;
    this.#set(accountHash, networkHash, until);
    this.#writeSoon();
  }

  /** Writes what is not written yet. */
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
    // On a disk that is full one can still log in; what is noted next is written with the rest.
    this.#lastWrite = this.#lastWrite.then(() => writeAtomically(this.#path!, text)).catch(() => {});
  }
}

function hashed(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
