// Work that may be left for a while wherever it yields, for a thread serves everybody. When it goes on says
// turn-queue.ts.

export type Steps<R> = Generator<undefined, R>;

/** What comes of all its steps, without a pause. */
export function atOnce<R>(work: Steps<R>): R {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** What is found without the pauses between (undefined). */
export function* withoutPauses<T>(found: Iterable<T | undefined>): Generator<T> {
  for (const one of found) if (one !== undefined) yield one;
}
