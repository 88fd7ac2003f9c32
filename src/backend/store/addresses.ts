// Mail addresses of users: the one made from the name, or those that an administrator has given (ASEA).

import { nameKey, splitAddress } from '../../protocol/names.ts';
import type { StoredUser } from './records.ts';
import type { Store } from './store.ts';
import { addressOf, findUser, isOwnDomain, userById } from './users.ts';

/** The main one first. */
export function addressesOf(store: Store, user: StoredUser): string[] {
  const rows = store.prepare('SELECT address FROM user_address WHERE user = ? ORDER BY position').all(user.id);
  return rows.length > 0 ? rows.map((row) => String(row.address)) : [addressOf(store, user)];
}

/** The address that mail of this user comes from. */
export function mainAddressOf(store: Store, user: StoredUser): string {
  return addressesOf(store, user)[0]!;
}

/** The user with this address of this server, or the name it is made of; undefined for other domains. */
export function userAt(store: Store, address: string): StoredUser | undefined {
  const { domain } = splitAddress(address);
  if (domain === undefined || !isOwnDomain(store, domain)) return undefined;
  const row = store.prepare('SELECT user FROM user_address WHERE address = ?').get(nameKey(address));
  return row ? userById(store, Number(row.user)) : findUser(store, address);
}
