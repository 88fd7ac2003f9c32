// The order in which sessions with much to do have their turns: one of them in each round of the event loop, so that a
// short question of another waits for one turn (BACKEND_TURN_MS), however many have much to do.

/** One of each server. */
export class TurnQueue {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn: all sockets that have something have been read since. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#give());
    });
  }

  #give(): void {
    this.#waiting.shift()!();
    if (this.#waiting.length > 0) setImmediate(() => this.#give());
  }
}
