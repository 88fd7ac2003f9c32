// STEL hides a session from others, TERM ends one, REQT asks users to log off (protocol section 18.10).

import { toInt } from '../../../protocol/fields.ts';
import { STATUS } from '../../../protocol/status.ts';
import { isAdmin } from '../../session/access.ts';
import { deliverInstant, INSTANT_FLAG, loggedInSessions } from '../../session/instant-messages.ts';
import { ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { switched } from '../../session/session-state.ts';
import { Refusal } from '../../store/refusal.ts';

/** `STEL 0|1`: hidden from RWHO of others → the state */
export function stel(session: Session, args: string): Reply {
  session.stealth = switched(session.stealth, args);
  return ok(session.stealth ? 1 : 0);
}

/** `TERM session`: closes another session; one's own or, for administrators, any. 512, 550 */
export function term(session: Session, args: string): Reply {
  const wanted = toInt(args);
  const victim = [...session.server.sessions].find((other) => other.id === wanted);
  if (!victim) throw new Refusal(STATUS.illegalValue, 'No such session.');
  if (victim === session) throw new Refusal(STATUS.illegalValue, "You can't kill your own session.");
  const isOwn = session.user !== undefined && victim.user === session.user;
  const isAllowed = isOwn || session.isAdminSocket || (isAdmin(session.user) && !session.appPassword);
  if (!isAllowed) {
    throw new Refusal(STATUS.higherAccess, 'You are not allowed to do that.');
  }
  victim.destroy();
  return ok('Session terminated.');
}

/** `REQT session`, 0 for all: asks to log off */
export function reqt(session: Session, args: string): Reply {
  const wanted = toInt(args);
  const receivers = loggedInSessions(session).filter((other) => wanted === 0 || other.id === wanted);
  deliverInstant(session, receivers, 'Automatic logoff requested.', INSTANT_FLAG.logOff);
  return ok(`Sent termination request to ${receivers.length} sessions.`);
}
