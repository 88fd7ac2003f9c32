// The clock of the embedded room server: the protocol counts in Unix seconds.

/** Unix seconds */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}
