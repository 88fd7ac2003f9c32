// Who may do something next of which only so much is done at a time: each caller in turn, so that one who asks for much
// waits for himself. Called by threads.ts, and by the gateway before it fetches what is to be rendered.

import { AppError } from '../errors.ts';

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
}

interface Waiter {
  start(): void;
}

const RETRY = { retryAfterSeconds: 5 };

export class FairQueue {
  readonly #options: FairQueueOptions;
  /** places taken */
  readonly #running = new Map<string, number>();
  /** who has waited for his turn longest comes first */
  readonly #waiting = new Map<string, Waiter[]>();
  #runningCount = 0;
  #waitingCount = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** how many wait */
  get waiting(): number {
    return this.#waitingCount;
  }

  /**
   * Resolves with what gives the place back when this caller has one. Throws busy where too many wait, for all or for
   * this caller, or none comes free in time; rejects with the signal's reason when it is aborted.
   */
  async enter(caller: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const { places, maxWaiting, maxWaitingPerCaller } = this.#options;
    const own = this.#waiting.get(caller);
    if (this.#runningCount < places && !own && this.#mayStart(caller)) return this.#start(caller);
    if (this.#waitingCount >= maxWaiting) throw new AppError('busy', 'Too many messages are to be made ready.', RETRY);
    if (own && own.length >= maxWaitingPerCaller) {
      throw new AppError('busy', 'Too many messages are to be made ready for you.', RETRY);
    }
    await this.#wait(caller, signal);
    return this.#leaver(caller);
  }

  #wait(caller: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
      };
      const waiter = {
        start: () => {
          settle();
          resolve();
        },
      };
      const giveUp = (reason: unknown) => {
        settle();
        this.#remove(caller, waiter);
        reject(reason);
      };
      const leave = () => giveUp(signal.reason);
      const late = () => giveUp(new AppError('busy', 'Too many messages are to be made ready.', RETRY));
      const timer = setTimeout(late, this.#options.maxWaitMs);
      signal.addEventListener('abort', leave);
      const own = this.#waiting.get(caller);
      if (own) own.push(waiter);
      else this.#waiting.set(caller, [waiter]);
      this.#waitingCount++;
    });
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
    for (const [caller, waiters] of this.#waiting) {
      if (!this.#mayStart(caller)) continue;
      const [next] = waiters;
      this.#remove(caller, next!);
      // behind the others
      if (waiters.length > 0) {
        this.#waiting.delete(caller);
        this.#waiting.set(caller, waiters);
      }
      this.#start(caller);
      next!.start();
      return;
    }
  }

  #remove(caller: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(caller)!;
    waiters.splice(waiters.indexOf(waiter), 1);
    if (waiters.length === 0) this.#waiting.delete(caller);
    this.#waitingCount--;
  }
}
