// Guesses of passwords over the line protocol: whose turn it is. Called by login.ts, accounts.ts and opened-rooms.ts;
// what is counted, and for how long, is in throttle.ts.

import type { Session } from '../wire/session-socket.ts';
import { Refusal } from './verb.ts';

/** What failures count against beside the account; a client on a unix socket has no address. */
export function addressKeys({ address }: Session): string[] {
  return address === '' ? [] : [`address:${address}`];
}

/** Throws Refusal 550 when there were too many failures of late. Ends with failed or succeeded of the throttle. */
export async function waitForTurn({ throttle }: Session, keys: string[], what = 'failed log-ins'): Promise<void> {
  const wait = throttle ? await throttle.check(keys) : 0;
  if (wait > 0) throw new Refusal(550, `Too many ${what}. Try again in ${wait} seconds.`);
}
