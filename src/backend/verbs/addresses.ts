// AGEA and ASEA: the mail addresses of a user (protocol section 18.2).

import { MAX_ADDRESS_LOCAL_BYTES, MAX_INFO_TEXT_BYTES, MAX_USER_ADDRESSES } from '../../limits/backend.ts';
import { nameKey, splitAddress } from '../../protocol/names.ts';
import { collectText } from '../session/collect.ts';
import { askText, listing, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { addressesOf, userAt } from '../store/addresses.ts';
import type { StoredUser } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { isOwnDomain, userById, userNamed } from '../store/users.ts';

/** RFC 5321 section 4.1.2, Dot-string */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** `AGEA name` → listing of addresses; 570 */
export function agea({ store }: Session, args: string): Reply {
  const user = userNamed(store, args.split('|')[0]!);
  return listing(`internet email addresses for ${user.name}`, `${addressesOf(store, user).join('\n')}\n`);
}

/**
 * `ASEA name`: 400, then one address a line, instead of those there were; without any, the one made from the name. What is
 * no address of this server, or means somebody else, is left out. 570
 */
export function asea({ store }: Session, args: string): Reply {
  const user = userNamed(store, args.split('|')[0]!);
  return {
    reply: askText('Ok'),
    text: collectText(MAX_INFO_TEXT_BYTES, (text) => {
      if (text === undefined || userById(store, user.id) !== user) return '';
      const wanted = text.split('\n').map((line) => nameKey(line.trim()));
      store.transaction(() => {
        store.prepare('DELETE FROM user_address WHERE user = ?').run(user.id);
        const fitting = [...new Set(wanted)].filter((address) => isFree(store, user, address));
        const insert = store.prepare('INSERT INTO user_address (address, user, position) VALUES (?, ?, ?)');
        for (const [position, address] of fitting.slice(0, MAX_USER_ADDRESSES).entries()) {
          insert.run(address, user.id, position);
        }
      });
      return '';
    }),
  };
}

function isFree(store: Store, user: StoredUser, address: string): boolean {
  const { local, domain } = splitAddress(address);
  if (domain === undefined || !isOwnDomain(store, domain)) return false;
  if (!LOCAL_PART.test(local) || local.length > MAX_ADDRESS_LOCAL_BYTES) return false;
  if (/^(room_.*|sysop)$/.test(local) || local.includes('|')) return false;
  const owner = userAt(store, address);
  return owner === undefined || owner === user;
}
