// What lies in a wiki beside its pages: a real server keeps the earlier versions of a page as a message of the same
// room, which its euid gives away (protocol section 17.4, quirk Q63). Whatever lists, counts or opens messages asks
// here, for it is shown as the history of its page and nowhere else. That costs nothing in other rooms, nor where the
// room server is ours.

import { type EnteredRoom, VIEW } from '../../model.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { isOwnServer } from '../server.ts';

/** ends the euid of the message that holds the history of a page; what stands before it is the name of the page */
const HISTORY_MARK = '_HISTORY_';

export function isPageHistory(euid: string): boolean {
  return euid.endsWith(HISTORY_MARK);
}

/** Histories of pages lie in this room, among its messages. */
export async function holdsHistories(
  pool: Pool,
  identity: Identity,
  { defaultView }: Pick<EnteredRoom, 'defaultView'>,
): Promise<boolean> {
  return defaultView === VIEW.wiki && !(await isOwnServer(pool, identity));
}

/** The message with this euid is such a history; asked where one message is read. */
export async function isHidden(
  pool: Pool,
  identity: Identity,
  room: Pick<EnteredRoom, 'defaultView'>,
  euid: string | undefined,
): Promise<boolean> {
  return euid !== undefined && isPageHistory(euid) && (await holdsHistories(pool, identity, room));
}
