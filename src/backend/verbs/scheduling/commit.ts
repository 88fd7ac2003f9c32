// The change of an object that scheduling messages were prepared for (SCHD send) has come: they go with it
// (RFC 6638 section 3).

import { BACKEND_TURN_MS } from '../../../limits/backend.ts';
import { deliverSome } from '../../content/scheduling.ts';
import type { Session } from '../../session/session.ts';
import { Refusal } from '../../store/refusal.ts';
import { queueDelivery, setScheduleTag } from '../../store/scheduling.ts';

/**
 * To be called in the transaction that has stored or removed (`msgnum` undefined) the object with that UID in the room
 * of the session: sends what was prepared for it.
 */
export function commitScheduling(session: Session, uid: string, msgnum: number | undefined): void {
  const { store, scheduling: staged } = session;
  if (!staged || staged.uid !== uid || staged.room !== session.room || staged.user !== session.user) return;
  session.scheduling = undefined;
  store.onRollback(() => {
    session.scheduling = staged;
  });
  for (const message of staged.messages) queueDelivery(store, { ...message, sender: staged.user.id, isRefresh: false });
  if (msgnum !== undefined && staged.isTagged) setScheduleTag(store, msgnum, msgnum);
}

/** To be called behind that transaction: what a turn can deliver comes at once, the rest in the background. */
export function deliverNow({ store, server }: Session): void {
  const turnEnd = performance.now() + BACKEND_TURN_MS;
  try {
    deliverSome(store, () => performance.now() >= turnEnd);
  } catch (error) {
    // a disk that fails has been told of; it is tried again
    if (!(error instanceof Refusal)) server.onFault(error);
  }
}
