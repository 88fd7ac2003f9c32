// How long somebody has waited for others, in all: times that overlap count once.

export class WaitClock {
  /** waits under way */
  #depth = 0;
  /** performance.now() when the first of them began */
  #since = 0;
  #sum = 0;

  /** A wait begins; to be ended once. */
  begin(): void {
    if (this.#depth++ === 0) this.#since = performance.now();
  }

  end(): void {
    if (--this.#depth === 0) this.#sum += performance.now() - this.#since;
  }

  /** milliseconds until now */
  get ms(): number {
    return this.#sum + (this.#depth > 0 ? performance.now() - this.#since : 0);
  }
}
