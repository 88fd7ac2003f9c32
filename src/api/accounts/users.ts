// Users and their profiles; making, changing and removing accounts, for administrators.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { type Caller, userOf } from '../../gateway/caller.ts';
import type { Exchange } from '../../http/exchange.ts';
import { asJson, asPlainText, send, sendEmpty } from '../../http/respond.ts';
import { MAX_USER_NAME_BYTES } from '../../limits/backend.ts';
import { LEVEL } from '../../model.ts';
import { isFieldSafe } from '../../protocol/fields.ts';
import { accountName } from '../../protocol/names.ts';
import type { Identity } from '../../room-server/connection/identity.ts';
import { serverOf } from '../../room-server/driver.ts';
import { requireUserUnlike } from '../../room-server/floors.ts';
import { createUser, findUsers, type ListedUser, setProfile, updateUser } from '../../room-server/users.ts';
import { type Check, line, readJsonFields, readText, required, wholeNumber } from '../request-body.ts';
import { newPassword, requireKept } from './passwords.ts';

/** GET u/?q=text: users whose name contains the text */
export async function getUsers(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const text = exchange.query.get('q') ?? '';
  if (!isFieldSafe(text)) throw new AppError('bad_request', 'q contains a character that cannot be sent.');
  const users = await findUsers(app.pool, identity, text);
  await send(exchange, 200, asJson(users.map(userEntry)));
}

/** GET u/:user/ */
export async function getUser(exchange: Exchange, app: App): Promise<void> {
  const name = userNameOf(exchange);
  const { identity } = await userOf(exchange, app);
  const { bio, hasPicture, ...user } = await profileOf(app, identity, name);
  const picture = hasPicture !== undefined && { has_picture: hasPicture };
  await send(exchange, 200, asJson({ ...userEntry(user), bio, ...picture }));
}

function userEntry({ name, usernum, level, lastCall }: ListedUser) {
  return { name, usernum, axlevel: level, last_call: lastCall };
}

/** GET u/:user/bio */
export async function getBio(exchange: Exchange, app: App): Promise<void> {
  const name = userNameOf(exchange);
  const { identity } = await userOf(exchange, app);
  const { bio } = await profileOf(app, identity, name);
  if (bio === '') throw new AppError('not_found', 'This user has no profile text.');
  await send(exchange, 200, asPlainText(bio));
}

/** PUT u/:user/bio: one's own; an empty text removes it. */
export async function putBio(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  await requireOwnName(exchange, app, identity);
  await setProfile(app.pool, identity, await readText(exchange));
  await sendEmpty(exchange, 204);
}

/** DELETE u/:user/bio: one's own */
export async function deleteBio(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const name = await requireOwnName(exchange, app, identity);
  if ((await profileOf(app, identity, name)).bio === '') {
    throw new AppError('not_found', 'You have no profile text.');
  }
  await setProfile(app.pool, identity, '');
  await sendEmpty(exchange, 204);
}

async function profileOf({ pool }: App, identity: Identity, name: string) {
  return (await serverOf(pool, identity)).accounts.profile(pool, identity, name);
}

/** `:user` of the path. Throws not_found for an impossible name. */
export function userNameOf(exchange: Exchange): string {
  const name = exchange.params.user!;
  if (!isFieldSafe(name)) throw new AppError('not_found', 'No such user.');
  return name;
}

/** The caller's own name, which must be that of the path. Throws forbidden. */
export async function requireOwnName(exchange: Exchange, app: App, identity: Identity): Promise<string> {
  const { name } = await app.pool.identify(identity);
  if (accountName(userNameOf(exchange)) !== accountName(name)) {
    throw new AppError('forbidden', 'You can only change your own profile and picture.');
  }
  return name;
}

/** A name that a room server keeps as it is: it would drop the rest (protocol section 7). */
const userName: Check<string> = (value, field) => {
  const name = line(MAX_USER_NAME_BYTES)(value, field);
  if (!/^[ -~]+$/.test(name) || /[!@_,%]| {2}/.test(name) || !/[a-z0-9]/i.test(name)) {
    throw new AppError(
      'bad_request',
      'A user name needs an ASCII letter or digit, single blanks, and none of ! @ _ , % |.',
    );
  }
  return name;
};

const NEW_USER = { username: userName, password: newPassword };

/** POST u/ → 201 */
export async function postUser(exchange: Exchange, app: App): Promise<void> {
  const caller = await adminOf(exchange, app);
  const fields = await readJsonFields(exchange, NEW_USER);
  const name = required(fields.username, 'username');
  const password = required(fields.password, 'password');
  await requireKept(app, caller, password, 'user');
  await app.pool.withConnection(caller.identity, async (connection) => {
    await requireUserUnlike(connection, name);
    await createUser(connection, name, password);
  });
  await sendEmpty(exchange, 201, { Location: `${app.prefix}u/${encodeURIComponent(name)}/` });
}

const CHANGE = { axlevel: wholeNumber(LEVEL.new, LEVEL.admin), password: newPassword };

/** PATCH u/:user/ → 204; a new password or level ends the sessions of the user. */
export async function patchUser(exchange: Exchange, app: App): Promise<void> {
  const caller = await adminOf(exchange, app);
  const { axlevel: level, password } = await readJsonFields(exchange, CHANGE);
  if (password !== undefined) await requireKept(app, caller, password, 'user');
  const { name, usernum } = await otherUser(exchange, app, caller);
  const change = { ...(level !== undefined && { level }), ...(password !== undefined && { password }) };
  await app.pool.withConnection(caller.identity, (connection) => updateUser(connection, name, change));
  await app.fleet.notices.tell({ about: 'account', usernum });
  await sendEmpty(exchange, 204);
}

/** DELETE u/:user/ → 204 */
export async function deleteUser(exchange: Exchange, app: App): Promise<void> {
  const caller = await adminOf(exchange, app);
  const { name, usernum } = await otherUser(exchange, app, caller);
  // a room server does not delete a user who is logged in
  await app.fleet.notices.tell({ about: 'account', usernum });
  await app.pool.withConnection(caller.identity, (connection) =>
    updateUser(connection, name, { level: LEVEL.deleted }),
  );
  await sendEmpty(exchange, 204);
}

/** Throws not_logged_in, forbidden. */
async function adminOf(exchange: Exchange, app: App): Promise<Caller> {
  const caller = await userOf(exchange, app);
  const { level } = await app.pool.identify(caller.identity);
  if (level < LEVEL.admin) throw new AppError('forbidden', 'Only administrators can do this.');
  return caller;
}

/** Throws not_found, conflict for the caller's own account, so that no administrator is locked out. */
async function otherUser(exchange: Exchange, app: App, { identity }: Caller): Promise<ListedUser> {
  const { accounts } = await serverOf(app.pool, identity);
  const user = await accounts.profile(app.pool, identity, userNameOf(exchange));
  const own = await app.pool.identify(identity);
  if (user.usernum === own.usernum)
    throw new AppError('conflict', 'You cannot change or delete your own account here.');
  return user;
}
