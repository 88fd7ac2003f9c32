// Bounds of the gateway's own search, beside a room server whose full-text index lacks messages (quirk Q57): messages,
// bytes and time that other people control, each with its reason.

import { KIB, MIB } from './units.ts';

/**
 * newest messages that one search looks through: a quarter of a second's work of both servers where they are ordinary
 * mail
 */
export const MAX_LOOKED_MESSAGES = 1000;
/** what they have in all, attachments included, which come along */
export const MAX_LOOKED_BYTES = 16 * MIB;
/** beginning of a message that is looked at: its text stands before its attachments */
export const MAX_LOOKED_MESSAGE_BYTES = 64 * KIB;
/** then nothing more is read, and the search answers with its hits so far: people do not wait longer */
export const LOOK_MS = 2000;
/** messages asked for in one write, some 6 MiB of text at most in memory */
export const LOOKED_AT_ONCE = 100;
/** message numbers, of some rooms, that are listed in one go */
export const MAX_LISTED_AT_ONCE = 100_000;

/** address books of one user that are looked through for suggestions */
export const MAX_LOOKED_BOOKS = 50;
/** newest cards of all his address books */
export const MAX_LOOKED_CARDS = 1000;
/** what they have in all; of those with pictures fewer */
export const MAX_LOOKED_CARD_BYTES = 4 * MIB;
/** somebody waits for suggestions while he types */
export const LOOK_AT_CARDS_MS = 1000;
/** address books whose people are kept until something changes there, a hundred kB each at worst */
export const MAX_KEPT_BOOKS = 200;
/** one that could not be read whole is read again after this time, and not at each letter that is typed */
export const PART_OF_BOOK_KEPT_MS = 60_000;
