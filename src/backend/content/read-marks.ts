// Read marks that a post, a copy or a move makes (protocol section 10).

import { ACCESS } from '../../model.ts';
import { SequenceSet } from '../../protocol/sequence-set.ts';
import { accessOf } from '../session/access.ts';
import type { StoredRoom, StoredUser, StoredVisit } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { withMark } from '../store/seen-counts.ts';
import type { Store } from '../store/store.ts';
import { userById } from '../store/users.ts';
import { storedVisit, updateVisit, visitOf, visitorsOf } from '../store/visits.ts';

const NOTHING_SEEN = SequenceSet.upTo(0);

/** Of a message just posted, which is no news to its author: where more marks cannot be kept it stays new. */
export function markRead(store: Store, user: StoredUser, room: StoredRoom, msgnum: number): void {
  setMarks(store, room, visitOf(store, user.id, room.id), [[msgnum, true]]);
}

/** As many as can be kept. */
function setMarks(store: Store, room: StoredRoom, visit: StoredVisit, marks: readonly [number, boolean][]): void {
  let { seen } = visit;
  for (const [msgnum, isRead] of marks) {
    try {
      seen = withMark(store, room, seen, msgnum, isRead);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  if (seen !== visit.seen) updateVisit(store, visit, { seen });
}

/**
 * Messages have come from one room to another: who has read them there has read them here, and they are new to
 * everybody else. `numbers`: there and here; `copier`: it is a copy, and no other marks are kept. Inside a transaction
 * only.
 */
export function carryMarks(
  store: Store,
  source: StoredRoom,
  target: StoredRoom,
  numbers: readonly (readonly [number, number])[],
  copier?: StoredUser,
): void {
  const bring = (userId: number, seen: SequenceSet) => {
    const user = userById(store, userId);
    const visit = storedVisit(store, userId, target.id) ?? visitOf(store, userId, target.id);
    if (!user || (accessOf(user, target, visit) & ACCESS.known) === 0) return;
    setMarks(
      store,
      target,
      visit,
      numbers.map(([there, here]) => [here, seen.contains(there)]),
    );
  };
  if (copier) {
    bring(copier.id, visitOf(store, copier.id, source.id).seen);
    return;
  }
  const readers = new Set<number>();
  for (const { user, seen } of visitorsOf(store, source.id)) {
    readers.add(user);
    bring(user, seen);
  }
  for (const { user } of visitorsOf(store, target.id)) if (!readers.has(user)) bring(user, NOTHING_SEEN);
}

/** Whose marks carryMarks looks at. */
export function countReaders(store: Store, source: StoredRoom, target: StoredRoom): number {
  const sql = 'SELECT count(*) AS count FROM visit WHERE room IN (?, ?)';
  return Number(store.prepare(sql).get(source.id, target.id)!.count);
}
