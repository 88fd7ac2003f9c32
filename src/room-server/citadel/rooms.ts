// Rooms by the documented verbs. A real server counts page histories among the messages of a wiki (quirk Q63), and
// deletes rooms that it needs itself, after which it is broken (quirk Q61).

import { AppError } from '../../errors.ts';
import { FORGOTTEN_ROOMS_CACHE_MS, MAX_CACHED_FORGOTTEN, MAX_WIKIS_ASKED } from '../../limits/protocol.ts';
import { ACCESS, type EnteredRoom, ROOM_FLAG2, VIEW } from '../../model.ts';
import { command, splitFields } from '../../protocol/fields.ts';
import { nameKey } from '../../protocol/names.ts';
import { STATUS } from '../../protocol/status.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import type { RoomRef } from '../connection/goto.ts';
import { type Identity, identityKey } from '../connection/identity.ts';
import { type Pool, perPool } from '../connection/pool.ts';
import { ALL_EUIDS, countsOf, readFieldsOfMany, SEEN_SET, seenFrom } from '../messages.ts';
import { isPageHistory } from '../page-history.ts';
import { forgottenRooms, isBaseRoom, readRoom, setForgotten } from '../rooms.ts';
import type { RoomMethods } from '../server.ts';
import { holdsHistories, pagesFrom } from './messages.ts';

/** The answer to GOTO; for a wiki with counts of its pages only. */
export async function withPageCounts(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  entered: EnteredRoom,
): Promise<EnteredRoom> {
  if (!holdsHistories(entered)) return entered;
  const { answers } = await pool.readInRoom(identity, room, [ALL_EUIDS, SEEN_SET]);
  const numbers = pagesFrom(answers[0]!).map(({ msgnum }) => msgnum);
  return { ...entered, ...countsOf(numbers, seenFrom(answers[1]!)) };
}

/** For a wiki whose highest message is new. */
async function isPageUnread(pool: Pool, identity: Identity, room: RoomRef): Promise<boolean> {
  try {
    const { entered } = await pool.readInRoom(identity, room, []);
    const highest = (await readFieldsOfMany(pool, identity, room, [entered.highest])).get(entered.highest);
    if (!isPageHistory(highest?.get('exti') ?? '')) return true;
    return (await withPageCounts(pool, identity, room, entered)).newMessages > 0;
  } catch (error) {
    // deleted or forbidden in the meantime: the next list shows it
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return true;
    throw error;
  }
}

/** settings with names of needed rooms, readable by administrators, and their defaults */
const NAMED: readonly [setting: string, room: string][] = [
  ['c_baseroom', 'Lobby'],
  ['c_aideroom', 'Aide'],
  ['c_twitroom', 'Trashcan'],
];
const GLOBAL_ADDRESS_BOOK = 'Global Address Book';

interface Forgotten {
  rooms: ReadonlySet<string>;
  /** performance.now() */
  until: number;
}

/** by identityKey */
const cached = perPool(() => new BoundedMap<string, Forgotten>(MAX_CACHED_FORGOTTEN));

/** The names, at most FORGOTTEN_ROOMS_CACHE_MS old: another client may have forgotten a room since. */
async function forgottenOf(pool: Pool, identity: Identity): Promise<ReadonlySet<string>> {
  const lists = cached(pool);
  const key = identityKey(identity);
  const list = lists.get(key);
  if (list && list.until > performance.now()) return list.rooms;
  const rooms = await forgottenRooms(pool, identity);
  lists.set(key, { rooms, until: performance.now() + FORGOTTEN_ROOMS_CACHE_MS });
  return rooms;
}

export const rooms: RoomMethods = {
  folderView: VIEW.board, // it knows no rooms of files

  async read(pool, identity, room) {
    const state = await readRoom(pool, identity, room, forgottenOf);
    return { ...state, entered: await withPageCounts(pool, identity, room, state.entered) };
  },

  async setForgotten(pool, identity, room, isForgotten) {
    try {
      await setForgotten(pool, identity, room, isForgotten);
    } finally {
      cached(pool).delete(identityKey(identity));
    }
  },

  /**
   * A wiki has new messages only if a page is unread, but a real server looks at its highest message
   * (protocol section 10), which may be a history after the latest page was deleted or moved. Checks at most
   * MAX_WIKIS_ASKED wikis.
   */
  async withNews(pool, identity, rows) {
    const wikis = rows
      .filter(({ access, defaultView }) => (access & ACCESS.hasNew) !== 0 && defaultView === VIEW.wiki)
      .slice(0, MAX_WIKIS_ASKED);
    if (wikis.length === 0) return rows;
    // concurrently: reads of one turn go out in one write
    const areUnread = await Promise.all(wikis.map(({ name }) => isPageUnread(pool, identity, { name, password: '' })));
    const quiet = new Set(wikis.filter((_, i) => !areUnread[i]));
    if (quiet.size === 0) return rows;
    return rows.map((row) => (quiet.has(row) ? { ...row, access: row.access & ~ACCESS.hasNew } : row));
  },

  counts: async () => new Map(),

  /** The lobby, the rooms for administrators, trash and addresses, and those with the system flag. */
  async isNeeded(pool, identity, room) {
    if (room.isPersonal) return false;
    if ((room.flags2 & ROOM_FLAG2.system) !== 0 || (await isBaseRoom(pool, identity, room))) return true;
    const answers = await pool.read(
      identity,
      NAMED.map(([setting]) => command('CONF', 'GETVAL', setting)),
    );
    const names = answers.flatMap(({ code, text }, i) => {
      const told = code === STATUS.done ? splitFields(text)[0]!.trim() : '';
      // unreadable: assumes the default name
      return told === '' || told === '(null)' ? NAMED[i]![1] : told;
    });
    return [...names, GLOBAL_ADDRESS_BOOK].some((name) => nameKey(name) === nameKey(room.name));
  },

  finish: async () => {},
};
