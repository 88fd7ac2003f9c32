// The order in which those with much to do on a thread have their turns: one of them in each round of the event loop,
// so that what is short waits for one turn, however many have much to do.

export class TurnQueue {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn: all sockets that have something have been read since. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#give());
    });
  }

  /**
   * For work of many steps: to be called after each of them, answers a promise when it has gone on for so long that
   * others are to have their turn.
   */
  paced(turnMs: number): () => Promise<void> | undefined {
    let end = performance.now() + turnMs;
    const goOn = () => {
      end = performance.now() + turnMs;
    };
    return () => (performance.now() < end ? undefined : this.next().then(goOn));
  }

  #give(): void {
    this.#waiting.shift()!();
    if (this.#waiting.length > 0) setImmediate(() => this.#give());
  }
}

/** Of the gateway's requests, on whatever part of them much is to be done. */
export const requestTurns = new TurnQueue();
