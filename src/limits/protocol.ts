// Bounds of the line protocol and its client: bytes, counts, depth and time that a peer controls, each with its reason.

import { KIB, MIB } from './units.ts';

export { MAX_CONNECTIONS_PER_ACCOUNT, MAX_WAITING_PER_IDENTITY, OWN_MAX_CONNECTIONS_PER_ACCOUNT } from './settable.ts';

// Line protocol, both sides (protocol section 2)
export const MAX_COMMAND_BYTES = 4095; // longest command line we send; a real server silently drops what follows
/** longest reply or listing line kept as text; a real server cuts its own at 1022, message text is streamed instead */
export const MAX_LINE_BYTES = 64 * KIB;
/** most lines of a listing that is collected in memory (a room of 200,000 messages lists as many rows) */
export const MAX_LISTING_LINES = 500_000;
export const MAX_LISTING_BYTES = 64 * MIB; // most bytes of a listing that is collected in memory
export const STREAM_CHUNK_BYTES = 64 * KIB; // bytes asked from a socket or a file at once when streaming
/** read from the room server or a client, or sent to it, before others have their turn */
export const BULK_TURN_BYTES = 256 * KIB;
export const BULK_TURN_MS = 2; // what that takes the gateway where it is a text, with all that is done to the bytes
export const BODY_TURN_MS = 0.5; // to read so much of a request

/**
 * marks on one letter, more than any language has (Unicode Standard Annex 15, stream-safe text, has the same bound): to
 * put them in order takes quadratic time
 */
export const MAX_COMBINING_MARKS = 30;
/** value of a header field by which messages are found: the template line of MSGS has at most 255 bytes */
export const MAX_TEMPLATE_VALUE_BYTES = 240;

/** what kind of room server it is: an operator exchanges it once in a while, with the gateway running or not */
export const SERVER_KNOWN_MS = 60_000;

/**
 * wikis with new messages for which one list of rooms asks whether these are pages, two short questions each; further
 * ones are listed as new
 */
export const MAX_WIKIS_ASKED = 100;

// Room servers of one gateway
export const MAX_ROOM_SERVERS = 64; // each brings caches and connections of its own
/** a room server that has failed so often in a row is not asked any more: more than connect at once by chance */
export const MAX_FAILURES_IN_A_ROW = 5;
/** pause before such a server is asked whether it answers again; doubled each time up to the second */
export const FIRST_PROBE_MS = 125;
export const LAST_PROBE_MS = 500; // who restarts a room server has it back within a second

// Pool of connections to the room server
export const MAX_CONNECTIONS = 256; // connections in all; a real server handles about 1000
/** the same to the embedded room server, whose sessions cost little; less than BACKEND_MAX_SESSIONS */
export const OWN_MAX_CONNECTIONS = 900;
export const MOST_MAX_CONNECTIONS = 900; // highest value of --backend-connections; a real server selects about 1000
export const PLACE_CHECK_MS = 10; // the first of those that wait for a connection looks this often whether one is idle
/**
 * after a 551 no more connections are opened than there were, for this time: sessions of others may have ended then
 */
export const REFUSED_BOUND_MS = 30_000;
/** of the sessions that a room server takes (c_maxsessions) the gateway leaves this share to others */
export const SESSIONS_LEFT_SHARE = 0.1;
export const MAX_CONNECTIONS_PER_IDENTITY = 8; // connections of one identity: some slow downloads beside short reads
export const MAX_CONNECTIONS_OF_GUESTS = 64; // of all who have not logged in: many visitors, one identity
/**
 * the same to the embedded room server: what comes on so many at the same time becomes durable in one write. Of all
 * connections of a process, which `--workers` makes few, no more than this share, or what there is at another one
 */
export const OWN_MAX_CONNECTIONS_PER_IDENTITY = 32;
export const OWN_SHARE_OF_ONE = 1 / 8;
/** of all connections of a process, however few, this share at most for an account, or for the guests */
export const MOST_OF_ONE = 3 / 4;
export const MAX_WAIT_MS = 15_000; // wait for a connection that others hold, e.g. for slow downloads, before 503
/** a real server closes idle sessions after 900 s; closing first avoids stale sockets */
export const CONNECTION_IDLE_MS = 60_000;
/** after this a connection logs in anew, so that changed passwords and rights are noticed */
export const CONNECTION_MAX_AGE_MS = 120_000;
/**
 * the same at the embedded room server, which ends a user's sessions when the password changes, and where a log-in by
 * password costs 240 ms
 */
export const OWN_CONNECTION_MAX_AGE_MS = 600_000;
/** a page in the background asks for instant messages once a minute at least */
export const RECEIVER_IDLE_MS = 300_000;
export const CONNECT_TIMEOUT_MS = 10_000;
/** connects under way to a server that is not ours: a real one listens with a backlog of 5, and others connect, too */
export const MAX_CONNECTING = 4;
/** highest value of --backend-connecting: no more than MAX_CONNECTIONS come at once */
export const MOST_MAX_CONNECTING = 256;
/** pause before a connect that found no place in the backlog is tried again; doubled each time up to the second */
export const FIRST_RETRY_MS = 10;
export const LAST_RETRY_MS = 250;
/** a refused connect is tried again for this time: a room server that restarts is mostly back by then */
export const REFUSED_RETRY_MS = 2_000;
export const MAX_UNIX_PATH_BYTES = 107; // sockaddr_un holds 108 bytes on Linux, the closing NUL included
export const REPLY_TIMEOUT_MS = 30_000; // silence of the room server while it owes an answer
/** binary answer that is collected rather than streamed: small by the part list that announced it */
export const MAX_COLLECTED_BYTES = MIB;
export const MAX_DRAIN_BYTES = MIB; // rest of a listing that is read to its end rather than dropping the connection
