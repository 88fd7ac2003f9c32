// Limits of the gateway's own search, used when a room server's full-text index lacks messages (quirk Q57), each with
// its reason.

import { KIB, MIB } from './units.ts';

/** newest messages scanned per search: a quarter of a second of work for both servers */
export const MAX_LOOKED_MESSAGES = 1000;
/** their total size, including attachments */
export const MAX_LOOKED_BYTES = 16 * MIB;
/** beginning of a message that is scanned: text precedes attachments */
export const MAX_LOOKED_MESSAGE_BYTES = 64 * KIB;
/** time limit, after which the search returns its hits so far */
export const LOOK_MS = 2000;
/** messages fetched at once, some 6 MiB of text in memory */
export const LOOKED_AT_ONCE = 100;
/** message numbers listed at once */
export const MAX_LISTED_AT_ONCE = 100_000;

/** address books of a user scanned for suggestions */
export const MAX_LOOKED_BOOKS = 50;
/** newest cards of all address books */
export const MAX_LOOKED_CARDS = 1000;
/** their total size; fewer with pictures */
export const MAX_LOOKED_CARD_BYTES = 4 * MIB;
/** time limit while a user is typing */
export const LOOK_AT_CARDS_MS = 1000;
/** cached address books, at worst 100 kB each */
export const MAX_KEPT_BOOKS = 200;
/** how long an incompletely read address book is cached */
export const PART_OF_BOOK_KEPT_MS = 60_000;
