// Visits, the relations of users to rooms: known or forgotten, read messages, chosen view. Cached by user, written
// through. The read messages are a SequenceSet, from which the number of new messages is counted.

import { BACKEND_LIST_PAGE_ROWS, MAX_SEEN_RANGES } from '../../limits/backend.ts';
import { type NumberRange, SequenceSet } from '../../protocol/sequence-set.ts';
import type { StoredRoom, StoredVisit, VisitState } from './records.ts';
import { isInRoom, numberAfter, numberBefore } from './references.ts';
import { Refusal } from './refusal.ts';
import type { Store } from './store.ts';

const NOTHING_SEEN = SequenceSet.upTo(0);
const COLUMNS = 'user, room, state, seen, last_read AS lastRead, view';
/** the set of read messages may take 70 KB each */
const VISITORS_OF_A_PAGE = 100;

/** The visit of a user to a room; without a stored one `none`, nothing read. */
export function visitOf(store: Store, userId: number, roomId: number): StoredVisit {
  return (
    visitsOf(store, userId).get(roomId) ?? {
      user: userId,
      room: roomId,
      state: 'none',
      seen: NOTHING_SEEN,
      lastRead: 0,
      view: null,
    }
  );
}

/** All stored visits of a user, by room number. */
export function visitsOf(store: Store, userId: number): ReadonlyMap<number, StoredVisit> {
  const cache = store.caches.visits;
  let visits = cache.get(userId);
  if (!visits) {
    visits = new Map();
    const rows = store.prepare(`SELECT ${COLUMNS} FROM visit WHERE user = ?`).all(userId);
    for (const row of rows) visits.set(Number(row.room), toVisit(row));
    cache.set(userId, visits);
  }
  return visits;
}

/** Stored visits of all users to a room, by user number; may include visits stored meanwhile. */
export function* visitorsOf(store: Store, roomId: number): Generator<StoredVisit> {
  const page = store.prepare(`SELECT ${COLUMNS} FROM visit WHERE room = ? AND user > ? ORDER BY user LIMIT ?`);
  for (let after = 0; ; ) {
    const rows = page.all(roomId, after, VISITORS_OF_A_PAGE);
    for (const row of rows) yield toVisit(row);
    if (rows.length < VISITORS_OF_A_PAGE) return;
    after = Number(rows.at(-1)!.user);
  }
}

/** The stored visit of a user to a room; does not load the user's other visits into the cache. */
export function storedVisit(store: Store, userId: number, roomId: number): StoredVisit | undefined {
  const row = store.prepare(`SELECT ${COLUMNS} FROM visit WHERE user = ? AND room = ?`).get(userId, roomId);
  return row && toVisit(row);
}

/** Changes and stores a visit. */
export function updateVisit(
  store: Store,
  visit: StoredVisit,
  changes: Partial<Pick<StoredVisit, 'state' | 'seen' | 'lastRead' | 'view'>>,
): void {
  const next: StoredVisit = { ...visit, ...changes };
  const scopeOfUser = () => ({ users: [next.user] });
  store.transaction(() => {
    store.run`INSERT INTO visit (user, room, state, seen, last_read, view)
      VALUES (${next.user}, ${next.room}, ${next.state}, ${next.seen.toString()}, ${next.lastRead}, ${next.view})
      ON CONFLICT (user, room) DO UPDATE
      SET state = excluded.state, seen = excluded.seen, last_read = excluded.last_read, view = excluded.view`;
    // visits of users who are not cached are loaded again on demand
    store.caches.visits.get(visit.user)?.set(visit.room, next);
    if (next.state !== visit.state) store.noteChange(undefined, visit.user);
    store.onRollback(() => store.caches.visits.clear());
  }, scopeOfUser);
}

/** Deletes the visits of at most `most` users to a room; returns how many. */
export function dropVisits(store: Store, roomId: number, most = -1): number {
  return store.transaction(() => {
    const some = 'SELECT user, room FROM visit WHERE room = ? LIMIT ?';
    const { changes } = store.prepare(`DELETE FROM visit WHERE (user, room) IN (${some})`).run(roomId, most);
    for (const visits of store.caches.visits.values()) visits.delete(roomId);
    store.onRollback(() => store.caches.visits.clear());
    return Number(changes);
  });
}

function toVisit(row: Record<string, unknown>): StoredVisit {
  return {
    user: Number(row.user),
    room: Number(row.room),
    state: row.state as VisitState,
    seen: SequenceSet.parse(String(row.seen)),
    lastRead: Number(row.lastRead),
    view: row.view === null ? null : Number(row.view),
  };
}

/** more gaps than this are counted in one scan of all numbers */
const MAX_COUNTED_GAPS = 100;
/** SQLite's largest integer that a JavaScript number holds */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * The number of messages outside the read set. Cached for each state of room and set, and updated incrementally when
 * messages were only appended: otherwise each post would cause a full count.
 */
export function countNew(store: Store, room: StoredRoom, visit: StoredVisit): number {
  const { counted } = visit;
  const { seen } = visit;
  if (counted?.seen === seen && counted.generation === room.generation) return counted.count;
  const { generation, rearranged, highest, total } = room;
  const isBehind =
    counted?.seen === seen && counted.rearranged === rearranged && !isAnySeenBehind(seen, counted.highest);
  const count = isBehind ? counted.count + total - counted.total : countIn(store, room, seen);
  visit.counted = { generation, rearranged, highest, total, seen, count };
  return count;
}

function isAnySeenBehind({ ranges }: SequenceSet, msgnum: number): boolean {
  return (ranges.at(-1)?.high ?? 0) > msgnum;
}

function countIn(store: Store, room: StoredRoom, seen: SequenceSet): number {
  if (room.total === 0) return 0;
  const gaps = seen.gaps().filter((gap) => gap.low <= room.highest);
  if (gaps.length <= MAX_COUNTED_GAPS) {
    const statement = store.prepare(
      'SELECT count(*) AS count FROM room_message WHERE room = ? AND message BETWEEN ? AND ?',
    );
    let count = 0;
    for (const { low, high } of gaps) count += Number(statement.get(room.id, low, Math.min(high, NO_LIMIT))!.count);
    return count;
  }
  const page = 'SELECT message FROM room_message WHERE room = ? AND message > ? ORDER BY message LIMIT ?';
  let count = 0;
  for (let after = 0; ; ) {
    const rows = store.rows<{ message: number }>(page, room.id, after, BACKEND_LIST_PAGE_ROWS);
    for (const { message } of rows) if (!seen.contains(message)) count++;
    if (rows.length < BACKEND_LIST_PAGE_ROWS) return count;
    after = rows.at(-1)!.message;
  }
}

/**
 * The set with one message of the room marked as read or new. Its ranges begin and end at existing messages, and
 * adjacent messages share a range. A missing number changes nothing. Throws Refusal 512 beyond MAX_SEEN_RANGES.
 */
export function withMark(
  store: Store,
  room: StoredRoom,
  seen: SequenceSet,
  msgnum: number,
  isRead: boolean,
): SequenceSet {
  if (!isInRoom(store, room.id, msgnum) || seen.contains(msgnum) === isRead) return seen;
  const before = numberBefore(store, room.id, msgnum);
  const after = numberAfter(store, room.id, msgnum);
  const ranges: NumberRange[] = [];
  if (isRead) {
    ranges.push(...seen.ranges, {
      low: before !== undefined && seen.contains(before) ? before : msgnum,
      high: after !== undefined && seen.contains(after) ? after : msgnum,
    });
  } else {
    for (const range of seen.ranges) {
      const { low, high } = range;
      if (msgnum < low || msgnum > high) ranges.push(range);
      else {
        if (before !== undefined && before >= low) ranges.push({ low, high: before });
        if (after !== undefined && after <= high) ranges.push({ low: after, high });
      }
    }
  }
  const marked = SequenceSet.of(fitEnds(store, room, SequenceSet.of(ranges).ranges));
  if (marked.ranges.length > MAX_SEEN_RANGES)
    throw new Refusal('illegalValue', 'Too many separate read marks in this room.');
  return marked;
}

// SLRP writes `*:24`, which may extend beyond the messages of the room at either end.
function fitEnds(store: Store, room: StoredRoom, given: readonly NumberRange[]): NumberRange[] {
  const ranges = [...given];
  const first = ranges[0];
  const last = ranges.at(-1);
  if (first) {
    const lowest = numberAfter(store, room.id, first.low - 1);
    if (lowest !== undefined) ranges[0] = { low: lowest, high: first.high };
  }
  if (last) {
    const highest = numberBefore(store, room.id, last.high + 1);
    if (highest !== undefined) ranges[ranges.length - 1] = { low: ranges.at(-1)!.low, high: highest };
  }
  return ranges.filter(({ low, high }) => low <= high);
}
