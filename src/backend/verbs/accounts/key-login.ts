// SKEY, a verb of our own for gateways: session keys, with which a session logs in instead of USER and PASS. Any other
// server answers 530, as to FIND and NTFY. A key is good for its one session only: with it one can neither make
// further keys nor set a password. It ends with SKEY end, with sessionKeySeconds without use, and with the password,
// the name or the account of its user.

import { LEVEL } from '../../../model.ts';
import { splitFields } from '../../../protocol/fields.ts';
import { STATUS } from '../../../protocol/status.ts';
import { now } from '../../../system/clock.ts';
import { logIn, requireNobody } from '../../maintenance/log-in.ts';
import { requirePassword, requireUser } from '../../session/access.ts';
import { ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { endSessionKey, findSessionKey, makeSessionKey, noteUse } from '../../store/credentials/session-keys.ts';
import { Refusal } from '../../store/refusal.ts';
import { updateUser, userById } from '../../store/users.ts';

/**
 * `SKEY new` → `200 key` for who has logged in by password. `SKEY login|key` → as PASS. `SKEY end` → 200, and
 * every session of the key that this one has logged in with ends, this one too. 512, 520, 540, 541, 550
 */
export function skey(session: Session, args: string): Reply {
  const [what, key = ''] = splitFields(args);
  switch (what) {
    case 'new':
      return newKey(session);
    case 'login':
      return logInByKey(session, key);
    case 'end':
      return end(session);
    default:
      throw new Refusal(STATUS.illegalValue, 'SKEY takes new, login or end.');
  }
}

function newKey(session: Session): Reply {
  const user = requireUser(session);
  requirePassword(session);
  const { key, dropped } = makeSessionKey(session.store, user.id);
  session.server.endSessionsOfKeys(dropped);
  return ok(key);
}

function logInByKey(session: Session, key: string): Reply {
  requireNobody(session);
  const { store } = session;
  const found = findSessionKey(store, key);
  const user = found && userById(store, found.user);
  if (!user || user.level === LEVEL.deleted)
    throw new Refusal(STATUS.passwordRequired, 'This session key is not good, or no longer.');
  // A gateway logs in on each of its connections: it is one call all the same, which PASS has counted.
  const reply = logIn(session, user, () => noteUse(store, found) && updateUser(store, user, { lastCall: now() }));
  session.keyHash = found.hash;
  return reply;
}

function end(session: Session): Reply {
  const { keyHash } = session;
  if (keyHash === undefined) throw new Refusal(STATUS.illegalValue, 'This session was not begun with a session key.');
  endSessionKey(session.store, keyHash);
  session.server.endSessionsOfKeys([keyHash]);
  return ok('The session key has ended.');
}
