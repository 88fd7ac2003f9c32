// Read marks of the current room: GTSN, SLRP, SEEN (protocol section 10).

import { splitFields, toInt } from '../../protocol/fields.ts';
import { SequenceSet } from '../../protocol/sequence-set.ts';
import { STATUS } from '../../protocol/status.ts';
import { requireRoom } from '../session/access.ts';
import { ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { withMark } from '../store/seen-counts.ts';
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
