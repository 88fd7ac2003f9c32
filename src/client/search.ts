// Full-text search over all rooms. The embedded room server has a verb for it, FIND. Any other is asked by SRCH, LKRA and
// MSGS SEARCH (protocol sections 14 and 18.9): SRCH of a real server gives numbers from rooms that the caller may not
// read, and never says which room (quirk Q29), so the rooms are asked one by one; it only tells whether that is worth
// while.

import { MAX_SEARCH_RESULTS, MAX_SEARCHED_ROOMS, SEARCHED_ROOMS_AT_ONCE } from '../limits/backend.ts';
import { ACCESS, type EnteredRoom, type MessageRow } from '../model.ts';
import { command, splitFields } from '../protocol/fields.ts';
import { parseMessageRow } from '../protocol/message-fields.ts';
import { STATUS } from '../protocol/status.ts';
import { enterCommand, enteredFrom } from './goto.ts';
import type { Identity } from './identity.ts';
import type { Pool } from './pool.ts';
import { expectClass, type KnownRefusals } from './refusal.ts';
import { listRooms } from './rooms.ts';
import { pageNumbers } from './stored-headers.ts';

const NO_INDEX: KnownRefusals = {
  [STATUS.unsupported]: ['conflict', 'The room server keeps no full-text index.'],
};

export interface Found extends MessageRow {
  /** its name */
  room: string;
}

/** Messages that hold all the words, in the rooms that the caller knows, latest first; at most MAX_SEARCH_RESULTS. */
export async function searchRooms(pool: Pool, identity: Identity, words: string): Promise<Found[]> {
  const [answer] = await pool.read(identity, [command('FIND', MAX_SEARCH_RESULTS, words)]);
  if (answer!.code === STATUS.unsupported) return searchOneByOne(pool, identity, words);
  return expectClass(answer!, 1).lines.flatMap((line) => {
    const row = parseMessageRow(line);
    return row ? [{ ...row, room: splitFields(line)[8] ?? '' }] : [];
  });
}

async function searchOneByOne(pool: Pool, identity: Identity, words: string): Promise<Found[]> {
  const inRoom = command('MSGS', 'SEARCH', words, '', 9);
  const [anywhere] = await pool.read(identity, [command('SRCH', words)]);
  if (expectClass(anywhere!, 1, NO_INDEX).lines.length === 0) return [];
  const known = (await listRooms(pool, identity)).filter(({ access }) => (access & ACCESS.known) !== 0);
  const names = known.slice(0, MAX_SEARCHED_ROOMS).map(({ name }) => name);
  const found: Found[] = [];
  while (names.length > 0 && found.length < MAX_SEARCH_RESULTS) {
    const batch = names.splice(0, SEARCHED_ROOMS_AT_ONCE);
    const commands = batch.flatMap((name) => [enterCommand({ name, password: '' }, true), inRoom]);
    const answers = await pool.read(identity, commands);
    for (let i = 0; i < answers.length; i += 2) {
      // what stands behind a GOTO that failed comes from the room before
      if (answers[i]!.code !== 200) continue;
      const entered = enteredFrom(answers[i]!);
      const rows = expectClass(answers[i + 1]!, 1).lines.flatMap((line) => parseMessageRow(line) ?? []);
      for (const row of await shownOf(pool, identity, entered, rows)) found.push({ ...row, room: entered.name });
    }
  }
  return found.sort((a, b) => b.msgnum - a.msgnum).slice(0, MAX_SEARCH_RESULTS);
}

/** Without the histories of pages, whose words are found, too. */
async function shownOf(
  pool: Pool,
  identity: Identity,
  entered: EnteredRoom,
  rows: readonly MessageRow[],
): Promise<readonly MessageRow[]> {
  if (rows.length === 0) return rows;
  const pages = await pageNumbers(pool, identity, { name: entered.name, password: '' }, entered);
  if (!pages) return rows;
  const arePages = new Set(pages);
  return rows.filter(({ msgnum }) => arePages.has(msgnum));
}
