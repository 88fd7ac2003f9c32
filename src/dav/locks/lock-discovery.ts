// The properties lockdiscovery and supportedlock (RFC 4918 sections 15.8 and 15.10).

import type { WriteLock } from '../../fleet/locks.ts';
import { encodedPath } from '../../gateway/folder/path.ts';
import type { RoomLocks } from '../../gateway/locking/room-locks.ts';
import { MAX_LOCK_OWNER_BYTES } from '../../limits/locks.ts';
import type { Resource } from '../resource.ts';
import { element, type Markup, readAgain, writtenElement } from '../xml-write.ts';

const WRITE = element('D:locktype', element('D:write'));

/** What every room and member can have. */
export const SUPPORTED_LOCK = element(
  'D:supportedlock',
  ...['D:exclusive', 'D:shared'].map((scope) => element('D:lockentry', element('D:lockscope', element(scope)), WRITE)),
);

/** The locks on one resource. `hrefOf`: the address of what was locked, by its name. */
export function lockDiscovery(locks: readonly WriteLock[], hrefOf: (name: string) => string): Markup {
  return element('D:lockdiscovery', ...locks.map((lock) => activeLock(lock, hrefOf(lock.name))));
}

/** The same resource with the locks on it. `name`: what they call it, `roomHref`: of the room that it lies in. */
export function withLocks(resource: Resource, locks: RoomLocks, name: string, roomHref: string): Resource {
  const covering = locks.covering(name);
  if (covering.length === 0) return resource;
  return { ...resource, locks: lockDiscovery(covering, (root) => `${roomHref}${encodedPath(root)}`) };
}

/** A deep lock is told of every member of a long list. */
const OWNERS = new WeakMap<WriteLock, Markup | undefined>();

function ownerOf(lock: WriteLock): Markup | undefined {
  return OWNERS.getOrInsertComputed(lock, ({ ownerXml }) => {
    const owner = readAgain(ownerXml);
    return owner && writtenElement(owner, MAX_LOCK_OWNER_BYTES);
  });
}

function activeLock(lock: WriteLock, root: string): Markup {
  const { token, isShared, isDeep, until } = lock;
  const owner = ownerOf(lock);
  const seconds = Math.max(0, Math.round(until - Date.now() / 1000));
  return element(
    'D:activelock',
    WRITE,
    element('D:lockscope', element(isShared ? 'D:shared' : 'D:exclusive')),
    element('D:depth', isDeep ? 'infinity' : '0'),
    ...(owner ? [owner] : []),
    element('D:timeout', `Second-${seconds}`),
    element('D:locktoken', element('D:href', token)),
    element('D:lockroot', element('D:href', root)),
  );
}
