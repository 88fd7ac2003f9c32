// Session keys: what a cookie holds instead of a password (verb SKEY, backend/verbs/accounts/key-login.ts).

import { AppError } from '../../errors.ts';
import { command, isFieldSafe } from '../../protocol/fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../connection/connection.ts';
import type { Credentials, Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass, unexpectedAnswer } from '../connection/refusal.ts';

const NEW = command('SKEY', 'new');
const END = command('SKEY', 'end');

/** Just the credentials where the disk has no room for a key: who wants to delete something has to get in. */
export async function beginSession(connection: Connection, credentials: Credentials): Promise<Identity> {
  const answer = await connection.ask(NEW);
  if (answer.code === STATUS.storage) return credentials;
  const key = expectClass(answer, REPLY.done).text;
  // or nothing could be asked with it
  if (key === '' || !isFieldSafe(key)) throw unexpectedAnswer();
  return { user: credentials.user, key };
}

export async function endSession(pool: Pool, session: Identity): Promise<void> {
  try {
    // sent once more when the connection is lost: then the first time may have been good, and the key is not
    const [answer] = await pool.read(session, [END]);
    expectClass(answer!, REPLY.done);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_logged_in')) throw error;
  }
}
