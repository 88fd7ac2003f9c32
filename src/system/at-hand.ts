// What may be at hand already. To await it all the same costs a promise and a turn of the microtasks for each function
// on the way; a read that is answered from memory would spend a fifth of its time on that.

export type AtHand<T> = T | Promise<T>;

/** Calls `use` with the value: at once where it is at hand. */
export function andThen<T, R>(value: AtHand<T>, use: (value: T) => R): R | Promise<Awaited<R>> {
  if (!(value instanceof Promise)) return use(value);
  return (value as Promise<T>).then(use) as Promise<Awaited<R>>;
}

/** Calls `use`, and `done` when it has ended, however: at once where it returns no promise. */
export function andFinally<R>(use: () => R, done: () => void): R | Promise<Awaited<R>> {
  let result: R;
  try {
    result = use();
  } catch (error) {
    done();
    throw error;
  }
  if (result instanceof Promise) return result.finally(done);
  done();
  return result;
}
