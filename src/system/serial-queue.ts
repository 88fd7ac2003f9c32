// Serializes changes of one thing within this process, so that what a change has checked still holds when it is made.

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
