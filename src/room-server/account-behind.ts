// Which account a log-in name stands for (verb USER, protocol sections 7 and 18.2): failed log-ins are counted by it.

import { command } from '../protocol/fields.ts';
import { accountName } from '../protocol/names.ts';
import { STATUS } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';

/** Nobody, on connections of its own: behind a USER a real server delivers instant messages there (quirk Q65). */
const ASKER: Identity = { user: '', password: 'USER' };

/**
 * The account that a log-in with this name is for, as accountName: of the name that the room server tells, for it may
 * know a user by other names, too (addresses, or by the first bytes of a long one); of the given one where it knows
 * nobody.
 */
export async function accountBehind(pool: Pool, user: string): Promise<string> {
  const [answer] = await pool.readAndLeave(ASKER, [command('USER', user)]);
  const told = answer!.code === STATUS.moreNeeded ? /^Password required for (.+)$/.exec(answer!.text) : undefined;
  return accountName(told?.[1] ?? user);
}
