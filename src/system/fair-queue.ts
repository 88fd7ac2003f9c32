// Queues: callers are served round-robin, so that one with many entries delays only itself: a bounded one for slots, and
// one that serializes changes of one thing within this process, so that what a change has checked still holds when it
// is made; waiting with a timeout and cancellation, for any queue. Who a caller is follows the work through each await.

import { AsyncLocalStorage } from 'node:async_hooks';

/** A request or a session. */
export interface Asker {
  /** shares are equal by it: the account, or before a log-in the address */
  readonly turnKey: string;
  /** aborts when the connection closes */
  readonly gone: AbortSignal;
}

/** The program itself. */
export const PROGRAM: Asker = { turnKey: '', gone: new AbortController().signal };

const asking = new AsyncLocalStorage<Asker>();

/** Calls `work`, for which runningAsker() is this one, also after each `await`. */
export function onBehalfOf<R>(asker: Asker, work: () => R): R {
  return asking.run(asker, work);
}

export function runningAsker(): Asker {
  return asking.getStore() ?? PROGRAM;
}

export interface Turn<T = void> {
  /** resolves with the value of start(); rejects on timeout, abort, or fail() */
  came: Promise<T>;
  /** Starts the turn and stops the timeout, even if the value is a pending promise. */
  start(value: T | PromiseLike<T>): void;
  fail(reason: unknown): void;
}

/** `giveUp` removes the entry from its queue on timeout or abort. `late` creates the timeout error. */
export function awaitTurn<T = void>(
  signal: AbortSignal | undefined,
  maxWaitMs: number,
  late: () => Error,
  giveUp: () => void,
): Turn<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const settle = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  };
  const fail = (reason: unknown) => {
    settle();
    giveUp();
    reject(reason);
  };
  const leave = () => fail(signal?.reason);
  const timer = setTimeout(() => fail(late()), maxWaitMs).unref();
  signal?.addEventListener('abort', leave);
  const start = (value: T | PromiseLike<T>) => {
    settle();
    resolve(value);
  };
  return { came: promise, start, fail };
}

export interface FairQueueOptions {
  /** running at a time */
  slots: number;
  slotsPerCaller: number;
  /** entries waiting for a slot */
  maxWaiting: number;
  maxWaitingPerCaller: number;
  maxWaitMs: number;
  /** creates the error for a full queue or a timeout; `isOwnFault`: the caller itself has too many */
  refused: (isOwnFault: boolean) => Error;
}

/** Waiting entries, in the order in which they are served: callers in turn, those of one caller as they came. */
export class Line<T> {
  readonly #of = new Map<string, T[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  countOf(caller: string): number {
    return this.#of.get(caller)?.length ?? 0;
  }

  push(caller: string, entry: T): void {
    this.#of.getOrInsertComputed(caller, () => []).push(entry);
    this.#length++;
  }

  /** The next one. */
  get first(): T | undefined {
    return this.#of.values().next().value?.[0];
  }

  /** Removes the next one, or that of the first caller who may be served. */
  shift(may: (caller: string) => boolean = () => true): { caller: string; entry: T } | undefined {
    for (const [caller, entries] of this.#of) {
      if (!may(caller)) continue;
      const entry = entries[0]!;
      this.remove(caller, entry);
      // queued again after the others
      if (this.#of.delete(caller)) this.#of.set(caller, entries);
      return { caller, entry };
    }
    return undefined;
  }

  /** Idempotent. */
  remove(caller: string, entry: T): void {
    const entries = this.#of.get(caller);
    const at = entries?.indexOf(entry) ?? -1;
    if (at < 0) return;
    entries!.splice(at, 1);
    if (entries!.length === 0) this.#of.delete(caller);
    this.#length--;
  }
}

export class FairQueue {
  readonly #options: FairQueueOptions;
  /** occupied slots by caller */
  readonly #running = new Map<string, number>();
  readonly #first = new Line<Turn>();
  readonly #others = new Line<Turn>();
  #wasFirst = false;
  #runningCount = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** number of waiting entries */
  get waiting(): number {
    return this.#first.length + this.#others.length;
  }

  /**
   * Resolves with a function that releases the slot. `isFirst`: such callers get every other slot, and have limits of
   * their own. Rejects with an error of `refused` or the signal's reason.
   */
  async enter(caller: string, signal: AbortSignal, isFirst = false): Promise<() => void> {
    signal.throwIfAborted();
    const { slots, maxWaiting, maxWaitingPerCaller, maxWaitMs, refused } = this.#options;
    const line = isFirst ? this.#first : this.#others;
    const own = line.countOf(caller);
    if (this.#runningCount < slots && own === 0 && this.#mayStart(caller)) return this.#start(caller);
    if (own >= maxWaitingPerCaller) throw refused(true);
    if (line.length >= maxWaiting) throw refused(false);
    const late = () => refused(false);
    const turn = awaitTurn(signal, maxWaitMs, late, () => line.remove(caller, turn));
    line.push(caller, turn);
    await turn.came;
    return this.#leaver(caller);
  }

  #mayStart(caller: string): boolean {
    return (this.#running.get(caller) ?? 0) < this.#options.slotsPerCaller;
  }

  #start(caller: string): () => void {
    this.#runningCount++;
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1);
    return this.#leaver(caller);
  }

  #leaver(caller: string): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#runningCount--;
      const left = this.#running.get(caller)! - 1;
      if (left === 0) this.#running.delete(caller);
      else this.#running.set(caller, left);
      this.#startNext();
    };
  }

  #startNext(): void {
    const [one, other] = this.#wasFirst ? [this.#others, this.#first] : [this.#first, this.#others];
    if (this.#startOf(one)) this.#wasFirst = one === this.#first;
    else if (this.#startOf(other)) this.#wasFirst = other === this.#first;
  }

  #startOf(line: Line<Turn>): boolean {
    const next = line.shift((caller) => this.#mayStart(caller));
    if (!next) return false;
    this.#start(next.caller);
    next.entry.start();
    return true;
  }
}

const UNBOUNDED_MS = 2 ** 31 - 1;

export class SerialQueue {
  /** by key, while a change runs: those that wait */
  readonly #lines = new Map<string, Line<Turn>>();

  /**
   * Runs `change` alone among those with this key; askers take turns. One that waits is dropped when `gone` aborts, and
   * its reason thrown.
   */
  async run<T>(key: string, change: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    gone?.throwIfAborted();
    const line = this.#lines.get(key);
    if (line) await this.#turnIn(line, gone);
    else this.#lines.set(key, new Line());
    try {
      return await change();
    } finally {
      const next = this.#lines.get(key)!.shift();
      if (next) next.entry.start();
      else this.#lines.delete(key);
    }
  }

  #turnIn(line: Line<Turn>, gone: AbortSignal | undefined): Promise<void> {
    const { turnKey } = runningAsker();
    const never = () => new Error('waited too long');
    const turn = awaitTurn(gone, UNBOUNDED_MS, never, () => line.remove(turnKey, turn));
    line.push(turnKey, turn);
    return turn.came;
  }
}
