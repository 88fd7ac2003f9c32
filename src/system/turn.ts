// Waiting for one's turn in a queue, but not for ever, and not for a client that has left.

export interface Turn<T = void> {
  /** resolves with what start() is given; rejects when the time is over, the signal is aborted, or with fail() */
  came: Promise<T>;
  /** The turn has come, and its time counts no longer, even where what it is given is still on its way. */
  start(value: T | PromiseLike<T>): void;
  fail(reason: unknown): void;
}

/**
 * `giveUp` takes it out of its queue, before anybody could start it. `late` makes the error of who has waited too long.
 */
export function awaitTurn<T = void>(
  signal: AbortSignal | undefined,
  maxWaitMs: number,
  late: () => Error,
  giveUp: () => void,
): Turn<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const settle = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  };
  const fail = (reason: unknown) => {
    settle();
    giveUp();
    reject(reason);
  };
  const leave = () => fail(signal?.reason);
  const timer = setTimeout(() => fail(late()), maxWaitMs).unref();
  signal?.addEventListener('abort', leave);
  const start = (value: T | PromiseLike<T>) => {
    settle();
    resolve(value);
  };
  return { came: promise, start, fail };
}
