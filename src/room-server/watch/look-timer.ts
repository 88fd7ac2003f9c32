// When a watch looks next.

export class LookTimer {
  readonly #look: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** when it runs out, of performance.now() */
  #due = 0;
  #isStopped = false;

  constructor(look: () => void) {
    this.#look = look;
  }

  /** In so many milliseconds at the latest; a look that is due earlier stays. */
  within(ms: number): void {
    const due = performance.now() + ms;
    if (this.#isStopped || (this.#timer && this.#due <= due)) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, ms);
    this.#timer.unref();
  }

  /** For good. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
