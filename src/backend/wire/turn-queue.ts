// The order in which sessions with much to do have their turns: one of them in each round of the event loop, so that what
// others ask meanwhile waits for one turn (BACKEND_TURN_MS), however many have much to do. Made by server.ts; waited in
// by session.ts, reply-writer.ts and the verbs that work long.

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
