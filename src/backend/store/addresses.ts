// Mail addresses of users: the one made from the name, or those that an administrator has given (ASEA).

import { nameKey, splitAddress } from '../../protocol/names.ts';
import type { StoredUser } from './records.ts';
import type { Store } from './store.ts';
import { addressOf, findUser, isOwnDomain, userById } from './users.ts';

/** The main one first. */
export function addressesOf(store: Store, user: StoredUser): string[] {
  // who has none, as most, would pay for SQLite's sorting of them
  const rows = store.prepare('SELECT address, position FROM user_address WHERE user = ?').all(user.id);
  if (rows.length === 0) return [addressOf(store, user)];
  return rows.sort((a, b) => Number(a.position) - Number(b.position)).map((row) => String(row.address));
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
