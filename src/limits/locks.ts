// Bounds of WebDAV locks (RFC 4918 section 6): counts, bytes and times that a peer controls, each with its reason.

import { KIB } from './units.ts';

export { MAX_LOCKS, MAX_LOCKS_PER_USER } from './settable.ts';

/** what a client gets that asks for no time; those that know locks refresh theirs every few minutes */
export const DEFAULT_LOCK_SECONDS = 3600;
/** what `Infinite` gets: a client that died keeps others out for a day at most */
export const MAX_LOCK_SECONDS = 24 * 3600;
/** what a client says of who holds the lock: a name, an address, a link */
export const MAX_LOCK_OWNER_BYTES = 2 * KIB;
/** conditions of one If header, all lists together: as many locks as a client can hold on its way through a tree */
export const MAX_IF_CONDITIONS = 100;
/** other resources that an If header names: each is looked for */
export const MAX_IF_RESOURCES = 16;
