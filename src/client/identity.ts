// Who a connection belongs to, and the log-in itself (verbs USER and PASS, spec section 18.2).

import { AppError, type ErrorCode } from '../errors.ts';
import type { LoggedIn } from '../model.ts';
import { command, splitFields, toInt } from '../protocol/fields.ts';
import { STATUS } from '../protocol/status.ts';
import type { Connection } from './connection.ts';
import { expectClass, refusal } from './refusal.ts';

/** Credentials; an empty user name is the anonymous guest. */
export interface Identity {
  user: string;
  password: string;
}

export const GUEST: Identity = { user: '', password: '' };

/** One identity, one key: what the pool sorts connections by. No field can contain NUL, so keys cannot collide. */
export function identityKey(identity: Identity): string {
  return `${identity.user}\0${identity.password}`;
}

/** Throws bad_request for a name or password that cannot be sent. */
export function logInCommands({ user, password }: Identity): string[] {
  return [command('USER', user), command('PASS', password)];
}

const WRONG: [ErrorCode, string] = ['not_logged_in', 'Wrong user name or password.'];

/**
 * Logs a fresh connection in. Throws not_logged_in (570 unknown user, 540 wrong password), busy (551),
 * bad_request for a name or password that cannot be sent.
 */
export async function logIn(connection: Connection, identity: Identity): Promise<LoggedIn> {
  const [user, pass] = await connection.askAll(logInCommands(identity));
  if (user!.code !== 300) throw refusal(user!, { [STATUS.noSuchUser]: WRONG });
  if (pass!.code !== 200) {
    throw refusal(pass!, { [STATUS.passwordRequired]: WRONG, [STATUS.userNameRequired]: WRONG });
  }
  return parseLoggedIn(expectClass(pass!, 2).text);
}

/** `'ann|4|0|0|10768|2|1795221425'` */
export function parseLoggedIn(text: string): LoggedIn {
  const fields = splitFields(text);
  if (fields.length < 7) throw new AppError('backend_protocol', 'The room server sent an unexpected answer.');
  return {
    name: fields[0]!,
    level: toInt(fields[1]),
    timesCalled: toInt(fields[2]),
    posted: toInt(fields[3]),
    flags: toInt(fields[4]),
    usernum: toInt(fields[5]),
    previousLogin: toInt(fields[6]),
  };
}
