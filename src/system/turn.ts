// A place in a queue: resolves when its turn comes, rejects after a bound on time or when the client has left.

export interface Turn {
  /** resolves at start(), rejects when the time is over or the signal is aborted */
  came: Promise<void>;
  start(): void;
}

/**
 * `giveUp` takes it out of its queue, before anybody could start it. `late` makes the error of who has waited too long.
 */
export function awaitTurn(signal: AbortSignal, maxWaitMs: number, late: () => Error, giveUp: () => void): Turn {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const settle = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  };
  const fail = (reason: unknown) => {
    settle();
    giveUp();
    reject(reason);
  };
  const leave = () => fail(signal.reason);
  const timer = setTimeout(() => fail(late()), maxWaitMs).unref();
  signal.addEventListener('abort', leave);
  const start = () => {
    settle();
    resolve();
  };
  return { came: promise, start };
}
