// POST a/password, and what a new password may be.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { type Caller, logInByPassword, setSessionCookie, userOf } from '../../gateway/caller.ts';
import { newSessionId } from '../../gateway/seal.ts';
import type { Exchange } from '../../http/exchange.ts';
import { sendEmpty } from '../../http/respond.ts';
import {
  MAX_PASSWORD_BYTES,
  REAL_SERVER_PASSWORD_BYTES,
  REAL_SERVER_ROOM_PASSWORD_BYTES,
} from '../../limits/backend.ts';
import type { LoggedIn } from '../../model.ts';
import { serverOf } from '../../room-server/driver.ts';
import { setPassword } from '../../room-server/users.ts';
import { type Check, line, readJsonFields, required, unicodeText } from '../json-fields.ts';

/** SETP makes a password of its own for this one (protocol section 18.2). */
const GENERATE = 'GENERATE_RANDOM_PASSWORD';

/** A password that is taken as it is typed. */
export const newPassword: Check<string> = (value, name) => {
  const password = line(MAX_PASSWORD_BYTES)(value, name);
  if (password !== value) throw new AppError('bad_request', `${name} takes no blanks at its ends.`);
  if (password === GENERATE) throw new AppError('bad_request', 'Please think of another password.');
  return password;
};

/** What a password opens, with the bytes of it that every room server keeps. */
const SURELY_KEPT_BYTES = { user: REAL_SERVER_PASSWORD_BYTES, room: REAL_SERVER_ROOM_PASSWORD_BYTES } as const;

/**
 * A password that the room server cuts would open nothing: no account (quirk Q36), no room (quirk Q35). Throws
 * bad_request.
 */
export async function requireKept(
  app: App,
  { identity }: Caller,
  password: string,
  of: keyof typeof SURELY_KEPT_BYTES,
): Promise<void> {
  if (Buffer.byteLength(password) <= SURELY_KEPT_BYTES[of]) return;
  const max = (await serverOf(app.pool, identity)).accounts.passwordBounds[of];
  if (Buffer.byteLength(password) > max) {
    throw new AppError('bad_request', `The room server keeps ${max} bytes of a password.`);
  }
}

const CHANGE = { old: unicodeText, new: newPassword };

/** Every other session of the user ends; this one gets a new cookie. → 204 */
export async function postPassword(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const fields = await readJsonFields(exchange, CHANGE);
  const [old, password] = [required(fields.old, 'old'), required(fields.new, 'new')];
  await requireKept(app, caller, password, 'user');
  const { user } = caller.identity;
  const { usernum } = await confirm(exchange, app, caller, old, 'The old password is wrong.');
  // by the old password, as the room server wants it: a session key does not prove that the user himself is there
  const identity = await app.pool.withConnection({ user, password: old }, async (connection) => {
    await setPassword(connection, password);
    if (!caller.session) return undefined;
    const { accounts } = await serverOf(app.pool, connection);
    return accounts.beginSession(connection, { user, password });
  });
  await app.fleet.notices.tell({ about: 'account', usernum });
  if (caller.session && identity) {
    const { inbox, issued, expires } = caller.session;
    await app.fleet.notices.tell({ about: 'replaced session', sessionId: caller.session.id });
    setSessionCookie(exchange, app, { ...identity, id: newSessionId(), inbox, issued, expires });
  }
  await sendEmpty(exchange, 204);
}

/**
 * Logs in with the account's own password, which a session that was left open does not know. Throws forbidden, with the
 * text `otherwise`, and for whom an app password has logged in; too_many_requests.
 */
export async function confirm(
  exchange: Exchange,
  app: App,
  { identity: { user }, identity }: Caller,
  password: string,
  otherwise: string,
): Promise<LoggedIn> {
  const { scope } = await app.pool.identify(identity);
  if (scope !== undefined) throw new AppError('forbidden', 'This app password is not good for that.');
  try {
    return await logInByPassword(exchange, app, { user, password });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_logged_in') throw error;
    throw new AppError('forbidden', otherwise);
  }
}
