// a/app-passwords: one's own, for programs; and those of feeds, each of one room. The secret is in the answer that
// makes one, and nowhere else.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { type Caller, userOf } from '../../gateway/caller.ts';
import { roomPath } from '../../gateway/paths.ts';
import { roomOf } from '../../gateway/request-room.ts';
import type { Exchange } from '../../http/exchange.ts';
import { asJson, send, sendEmpty } from '../../http/respond.ts';
import { MAX_APP_PASSWORD_NAME_BYTES } from '../../limits/sessions.ts';
import { APP_PASSWORD_SCOPES } from '../../model.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import type { Credentials } from '../../room-server/connection/identity.ts';
import { serverOf } from '../../room-server/driver.ts';
import { requireCapability } from '../../room-server/server.ts';
import { line, oneOf, readJsonFields, required, unicodeText } from '../json-fields.ts';
import { confirm } from './passwords.ts';

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
 * POST a/app-passwords → 201 with the secret. Who has logged in by cookie gives the account's password once more, but
 * for a feed: what one makes outlives the session, which may have been left open. Throws forbidden, conflict, not_found
 * where the room server has none.
 */
export async function postAppPassword(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const fields = await readJsonFields(exchange, NEW);
  const [name, scope] = [required(fields.name, 'name'), required(fields.scope, 'scope')];
  if ((scope === 'feed') !== (fields.room !== undefined)) {
    throw new AppError('bad_request', 'A feed takes a room, and nothing else does.');
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

/** Who has just shown that he knows the account's password. Throws bad_request, forbidden, too_many_requests. */
async function confirmed(
  exchange: Exchange,
  app: App,
  caller: Caller,
  password: string | undefined,
): Promise<Credentials> {
  const { identity, session } = caller;
  // the room server refuses what an app password asks for
  if (!session && identity.password !== undefined && password === undefined) return identity;
  const own = required(password, 'password');
  await confirm(exchange, app, caller, own, 'The password is wrong.');
  return { user: identity.user, password: own };
}

/** DELETE a/app-passwords/:id → 204; nothing can be done with it from then on. Throws forbidden, not_found. */
export async function deleteAppPassword(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const { id } = exchange.params;
  if (!/^[1-9]\d{0,14}$/.test(id!)) throw new AppError('not_found', 'There is no such app password.');
  const { accounts } = await serverOf(app.pool, identity);
  await app.pool.withConnection(identity, (connection) => accounts.endAppPassword(connection, Number(id)));
  await sendEmpty(exchange, 204);
}
