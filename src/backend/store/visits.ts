// Visits, the relations of users to rooms: known or forgotten, read messages, chosen view. Cached by user, written
// through.

import { SequenceSet } from '../../protocol/sequence-set.ts';
import type { StoredVisit, VisitState } from './records.ts';
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
    store
      .prepare(
        `INSERT INTO visit (user, room, state, seen, last_read, view) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (user, room) DO UPDATE SET
           state = excluded.state, seen = excluded.seen, last_read = excluded.last_read, view = excluded.view`,
      )
      .run(next.user, next.room, next.state, next.seen.toString(), next.lastRead, next.view);
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
