// The account's own password (a/password) and app passwords (a/app-passwords), for programs or for the feed of one
// room. The secret is in the answer that makes an app password, and nowhere else.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { type Caller, logInByPassword, setSessionCookie, userOf } from '../../gateway/caller.ts';
import { roomPath } from '../../gateway/paths.ts';
import { roomOf } from '../../gateway/request-room.ts';
import { newSessionId } from '../../gateway/seal.ts';
import type { Exchange } from '../../http/exchange.ts';
import { asJson, send, sendEmpty } from '../../http/respond.ts';
import {
  MAX_PASSWORD_BYTES,
  REAL_SERVER_PASSWORD_BYTES,
  REAL_SERVER_ROOM_PASSWORD_BYTES,
} from '../../limits/backend.ts';
import { MAX_APP_PASSWORD_NAME_BYTES } from '../../limits/sessions.ts';
import { APP_PASSWORD_SCOPES, type LoggedIn } from '../../model.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import type { Credentials } from '../../room-server/connection/identity.ts';
import { serverOf } from '../../room-server/driver.ts';
import { requireCapability } from '../../room-server/server.ts';
import { setPassword } from '../../room-server/users.ts';
import { type Check, line, oneOf, readJsonFields, required, unicodeText } from '../request-body.ts';

/** SETP makes a password of its own for this one (protocol section 18.2). */
const GENERATE = 'GENERATE_RANDOM_PASSWORD';

/** A password that every room server takes as it is typed. */
export const newPassword: Check<string> = (value, name) => {
  const password = line(MAX_PASSWORD_BYTES)(value, name);
  if (password !== value) throw new AppError('bad_request', `${name} cannot begin or end with a blank.`);
  if (password === GENERATE) throw new AppError('bad_request', 'This password is reserved. Choose another one.');
  return password;
};

/** bytes of a password that every room server stores */
const SURELY_KEPT_BYTES = { user: REAL_SERVER_PASSWORD_BYTES, room: REAL_SERVER_ROOM_PASSWORD_BYTES } as const;

/** Throws bad_request for a password that the room server would cut: it would not work (quirks Q35 and Q36). */
export async function requireKept(
  app: App,
  { identity }: Caller,
  password: string,
  of: keyof typeof SURELY_KEPT_BYTES,
): Promise<void> {
  if (Buffer.byteLength(password) <= SURELY_KEPT_BYTES[of]) return;
  const max = (await serverOf(app.pool, identity)).accounts.passwordBounds[of];
  if (Buffer.byteLength(password) > max) {
    throw new AppError('bad_request', `A password can have at most ${max} bytes on this room server.`);
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
  // with the old password, as the room server requires: a session key does not prove that the user is present
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
 * Logs in with the account's password, to prove that the owner is present. Throws forbidden, with the text `otherwise`
 * or for an app password; too_many_requests.
 */
export async function confirm(
  exchange: Exchange,
  app: App,
  { identity: { user }, identity }: Caller,
  password: string,
  otherwise: string,
): Promise<LoggedIn> {
  const { scope } = await app.pool.identify(identity);
  if (scope !== undefined)
    throw new AppError('forbidden', 'An app password cannot do this. Use the password of the account.');
  try {
    return await logInByPassword(exchange, app, { user, password });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_logged_in') throw error;
    throw new AppError('forbidden', otherwise);
  }
}

/** GET a/app-passwords */
export async function getAppPasswords(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const { accounts } = await serverOf(app.pool, identity);
  const rows = await app.pool.withConnection(identity, (connection) => accounts.listAppPasswords(connection));
  const entries = rows.map(({ id, name, scope, created, used, room }) => ({
    id,
    name,
    scope,
    created,
    ...(used > 0 && { used }),
    ...(room !== '' && { room }),
  }));
  await send(exchange, 200, asJson(entries));
}

const NEW = {
  name: line(MAX_APP_PASSWORD_NAME_BYTES),
  scope: oneOf(...APP_PASSWORD_SCOPES),
  room: unicodeText,
  password: unicodeText,
};

/**
 * POST a/app-passwords → 201 with the secret. A caller with a cookie sends the account's password again, except for a
 * feed: an app password outlives the session, which may have been left open. Throws forbidden, conflict, not_found if
 * the room server has none.
 */
export async function postAppPassword(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const fields = await readJsonFields(exchange, NEW);
  const [name, scope] = [required(fields.name, 'name'), required(fields.scope, 'scope')];
  if ((scope === 'feed') !== (fields.room !== undefined)) {
    throw new AppError('bad_request', 'Scope feed needs a room; other scopes take none.');
  }
  const server = await serverOf(app.pool, caller.identity);
  requireCapability(server, 'appPasswords');
  const make = (connection: Connection) => server.accounts.makeAppPassword(connection, scope, name);
  const { id, secret } =
    fields.room === undefined
      ? await app.pool.withConnection(await confirmed(exchange, app, caller, fields.password), make)
      : await app.pool.visitRoom(caller.identity, await roomOf(exchange, app, caller, fields.room), make);
  const path = `${app.prefix}a/app-passwords/${id}`;
  const query = new URLSearchParams({ user: caller.identity.user, token: secret });
  const feed = fields.room === undefined ? undefined : `${roomPath(app, fields.room)}feed?${query}`;
  await send(exchange, 201, asJson({ id, name, scope, secret, feed }), { Location: path });
}

/** Credentials with the account's password, verified. Throws bad_request, forbidden, too_many_requests. */
async function confirmed(
  exchange: Exchange,
  app: App,
  caller: Caller,
  password: string | undefined,
): Promise<Credentials> {
  const { identity, session } = caller;
  // the room server refuses an app password
  if (!session && identity.password !== undefined && password === undefined) return identity;
  const own = required(password, 'password');
  await confirm(exchange, app, caller, own, 'The password is wrong.');
  return { user: identity.user, password: own };
}

/** DELETE a/app-passwords/:id → 204; it stops working at once. Throws forbidden, not_found. */
export async function deleteAppPassword(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const { id } = exchange.params;
  if (!/^[1-9]\d{0,14}$/.test(id!)) throw new AppError('not_found', 'There is no such app password.');
  const { accounts } = await serverOf(app.pool, identity);
  await app.pool.withConnection(identity, (connection) => accounts.endAppPassword(connection, Number(id)));
  await sendEmpty(exchange, 204);
}
