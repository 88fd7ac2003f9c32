// A queue with a bounded number of places that serves callers in turn: one caller with many entries delays only itself.
// And what any queue needs: waiting for one's turn, but not for ever, and not for a client that has left.

export interface Turn<T = void> {
  /** resolves with what start() is given; rejects when the time is over, the signal is aborted, or with fail() */
  came: Promise<T>;
  /** The turn has come, and its time counts no longer, even where what it is given is still on its way. */
  start(value: T | PromiseLike<T>): void;
  fail(reason: unknown): void;
}

/**
 * `giveUp` takes it out of its queue, before anybody could start it. `late` makes the error of who has waited too long.
 */
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
  /** at a time */
  places: number;
  /** of these for one caller */
  placesPerCaller: number;
  /** requests that wait for a place */
  maxWaiting: number;
  /** of these for one caller */
  maxWaitingPerCaller: number;
  maxWaitMs: number;
  /** the error of who finds too many waiting, or has waited too long; `isOwnFault`: too many of the same caller */
  refused: (isOwnFault: boolean) => Error;
}

/** Callers that wait, the one that has waited longest first. */
interface Line {
  turns: Map<string, Turn[]>;
  count: number;
}

export class FairQueue {
  readonly #options: FairQueueOptions;
  /** places taken */
  readonly #running = new Map<string, number>();
  readonly #first: Line = { turns: new Map(), count: 0 };
  readonly #others: Line = { turns: new Map(), count: 0 };
  #wasFirst = false;
  #runningCount = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** how many wait */
  get waiting(): number {
    return this.#first.count + this.#others.count;
  }

  /**
   * Resolves with what gives the place back when this caller has one. `isFirst`: every other place goes to such callers
   * while some wait, and the others do not count towards their bounds. Throws what `refused` makes;
   * rejects with the signal's reason when it is aborted.
   */
  async enter(caller: string, signal: AbortSignal, isFirst = false): Promise<() => void> {
    signal.throwIfAborted();
    const { places, maxWaiting, maxWaitingPerCaller, maxWaitMs, refused } = this.#options;
    const line = isFirst ? this.#first : this.#others;
    const own = line.turns.get(caller);
    if (this.#runningCount < places && !own && this.#mayStart(caller)) return this.#start(caller);
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
    return (this.#running.get(caller) ?? 0) < this.#options.placesPerCaller;
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
      // behind the others
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
