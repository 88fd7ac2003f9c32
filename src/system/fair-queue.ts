// Queues: a bounded one that serves callers round-robin, so that one with many entries delays only itself; waiting with
// a timeout and cancellation, for any queue; and one that serializes changes of one thing within this process, so that
// what a change has checked still holds when it is made.

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

/** Waiting callers in the order in which they are served. */
interface Line {
  turns: Map<string, Turn[]>;
  count: number;
}

export class FairQueue {
  readonly #options: FairQueueOptions;
  /** occupied slots by caller */
  readonly #running = new Map<string, number>();
  readonly #first: Line = { turns: new Map(), count: 0 };
  readonly #others: Line = { turns: new Map(), count: 0 };
  #wasFirst = false;
  #runningCount = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** number of waiting entries */
  get waiting(): number {
    return this.#first.count + this.#others.count;
  }

  /**
   * Resolves with a function that releases the slot. `isFirst`: such callers get every other slot, and have limits of
   * their own. Rejects with an error of `refused` or the signal's reason.
   */
  async enter(caller: string, signal: AbortSignal, isFirst = false): Promise<() => void> {
    signal.throwIfAborted();
    const { slots, maxWaiting, maxWaitingPerCaller, maxWaitMs, refused } = this.#options;
    const line = isFirst ? this.#first : this.#others;
    const own = line.turns.get(caller);
    if (this.#runningCount < slots && !own && this.#mayStart(caller)) return this.#start(caller);
    if (own && own.length >= maxWaitingPerCaller) throw refused(true);
    if (line.count >= maxWaiting) throw refused(false);
    const late = () => refused(false);
    const turn = awaitTurn(signal, maxWaitMs, late, () => remove(line, caller, turn));
    line.turns.getOrInsertComputed(caller, () => []).push(turn);
    line.count++;
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

  #startOf(line: Line): boolean {
    for (const [caller, turns] of line.turns) {
      if (!this.#mayStart(caller)) continue;
      const [next] = turns;
      remove(line, caller, next!);
      // re-queued after the others
      if (turns.length > 0) {
        line.turns.delete(caller);
        line.turns.set(caller, turns);
      }
      this.#start(caller);
      next!.start();
      return true;
    }
    return false;
  }
}

function remove(line: Line, caller: string, turn: Turn): void {
  const turns = line.turns.get(caller)!;
  turns.splice(turns.indexOf(turn), 1);
  if (turns.length === 0) line.turns.delete(caller);
  line.count--;
}

export class SerialQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `change` after all earlier ones with this key have settled. */
  async run<T>(key: string, change: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(change, change);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
