// Read marks that a post, a copy or a move makes (protocol section 10).

import { ACCESS } from '../../model.ts';
import { SequenceSet } from '../../protocol/sequence-set.ts';
import { accessOf } from '../session/access.ts';
import type { StoredRoom, StoredUser, StoredVisit } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import type { Store } from '../store/store.ts';
import { userById } from '../store/users.ts';
import { storedVisit, updateVisit, visitOf, visitorsOf, withMark } from '../store/visits.ts';

const NOTHING_SEEN = SequenceSet.upTo(0);

/** Marks a message as read by its author. If no more marks can be stored it stays new. */
export function markRead(store: Store, user: StoredUser, room: StoredRoom, msgnum: number): void {
  setMarks(store, room, visitOf(store, user.id, room.id), [[msgnum, true]]);
}

/** Sets as many as can be stored. */
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
 * Carries read marks along with messages that were moved or copied between rooms; the messages are new to users who
 * have not read them. `numbers`: in the source and in the target; `copier`: a copy, which carries only this user's
 * marks. Inside a transaction only.
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

/** The number of users whose marks carryMarks reads. */
export function countReaders(store: Store, source: StoredRoom, target: StoredRoom): number {
  const sql = 'SELECT count(*) AS count FROM visit WHERE room IN (?, ?)';
  return Number(store.prepare(sql).get(source.id, target.id)!.count);
}
