// What `vestibule copy` leaves at an ordinary room server, for those who read there: a room in which it notes what it
// has brought, and header lines in each message with the fields that the server gives anew, its time among them.

import { command } from '../protocol/fields.ts';
import { STATUS } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';

export { MARK_PREFIX, originalTimeFrom } from '../mime/stored-content.ts';

export const BROUGHT_ROOM = 'Vestibule copy';
/** may a room of this name be made? Refused where there is one, be it a private room */
const IS_NAME_FREE = command('CRE8', 0, BROUGHT_ROOM);

/** A copy has brought something there; undefined where the caller is not told, for he may make no rooms. */
export async function isCopyTarget(pool: Pool, identity: Identity): Promise<boolean | undefined> {
  const [answer] = await pool.read(identity, [IS_NAME_FREE]);
  if (answer!.code === STATUS.alreadyExists) return true;
  return answer!.code === STATUS.done ? false : undefined;
}
