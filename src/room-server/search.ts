// Full-text search. The embedded room server has a verb for all rooms, FIND. Any other is asked by SRCH, LKRA and
// MSGS SEARCH (protocol sections 14 and 18.9): SRCH of a real server gives numbers from rooms that the caller may not
// read, and never says which room (quirk Q29), so the rooms are asked one by one. What is newer than all that its
// index has found is looked through by the gateway (unindexed.ts).

import { MAX_SEARCH_RESULTS, MAX_SEARCHED_ROOMS, SEARCHED_ROOMS_AT_ONCE } from '../limits/backend.ts';
import { ACCESS, type EnteredRoom, type MessageRow } from '../model.ts';
import type { Answer } from '../protocol/answer.ts';
import { command, splitFields } from '../protocol/fields.ts';
import { messageNumbers, parseMessageRow } from '../protocol/message-fields.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import { enterRoomCommand, parseEnteredRoom, type RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass, type KnownRefusals } from './connection/refusal.ts';
import type { LookBounds, LookedRoom } from './looking.ts';
import { listRooms } from './rooms.ts';
import { isOwnServer } from './server.ts';
import { pageNumbers } from './stored-headers.ts';
import { lookForWords, messageRowsOf } from './unindexed.ts';

const NO_INDEX: KnownRefusals = {
  [STATUS.unsupported]: ['conflict', 'The room server keeps no full-text index.'],
};

export interface Found extends MessageRow {
  /** its name */
  room: string;
}

/** A room that has been entered; a wiki may hold what is not shown. */
type SearchedRoom = LookedRoom & Pick<EnteredRoom, 'defaultView'>;

/** How far a search has gone. */
interface Reach {
  /**
   * messages from this number on were looked through; of those below it only what the index has; undefined: all were
   */
  from: number | undefined;
}

/** Messages that hold all the words, in the rooms that the caller knows, latest first; at most MAX_SEARCH_RESULTS. */
export async function searchRooms(
  pool: Pool,
  identity: Identity,
  words: string,
  bounds?: LookBounds,
): Promise<Reach & { found: readonly Found[] }> {
  const [answer] = await pool.read(identity, [command('FIND', MAX_SEARCH_RESULTS, words)]);
  if (answer!.code === STATUS.unsupported) return searchOneByOne(pool, identity, words, bounds);
  const lines = expectClass(answer!, REPLY.listing).lines.slice(0, MAX_SEARCH_RESULTS);
  const found = lines.flatMap((line) => {
    const row = parseMessageRow(line);
    return row ? [{ ...row, room: splitFields(line)[8] ?? '' }] : [];
  });
  return { found, from: undefined };
}

async function searchOneByOne(
  pool: Pool,
  identity: Identity,
  words: string,
  bounds: LookBounds | undefined,
): Promise<Reach & { found: readonly Found[] }> {
  const [[anywhere], listed] = await Promise.all([
    pool.read(identity, [command('SRCH', words)]),
    listRooms(pool, identity),
  ]);
  const indexed = highestIn(expectClass(anywhere!, REPLY.listing, NO_INDEX));
  const known = listed.filter(({ access }) => (access & ACCESS.known) !== 0);
  const names = known.slice(0, MAX_SEARCHED_ROOMS).map(({ name }) => name);
  const { rooms, found } = await searchIndex(pool, identity, names, indexed === 0 ? undefined : words);
  const looked = await lookForWords(pool, identity, rooms, indexed, words, bounds);
  const byPlace = new Map(found.map((row) => [placeKey(row), row]));
  for (const row of await messageRowsOf(pool, identity, looked.hits, (row, { name }) => ({ ...row, room: name }))) {
    byPlace.set(placeKey(row), row);
  }
  const byRoom = Map.groupBy(byPlace.values(), ({ room }) => room);
  const all: Found[] = [];
  for (const room of rooms) all.push(...(await shownIn(pool, identity, room, byRoom.get(room.ref.name) ?? [])));
  all.sort((a, b) => b.msgnum - a.msgnum);
  const isCut = known.length > MAX_SEARCHED_ROOMS;
  return { found: all.slice(0, MAX_SEARCH_RESULTS), from: looked.from ?? (isCut ? indexed + 1 : undefined) };
}

const placeKey = ({ room, msgnum }: Found): string => `${msgnum} ${room}`;

/** Enters the rooms; finds what the index has of the words there, unless they are nowhere in it. */
async function searchIndex(
  pool: Pool,
  identity: Identity,
  names: readonly string[],
  words: string | undefined,
): Promise<{ rooms: SearchedRoom[]; found: Found[] }> {
  const rooms: SearchedRoom[] = [];
  const found: Found[] = [];
  for (let at = 0; at < names.length; at += SEARCHED_ROOMS_AT_ONCE) {
    const batch = names.slice(at, at + SEARCHED_ROOMS_AT_ONCE);
    const isSearched = words !== undefined && found.length < MAX_SEARCH_RESULTS;
    const inRoom = isSearched ? [command('MSGS', 'SEARCH', words, '', 9)] : [];
    const commands = batch.flatMap((name) => [enterRoomCommand({ name, password: '' }, true), ...inRoom]);
    const answers = await pool.read(identity, commands);
    for (let i = 0; i < answers.length; i += 1 + inRoom.length) {
      // what stands behind a GOTO that failed comes from the room before
      if (answers[i]!.code !== STATUS.done) continue;
      const entered = parseEnteredRoom(answers[i]!);
      rooms.push(looked(entered, { name: entered.name, password: '' }));
      for (const line of isSearched ? expectClass(answers[i + 1]!, REPLY.listing).lines : []) {
        const row = parseMessageRow(line);
        if (row) found.push({ ...row, room: entered.name });
      }
    }
  }
  return { rooms, found };
}

const looked = ({ totalMessages, highest, defaultView }: EnteredRoom, ref: RoomRef): SearchedRoom => ({
  ref,
  totalMessages,
  highest,
  defaultView,
});

/** Numbers, ascending, of the messages of one room that hold all the words. */
export async function searchRoom(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  words: string,
): Promise<Reach & { numbers: readonly number[] }> {
  const isIndexed = await isOwnServer(pool, identity);
  const commands = [command('MSGS', 'SEARCH', words), ...(isIndexed ? [] : [command('SRCH', words)])];
  const { entered, answers } = await pool.readInRoom(identity, room, commands);
  const numbers = messageNumbers(expectClass(answers[0]!, REPLY.listing).lines);
  if (isIndexed) return { numbers, from: undefined };
  const indexed = Math.max(...answers.map(highestIn)); // a guest is refused SRCH
  const looking = looked(entered, room);
  const { hits, from } = await lookForWords(pool, identity, [looking], indexed, words);
  const all = [...new Set([...numbers, ...hits.map(({ msgnum }) => msgnum)])].map((msgnum) => ({ msgnum }));
  const shown = await shownIn(pool, identity, looking, all);
  return { numbers: shown.map(({ msgnum }) => msgnum).sort((a, b) => a - b), from };
}

/** The highest number of a listing; 0 where it has none. */
function highestIn({ lines }: Answer): number {
  return messageNumbers(lines).reduce((highest, number) => Math.max(highest, number), 0);
}

/** Without the histories of pages, whose words are found, too. */
async function shownIn<R extends { msgnum: number }>(
  pool: Pool,
  identity: Identity,
  { ref, defaultView }: SearchedRoom,
  rows: readonly R[],
): Promise<readonly R[]> {
  if (rows.length === 0) return rows;
  const pages = await pageNumbers(pool, identity, ref, { defaultView });
  if (!pages) return rows;
  const arePages = new Set(pages);
  return rows.filter(({ msgnum }) => arePages.has(msgnum));
}
