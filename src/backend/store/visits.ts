// The relation of one user to one room: known or forgotten, read messages, own view. Kept in memory by user, written
// through.

import { SequenceSet } from '../../protocol/sequence-set.ts';
import type { StoredVisit, VisitState } from './records.ts';
import type { Store } from './store.ts';

const NOTHING_SEEN = SequenceSet.upTo(0);
const COLUMNS = 'user, room, state, seen, last_read AS lastRead, view';
/** what they have read may be 70 KB each */
const VISITORS_OF_A_PAGE = 100;

/** The relation of a user to a room; one that was never stored says `none`, nothing read. */
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

/** All stored relations of a user, by room number. */
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

/** Stored relations of all users to a room, by user number; those that come meanwhile perhaps, too. */
export function* visitorsOf(store: Store, roomId: number): Generator<StoredVisit> {
  const page = store.prepare(`SELECT ${COLUMNS} FROM visit WHERE room = ? AND user > ? ORDER BY user LIMIT ?`);
  for (let after = 0; ; ) {
    const rows = page.all(roomId, after, VISITORS_OF_A_PAGE);
    for (const row of rows) yield toVisit(row);
    if (rows.length < VISITORS_OF_A_PAGE) return;
    after = Number(rows.at(-1)!.user);
  }
}

/** The stored relation of a user to a room, without the others of his that are kept in memory. */
export function storedVisit(store: Store, userId: number, roomId: number): StoredVisit | undefined {
  const row = store.prepare(`SELECT ${COLUMNS} FROM visit WHERE user = ? AND room = ?`).get(userId, roomId);
  return row && toVisit(row);
}

/** Changes and stores a relation. */
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
    // who is not here has his read again when he comes
    store.caches.visits.get(visit.user)?.set(visit.room, next);
    if (next.state !== visit.state) store.noteChange(undefined, visit.user);
    store.onRollback(() => store.caches.visits.clear());
  }, scopeOfUser);
}

/** Drops every user's relation to a room, of very many those of `most` users; answers of how many. */
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
