// Mail addresses of users: the one made from the name, or those that an administrator has given (ASEA).

import { accountName, nameKey, splitAddress } from '../../protocol/names.ts';
import type { StoredUser } from './records.ts';
import type { Store } from './store.ts';
import { addressOf, findUser, isOwnDomain, userById } from './users.ts';

/** The main one first. */
export function addressesOf(store: Store, user: StoredUser): readonly string[] {
  const cache = store.caches.givenAddresses;
  let given = cache.get(user.id);
  if (!given) {
    const rows = store.prepare('SELECT address FROM user_address WHERE user = ? ORDER BY position').all(user.id);
    given = rows.map(({ address }) => String(address));
    cache.set(user.id, given);
  }
  return given.length === 0 ? [addressOf(store, user)] : given;
}

/** Instead of those there were; without any, the one made from the name. Inside a transaction only. */
export function giveAddresses(store: Store, user: StoredUser, addresses: readonly string[]): void {
  store.prepare('DELETE FROM user_address WHERE user = ?').run(user.id);
  const insert = store.prepare('INSERT INTO user_address (address, user, position, account) VALUES (?, ?, ?, ?)');
  for (const [position, address] of addresses.entries()) insert.run(address, user.id, position, accountName(address));
  const forget = () => store.caches.givenAddresses.clear();
  forget();
  store.onRollback(forget);
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
