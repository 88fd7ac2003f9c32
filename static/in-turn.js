// What the page knows of rooms is read from the server and marked there, and each answer takes a while: one after the
// other, so that none undoes what a later one has told.

let last = Promise.resolve();

/** Runs `act` when those before it are done; what it answers, or throws. */
export function inTurn(act) {
  const done = last.then(act);
  last = done.catch(() => {});
  return done;
}
