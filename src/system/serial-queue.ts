// Changes of one thing, one after the other: what a change has asked first still holds when it is made. Holds within
// this process only.

export class SerialQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `change` when all earlier ones with this key have ended, however they ended. Throws what `change` throws. */
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
