// The change of an object that scheduling messages were prepared for (SCHD send) has come: they go with it
// (RFC 6638 section 3).

import { BACKEND_TURN_MS } from '../../../limits/backend.ts';
import { RejectedByRoom } from '../../content/groupware.ts';
import { deliverSome } from '../../content/scheduling.ts';
import type { Session } from '../../session/session.ts';
import type { StagedScheduling } from '../../session/session-state.ts';
import { messageByEuid } from '../../store/references.ts';
import { Refusal } from '../../store/refusal.ts';
import { queueDelivery, setScheduleTag } from '../../store/scheduling.ts';

/**
 * To be called in the transaction that has stored or removed (`msgnum` undefined) the object with that UID in the room
 * of the session, or brought it from there to another one: sends what was prepared for it.
 */
export function commitScheduling(session: Session, uid: string, msgnum: number | undefined): void {
  const { store } = session;
  const staged = stagedFor(session, uid);
  if (!staged) return;
  session.scheduling = undefined;
  session.hasSentScheduling = staged.messages.length > 0;
  store.onRollback(() => {
    session.scheduling = staged;
  });
  for (const message of staged.messages) queueDelivery(store, { ...message, sender: staged.user.id, isRefresh: false });
  if (msgnum !== undefined && staged.isTagged) setScheduleTag(store, msgnum, msgnum);
}

/**
 * To be called before the object is stored, in the same transaction. Throws RejectedByRoom where it is another one than
 * the messages were made from: an answer that has come in meanwhile would be lost.
 */
export function requireExpected(session: Session, uid: string): void {
  const staged = stagedFor(session, uid);
  if (staged?.expected === undefined) return;
  const now = messageByEuid(session.store, staged.room.id, uid) ?? 0;
  if (now !== staged.expected) throw new RejectedByRoom();
}

function stagedFor(session: Session, uid: string): StagedScheduling | undefined {
  const { scheduling: staged } = session;
  const isMeant = staged?.uid === uid && staged.room === session.room && staged.user === session.user;
  return isMeant ? staged : undefined;
}

/**
 * To be called behind that transaction: what a turn can deliver comes at once, the rest in the background. Who has sent
 * nothing does not work for others.
 */
export function deliverNow(session: Session): void {
  const { store, server } = session;
  if (!session.hasSentScheduling) return;
  session.hasSentScheduling = false;
  const turnEnd = performance.now() + BACKEND_TURN_MS;
  try {
    deliverSome(store, () => performance.now() >= turnEnd);
  } catch (error) {
    // a disk that fails has been told of; it is tried again
    if (!(error instanceof Refusal)) server.onFault(error);
  }
}
