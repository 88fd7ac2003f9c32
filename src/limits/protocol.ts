// Limits of the line protocol and of the client of room servers, each with its reason.

import { KIB, MIB } from './units.ts';

export {
  EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT,
  MAX_CONNECTIONS_PER_ACCOUNT,
  MAX_WAITING_PER_IDENTITY,
} from './settable.ts';

// Line protocol, both sides (protocol section 2)
export const MAX_COMMAND_BYTES = 4095; // longest command line; a real server silently drops the rest
/** longest reply or listing line collected as text; a real server truncates at 1022, message text is streamed */
export const MAX_LINE_BYTES = 64 * KIB;
/** lines of a collected listing (a room of 200,000 messages has as many rows) */
export const MAX_LISTING_LINES = 500_000;
export const MAX_LISTING_BYTES = 64 * MIB; // bytes of a collected listing
export const STREAM_CHUNK_BYTES = 64 * KIB; // bytes read from a socket or file at once when streaming
/** transferred from or to a room server or client before others get their turn */
export const BULK_TURN_BYTES = 256 * KIB;
export const BULK_TURN_MS = 2; // CPU time of that in the gateway if it is text
export const BODY_TURN_MS = 0.5; // CPU time to read as much of a request

/** marks on one letter, as in stream-safe text (Unicode Standard Annex 15): sorting them takes quadratic time */
export const MAX_COMBINING_MARKS = 30;
/** value in a search for a header field: the template line of MSGS has at most 255 bytes */
export const MAX_TEMPLATE_VALUE_BYTES = 240;

/** how long the answer to INFO is cached: operators may replace the room server while the gateway runs */
export const SERVER_KNOWN_MS = 60_000;

/**
 * how long the names of a user's forgotten rooms are cached: a real server takes 8 ms to list them. Older names would
 * show a room as it was before another client forgot it or took it back.
 */
export const FORGOTTEN_ROOMS_CACHE_MS = 60_000;
/** identities whose forgotten rooms are cached for one room server; others are asked for again */
export const MAX_CACHED_FORGOTTEN = 1000;

/** wikis that one room list checks for new pages, with two short reads each; further ones are listed as new */
export const MAX_WIKIS_ASKED = 100;

// Room servers of one gateway
export const MAX_ROOM_SERVERS = 64; // each has its own caches and connections
/** failures that open the circuit: more than the usual number of simultaneous connection attempts */
export const MAX_FAILURES_IN_A_ROW = 5;
/** delay before the first probe, doubled each time up to the second */
export const FIRST_PROBE_MS = 125;
export const LAST_PROBE_MS = 500; // a restarted room server is back within a second

// Pool of connections to the room server
export const MAX_CONNECTIONS = 256; // a real server handles about 1000
/** to the embedded room server, whose sessions are cheap; less than BACKEND_MAX_SESSIONS */
export const EMBEDDED_MAX_CONNECTIONS = 900;
export const MOST_MAX_CONNECTIONS = 900; // highest value of --backend-connections; a real server selects about 1000
export const SLOT_POLL_MS = 10; // how often the first waiting caller checks for an idle connection
/** after a 551 the current number is the limit for this time; sessions of others may have ended then */
export const REFUSED_BOUND_MS = 30_000;
/** share of a room server's sessions (c_maxsessions) that the gateway leaves to others */
export const SESSIONS_LEFT_SHARE = 0.1;
export const MAX_CONNECTIONS_PER_IDENTITY = 8; // some slow downloads and short reads
export const MAX_CONNECTIONS_OF_GUESTS = 64; // many visitors are one identity
/**
 * to the embedded room server, where changes on many connections become durable in one write. At most this share of a
 * process's connections (few with `--workers`), but no less than for other servers
 */
export const EMBEDDED_MAX_CONNECTIONS_PER_IDENTITY = 32;
export const EMBEDDED_SHARE_OF_ONE = 1 / 8;
/** share of a process's connections, however few, that one account or all guests may have */
export const MOST_OF_ONE = 3 / 4;
export const MAX_WAIT_MS = 15_000; // wait for a connection, e.g. during slow downloads, before 503
/** a real server closes idle sessions after 900 s; closing first avoids stale sockets */
export const CONNECTION_IDLE_MS = 60_000;
/** age at which a connection is replaced, so that changed passwords and rights take effect */
export const CONNECTION_MAX_AGE_MS = 120_000;
/** at the embedded room server, which ends sessions when a password changes; a log-in by password costs 240 ms */
export const EMBEDDED_CONNECTION_MAX_AGE_MS = 600_000;
/** a page in the background asks for instant messages at least once a minute */
export const RECEIVER_IDLE_MS = 300_000;
export const CONNECT_TIMEOUT_MS = 10_000;
/** connection attempts in progress to other servers: a real one listens with a backlog of 5, shared with others */
export const MAX_CONNECTING = 4;
/** highest value of --backend-connecting, as MAX_CONNECTIONS */
export const MOST_MAX_CONNECTING = 256;
/** delay before a connect is retried after the backlog was full, doubled each time up to the second */
export const FIRST_RETRY_MS = 10;
export const LAST_RETRY_MS = 250;
/** how long a refused connect is retried: a restarting room server is usually back by then */
export const REFUSED_RETRY_MS = 2_000;
export const MAX_UNIX_PATH_BYTES = 107; // sockaddr_un has 108 bytes on Linux, including the final NUL
export const REPLY_TIMEOUT_MS = 30_000; // silence of the room server while an answer is pending
/** collected binary answer, which is small according to the part list */
export const MAX_COLLECTED_BYTES = MIB;
export const MAX_DRAIN_BYTES = MIB; // remainder of a listing that is discarded instead of closing the connection

// The gateway's own search, used when a room server's full-text index lacks messages (quirk Q57)
/** newest messages scanned per search: a quarter of a second of work for both servers */
export const MAX_SCANNED_MESSAGES = 1000;
/** their total size, including attachments */
export const MAX_SCANNED_BYTES = 16 * MIB;
/** beginning of a message that is scanned: text precedes attachments */
export const MAX_SCANNED_MESSAGE_BYTES = 64 * KIB;
/** time limit, after which the search returns its hits so far */
export const SCAN_MS = 2000;
/** messages fetched at once, some 6 MiB of text in memory */
export const SCANNED_AT_ONCE = 100;
/** message numbers listed at once */
export const MAX_LISTED_AT_ONCE = 100_000;

/** address books of a user scanned for suggestions */
export const MAX_SCANNED_BOOKS = 50;
/** newest cards of all address books */
export const MAX_SCANNED_CARDS = 1000;
/** their total size; fewer with pictures */
export const MAX_SCANNED_CARD_BYTES = 4 * MIB;
/** time limit while a user is typing */
export const SCAN_CARDS_MS = 1000;
/** cached address books, at worst 100 kB each */
export const MAX_CACHED_BOOKS = 200;
/** how long an incompletely read address book is cached */
export const PARTIAL_BOOK_CACHE_MS = 60_000;
