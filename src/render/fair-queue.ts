// A queue with a bounded number of places that serves callers in turn: one caller with many entries delays only itself.

import { AppError } from '../errors.ts';
import { awaitTurn, type Turn } from '../system/turn.ts';

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

const RETRY = { retryAfterSeconds: 5 };

export class FairQueue {
  readonly #options: FairQueueOptions;
  /** places taken */
  readonly #running = new Map<string, number>();
  /** by caller, the one that has waited longest first */
  readonly #waiting = new Map<string, Turn[]>();
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
    const { places, maxWaiting, maxWaitingPerCaller, maxWaitMs } = this.#options;
    const own = this.#waiting.get(caller);
    if (this.#runningCount < places && !own && this.#mayStart(caller)) return this.#start(caller);
    if (this.#waitingCount >= maxWaiting) throw late();
    if (own && own.length >= maxWaitingPerCaller) {
      throw new AppError('busy', 'Too much is to be read for you at once. Try again soon.', RETRY);
    }
    const turn = awaitTurn(signal, maxWaitMs, late, () => this.#remove(caller, turn));
    this.#waiting.getOrInsertComputed(caller, () => []).push(turn);
    this.#waitingCount++;
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
    for (const [caller, turns] of this.#waiting) {
      if (!this.#mayStart(caller)) continue;
      const [next] = turns;
      this.#remove(caller, next!);
      // behind the others
      if (turns.length > 0) {
        this.#waiting.delete(caller);
        this.#waiting.set(caller, turns);
      }
      this.#start(caller);
      next!.start();
      return;
    }
  }

  #remove(caller: string, turn: Turn): void {
    const turns = this.#waiting.get(caller)!;
    turns.splice(turns.indexOf(turn), 1);
    if (turns.length === 0) this.#waiting.delete(caller);
    this.#waitingCount--;
  }
}

function late(): AppError {
  return new AppError('busy', 'Too much is to be read at once. Try again soon.', RETRY);
}
