// Ending the server on an administrator's word: DOWN at once, SCDN when nobody is logged in (protocol section 18.12).
// It cannot start itself again.

import { toInt } from '../../protocol/fields.ts';
import { Refusal, type Reply } from '../session/verb.ts';
import type { Session } from '../wire/session-socket.ts';

const NO_RESTART = 'This server cannot start itself again.';

/** `DOWN` → 231; `DOWN 0` the same as 200; 530 for a restart */
export function down(session: Session, args: string): Reply {
  const mode = args.trim();
  if (mode !== '' && toInt(mode) !== 0) throw new Refusal(530, NO_RESTART);
  session.quit();
  // Behind the reply, which is written when this turn is over.
  setImmediate(session.server.onDown);
  return `${mode === '' ? 231 : 200} Shutting down server.  Goodbye.\n`;
}

export function halt(): Reply {
  throw new Refusal(530, 'This server only ends: DOWN.');
}

/** `SCDN 1`: go down when the last user logs out; `SCDN 0`: do not; otherwise → the state. 530 for a restart */
export function scdn({ server }: Session, args: string): Reply {
  const mode = args.trim();
  if (toInt(mode) > 1) throw new Refusal(530, NO_RESTART);
  if (mode !== '') server.isDownWhenIdle = toInt(mode) === 1;
  return `200 ${server.isDownWhenIdle ? 1 : 0}\n`;
}
