// Session keys: what a cookie holds instead of a password where the room server is Vestibule's own, which makes them
// (verb SKEY, backend/verbs/accounts/key-login.ts). Any other server answers 530: there the password is all that a session can
// be kept with.

import { AppError } from '../../errors.ts';
import { command, isFieldSafe } from '../../protocol/fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../connection/connection.ts';
import type { Credentials, Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass, unexpectedAnswer } from '../connection/refusal.ts';

const NEW = command('SKEY', 'new');
const END = command('SKEY', 'end');

/**
 * A new session of whom the connection has logged in with `credentials`; just these where there are no session keys,
 * and where the disk has no room for one: who wants to delete something has to get in.
 */
export async function beginSession(connection: Connection, credentials: Credentials): Promise<Identity> {
  const answer = await connection.ask(NEW);
  if (answer.code === STATUS.unsupported || answer.code === STATUS.storage) return credentials;
  const key = expectClass(answer, REPLY.done).text;
  // or nothing could be asked with it
  if (key === '' || !isFieldSafe(key)) throw unexpectedAnswer();
  return { user: credentials.user, key };
}

/**
 * Ends the key of a session, and all that is open with it, at every gateway. One that has ended already is no fault.
 */
export async function endSession(pool: Pool, session: Identity): Promise<void> {
  try {
    // sent once more when the connection is lost: then the first time may have been good, and the key is not
    const [answer] = await pool.read(session, [END]);
    expectClass(answer!, REPLY.done);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_logged_in')) throw error;
  }
}
