// Users, and the texts that they write about themselves.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { userOf } from '../../gateway/caller.ts';
import type { Exchange } from '../../http/exchange.ts';
import { asJson, asPlainText, send, sendEmpty } from '../../http/respond.ts';
import { isFieldSafe } from '../../protocol/fields.ts';
import type { Identity } from '../../room-server/connection/identity.ts';
import { serverOf } from '../../room-server/driver.ts';
import { findUsers, type ListedUser, setProfile } from '../../room-server/users.ts';
import { readText } from '../text-body.ts';
import { requireOwnName, userNameOf } from './user-names.ts';

/** GET u/?q=text: the users, or those whose name contains the text */
export async function getUsers(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const text = exchange.query.get('q') ?? '';
  if (!isFieldSafe(text)) throw new AppError('bad_request', 'q holds a character that cannot be sent.');
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
  if (bio === '') throw new AppError('not_found', 'This user has written nothing about himself.');
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
    throw new AppError('not_found', 'You have written nothing about yourself.');
  }
  await setProfile(app.pool, identity, '');
  await sendEmpty(exchange, 204);
}

async function profileOf({ pool }: App, identity: Identity, name: string) {
  return (await serverOf(pool, identity)).accounts.profile(pool, identity, name);
}
