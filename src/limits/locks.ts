// Limits of WebDAV locks (RFC 4918 section 6), for what a peer controls, each with its reason.

import { KIB } from './units.ts';

export { MAX_LOCKS, MAX_LOCKS_PER_USER } from './settable.ts';

/** default for clients that request no timeout; others refresh every few minutes */
export const DEFAULT_LOCK_SECONDS = 3600;
/** for `Infinite`: a crashed client blocks others for a day at most */
export const MAX_LOCK_SECONDS = 24 * 3600;
/** the lock owner's description: a name, an address, a link */
export const MAX_LOCK_OWNER_BYTES = 2 * KIB;
/** conditions of an If header: as many locks as a client holds along a path */
export const MAX_IF_CONDITIONS = 100;
/** other resources named in an If header, each of which is looked up */
export const MAX_IF_RESOURCES = 16;
