// Identities, and logging in (verbs USER and PASS, protocol section 18.2; SKEY, protocol section 21.3).

import { AppError, type ErrorCode } from '../../errors.ts';
import { APP_PASSWORD_SCOPES, LEVEL, type LoggedIn } from '../../model.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from './connection.ts';
import { expectClass, refusal, unexpectedAnswer } from './server-errors.ts';

/** An empty user name is the anonymous guest. */
export interface Credentials {
  user: string;
  password: string;
  key?: undefined;
}

/** Credentials, or a session key from the room server. */
export type Identity = Credentials | { user: string; key: string; password?: undefined };

export const GUEST: Credentials = { user: '', password: '' };

/** Unique for an identity: no field can contain NUL, and a password is never taken for a session key. */
export function identityKey({ user, password, key }: Identity): string {
  return `${user}\0${password ?? ''}\0${key ?? ''}`;
}

/** Throws bad_request for a name, password or key that cannot be sent. */
export function logInCommands({ user, password, key }: Identity): string[] {
  return key === undefined ? [command('USER', user), command('PASS', password)] : [command('SKEY', 'login', key)];
}

/** The same for unknown accounts and wrong passwords. */
export function wrongCredentials(): AppError {
  return new AppError('not_logged_in', 'Wrong user name or password.', { backendCode: STATUS.passwordRequired });
}

const ENDED: [ErrorCode, string] = ['not_logged_in', 'The session has ended. Please log in.'];

/** The room server also counts wrong passwords by address; it sees only the gateway's. Says nothing of the account. */
function tooManyFailed(): AppError {
  const text = 'The room server temporarily accepts no passwords from this gateway, because too many were wrong.';
  return new AppError('busy', text, { backendCode: STATUS.higherAccess, retryAfterSeconds: 60 });
}

/**
 * Logs a new connection in. Throws not_logged_in (unknown user, wrong password, or invalid session key: 540, 530), busy
 * (551, and 550 after a password), bad_request for a name or password that cannot be sent.
 */
export async function logIn(connection: Connection, identity: Identity): Promise<LoggedIn> {
  const answers = await connection.askAll(logInCommands(identity));
  if (identity.key !== undefined) {
    const known = { [STATUS.passwordRequired]: ENDED, [STATUS.unsupported]: ENDED };
    return parseLoggedIn(expectClass(answers[0]!, REPLY.done, known).text);
  }
  const [user, pass] = answers;
  if (user!.code === STATUS.noSuchUser) throw wrongCredentials();
  if (user!.code !== STATUS.moreNeeded) throw refusal(user!);
  if (pass!.code === STATUS.higherAccess) throw tooManyFailed();
  if (pass!.code === STATUS.passwordRequired || pass!.code === STATUS.userNameRequired) throw wrongCredentials();
  return parseLoggedIn(expectClass(pass!, REPLY.done).text);
}

/** `'ann|4|0|0|10768|2|1795221425'`; for an app password followed by its scope */
export function parseLoggedIn(text: string): LoggedIn {
  const fields = splitFields(text);
  if (fields.length < 7) throw unexpectedAnswer(text);
  return {
    name: fields[0]!,
    level: levelFrom(fields[1]),
    timesCalled: toInt(fields[2]),
    posted: toInt(fields[3]),
    flags: toInt(fields[4]),
    usernum: toInt(fields[5]),
    previousLogin: toInt(fields[6]),
    scope: APP_PASSWORD_SCOPES.find((scope) => scope === fields[7]),
  };
}

/** The nearest valid access level. */
export function levelFrom(text: string | undefined): number {
  return Math.min(Math.max(toInt(text), LEVEL.deleted), LEVEL.admin);
}
