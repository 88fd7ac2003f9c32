// What the page knows of rooms is read from the server and marked there, and each answer takes a while: one after the
// other, so that none undoes what a later one has told.

/** @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Runs `act` when those before it are done; what it answers, or throws.
 * @template T
 * @param {() => T | Promise<T>} act
 */
export function inTurn(act) {
  const done = last.then(act);
  last = done.catch(() => {});
  return done;
}
