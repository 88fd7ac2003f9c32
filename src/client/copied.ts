// What `vestibule copy` leaves at an ordinary room server, for those who read there: a room in which it notes what it
// has brought, and header lines in each message with the fields that the server gives anew, its time among them.

import { type HeaderField, headerValue } from '../mime/headers.ts';
import { command } from '../protocol/fields.ts';
import { STATUS } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';

export const BROUGHT_ROOM = 'Vestibule copy';
/** before the protocol's name of a field */
export const MARK_PREFIX = 'X-Vestibule-Original-';

const TIME = `${MARK_PREFIX}time`.toLowerCase();
/** may a room of this name be made? Refused where there is one, be it a private room */
const IS_NAME_FREE = command('CRE8', 0, BROUGHT_ROOM);

/** Unix time of a message before it was copied; undefined for one that was not. `headers` as MSG2 prints them. */
export function originalTimeFrom(headers: readonly HeaderField[]): number | undefined {
  const text = headerValue(headers, TIME);
  return text !== undefined && /^[1-9]\d{0,11}$/.test(text) ? Number(text) : undefined;
}

/** A copy has brought something there; undefined where the caller is not told, for he may make no rooms. */
export async function isCopyTarget(pool: Pool, identity: Identity): Promise<boolean | undefined> {
  const [answer] = await pool.read(identity, [IS_NAME_FREE]);
  if (answer!.code === STATUS.alreadyExists) return true;
  return answer!.code === STATUS.done ? false : undefined;
}
