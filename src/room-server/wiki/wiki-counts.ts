// How many pages a wiki has and how many are new, where a real server counts their histories, too (wiki.ts).

import { AppError } from '../../errors.ts';
import { MAX_WIKIS_ASKED } from '../../limits/protocol.ts';
import { ACCESS, type EnteredRoom, type RoomRow, VIEW } from '../../model.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { readFieldsOfMany } from '../messages.ts';
import { countsOf, SEEN_SET, seenFrom } from '../seen-set.ts';
import { ALL_EUIDS, pagesFrom } from '../stored-headers.ts';
import { holdsHistories, isPageHistory } from './wiki.ts';

/** What entering the room has told, with the counts of its pages where it is a wiki with histories. */
export async function withPageCounts(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  entered: EnteredRoom,
): Promise<EnteredRoom> {
  if (!(await holdsHistories(pool, identity, entered))) return entered;
  const { answers } = await pool.readInRoom(identity, room, [ALL_EUIDS, SEEN_SET]);
  const numbers = pagesFrom(answers[0]!).map(({ msgnum }) => msgnum);
  return { ...entered, ...countsOf(numbers, seenFrom(answers[1]!)) };
}

/**
 * The list of rooms, in which a wiki has new messages only if a page is unread; the same array where that changes
 * nothing. A real server looks at the highest message (protocol section 10). Only where that is a history, because
 * the latest page was deleted or moved away, are the pages asked for. Of more than MAX_WIKIS_ASKED the rest is told
 * as it came.
 */
export async function withPageNews(
  pool: Pool,
  identity: Identity,
  rows: readonly RoomRow[],
): Promise<readonly RoomRow[]> {
  const wikis = rows
    .filter(({ access, defaultView }) => (access & ACCESS.hasNew) !== 0 && defaultView === VIEW.wiki)
    .slice(0, MAX_WIKIS_ASKED);
  if (wikis.length === 0 || !(await holdsHistories(pool, identity, wikis[0]!))) return rows;
  // at the same time: what is asked in one turn goes out in one write
  const areUnread = await Promise.all(wikis.map(({ name }) => isPageUnread(pool, identity, { name, password: '' })));
  const quiet = new Set(wikis.filter((_, i) => !areUnread[i]));
  if (quiet.size === 0) return rows;
  return rows.map((row) => (quiet.has(row) ? { ...row, access: row.access & ~ACCESS.hasNew } : row));
}

/** Of a wiki whose highest message is new. */
async function isPageUnread(pool: Pool, identity: Identity, room: RoomRef): Promise<boolean> {
  try {
    const { entered } = await pool.readInRoom(identity, room, []);
    const highest = (await readFieldsOfMany(pool, identity, room, [entered.highest])).get(entered.highest);
    if (!isPageHistory(highest?.get('exti') ?? '')) return true;
    return (await withPageCounts(pool, identity, room, entered)).newMessages > 0;
  } catch (error) {
    // it is gone, or closed to the caller by now: the next list tells
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return true;
    throw error;
  }
}
