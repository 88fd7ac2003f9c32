// Work that may be left for a while wherever it yields, done without a pause.

export function toEnd<R>(work: Generator<undefined, R>): R {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
