// Throttling of password attempts over the line protocol.

import type { Throttle } from '../../system/throttle.ts';
import type { HashAsker } from '../store/credentials/passwords.ts';
import type { StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';

/** A session that tries a password. */
export interface Guesser extends HashAsker {
  readonly user: StoredUser | undefined;
  /** of the peer, '' on a unix socket */
  readonly address: string;
  /** counts failed log-ins of clients that are no gateways */
  readonly throttle: Throttle | undefined;
}

/** Throttle keys of a failure beside the account; a client on a unix socket has no address. */
export function addressKeys({ address }: Guesser): string[] {
  return address === '' ? [] : [`address:${address}`];
}

/** Withdraws the attempt begun by waitForTurn if the password could not be compared. */
export async function unlessAsked<T>({ throttle }: Guesser, keys: string[], compare: Promise<T>): Promise<T> {
  try {
    return await compare;
  } catch (error) {
    await throttle?.withdrawn(keys);
    throw error;
  }
}

/** Throws Refusal 550 after too many recent failures. Follow it by failed or succeeded of the throttle. */
export async function waitForTurn({ throttle }: Guesser, keys: string[], what = 'failed log-ins'): Promise<void> {
  const wait = throttle ? await throttle.check(keys) : 0;
  if (wait > 0) throw new Refusal('higherAccess', `Too many ${what}. Try again in ${wait} seconds.`);
}
