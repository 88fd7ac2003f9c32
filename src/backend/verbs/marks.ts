// Read marks of the current room: GTSN, SLRP, SEEN (protocol section 10).

import { splitFields, toInt } from '../../protocol/fields.ts';
import { SequenceSet } from '../../protocol/sequence-set.ts';
import { STATUS } from '../../protocol/status.ts';
import { ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { withMark } from '../store/seen-counts.ts';
import type { Store } from '../store/store.ts';
import { updateVisit, visitOf } from '../store/visits.ts';

/** → `200 SEQUENCE SET` */
export function gtsn(session: Session): Reply {
  const { room, user } = session;
  return ok(user && room ? visitOf(session.store, user.id, room.id).seen.toString() : '*:0');
}

/** `SLRP n` or `SLRP HIGHEST`: everything up to n is read, forwards or backwards → `200 n` */
export function slrp(session: Session, args: string): Reply {
  const room = requireRoom(session);
  const wanted = args.trim().toUpperCase() === 'HIGHEST' ? session.highestKnown : Math.max(0, toInt(args));
  const { store, user } = session;
  if (user) {
    const visit = visitOf(store, user.id, room.id);
    const seen = SequenceSet.upTo(wanted);
    // Clients repeat this when they leave a room: nothing to write then.
    if (visit.lastRead !== wanted || visit.seen.toString() !== seen.toString()) {
      updateVisit(store, visit, { seen, lastRead: wanted });
    }
  }
  return ok(wanted);
}

/** `SEEN number|1 or 0` → 200; 512 */
export function seen(session: Session, args: string): Reply {
  const fields = splitFields(args);
  if (fields.length !== 2) throw new Refusal(STATUS.illegalValue, 'Invalid parameters');
  const room = requireRoom(session);
  const { store, user } = session;
  if (user) {
    const visit = visitOf(store, user.id, room.id);
    const marked = withMark(store, room, visit.seen, toInt(fields[0]), toInt(fields[1]) !== 0);
    if (marked !== visit.seen) updateVisit(store, visit, { seen: marked });
  }
  return ok('OK');
}

/** Of a message just posted, which is no news to its author: where more marks cannot be kept it stays new. */
export function markRead(store: Store, user: StoredUser, room: StoredRoom, msgnum: number): void {
  const visit = visitOf(store, user.id, room.id);
  try {
    updateVisit(store, visit, { seen: withMark(store, room, visit.seen, msgnum, true) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** The room the session is in. Throws Refusal 560 when it is in none. */
export function requireRoom(session: Session): StoredRoom {
  if (!session.room) throw new Refusal(STATUS.notHere, 'You are in no room.');
  return session.room;
}
