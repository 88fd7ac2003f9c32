// The user that a path names.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import type { Exchange } from '../../http/exchange.ts';
import { isFieldSafe } from '../../protocol/fields.ts';
import { accountName } from '../../protocol/names.ts';
import type { Identity } from '../../room-server/connection/identity.ts';

/** `:user` of the path. Throws not_found for what cannot be a name. */
export function userNameOf(exchange: Exchange): string {
  const name = exchange.params.user!;
  if (!isFieldSafe(name)) throw new AppError('not_found', 'No such user.');
  return name;
}

/** The caller's own name, which has to be that of the path. Throws forbidden. */
export async function requireOwnName(exchange: Exchange, app: App, identity: Identity): Promise<string> {
  const { name } = await app.pool.identify(identity);
  if (accountName(userNameOf(exchange)) !== accountName(name)) {
    throw new AppError('forbidden', 'You can only change what is your own.');
  }
  return name;
}
