// Long computations as generators that can be interrupted wherever they yield. turn-queue.ts schedules them.

export type Steps<R> = Generator<undefined, R>;

/** Runs all steps without interruption. */
export function atOnce<R>(work: Steps<R>): R {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Without the interruptions (undefined). */
export function* withoutPauses<T>(found: Iterable<T | undefined>): Generator<T> {
  for (const one of found) if (one !== undefined) yield one;
}
