// Limits of HTTP: connections, requests, answers, event streams and the rendering of messages, each with its reason.

import { KIB, MIB } from './units.ts';

export {
  ANONYMOUS_BODY_WAIT_MS,
  BODY_WAIT_MS,
  EVENTS_KEEP_ALIVE_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_EVENT_STREAMS_PER_USER,
  MAX_KEPT_READING_BYTES,
  MAX_KEPT_REPLIES_BYTES,
  MAX_OUTGOING_BYTES,
  MAX_PIPELINED_REQUESTS,
  MAX_WAITING_OUTGOING_BYTES,
  MAX_WAITING_RENDERINGS,
  MAX_WAITING_RENDERINGS_PER_CALLER,
  STALL_TIMEOUT_MS,
} from './settable.ts';

// HTTP
/** connections of clients: all event streams, as many that download or wait, and some; each costs about 20 KiB */
export const MAX_HTTP_CONNECTIONS = 5000;
/** the highest that an operator may set: what a process has descriptors and memory for */
export const MOST_MAX_HTTP_CONNECTIONS = 100_000;
/** as many requests may be under way to one of several room servers: where it hangs, the others have the other half */
export const SHARE_OF_ONE_SERVER = 0.5;
export const MAX_REQUESTS_OF_ONE_SERVER = MAX_HTTP_CONNECTIONS * SHARE_OF_ONE_SERVER;
/** of one client, or its requests under way behind a trusted proxy: a large office has one address, not all places */
export const MAX_HTTP_CONNECTIONS_PER_ADDRESS = 1000;
/** refused connections that get an answer (503, 429) before they are closed; further ones are closed at once */
export const MAX_REFUSED_CONNECTIONS = 100;
/**
 * a full house gives the place of one that waited this long for its client to a new one: an honest client sends at once
 */
export const DISPLACE_AFTER_MS = 2000;
/** who has waited longest is known to so much: much less than a client takes for its next request, or a person */
export const WAITING_ORDER_MS = 100;
export const MAX_HEADER_BYTES = 16 * KIB; // request line and header fields together (node's own bound)
export const MAX_HEADER_COUNT = 100;
export const MAX_URL_BYTES = 8 * KIB;
export const MAX_PATH_SEGMENTS = 64; // more than any route has
export const MAX_QUERY_PARAMETERS = 100; // more than any route reads
export const MAX_COOKIE_COUNT = 50; // other programs on the same host set some, too
/** browsers remember for this time what scripts of a named origin may send; some cut it to two hours */
export const PREFLIGHT_SECONDS = 7200;
export const FEED_ENTRIES = 20; // each is read for itself; readers ask every hour, and keep what they have seen
/** text of one entry of a feed; a longer one is to be read at its page */
export const MAX_FEED_TEXT_BYTES = 256 * KIB;
export const MAX_SMALL_BODY_BYTES = 64 * KIB; // JSON, forms, login bodies
export const MAX_TEXT_BODY_BYTES = 256 * KIB; // room banner, user profile
export const MAX_TEXT_LINE_SENT_BYTES = 4000; // a line of a banner or profile; a real server cuts at 4095 bytes
export const MAX_INSTANT_MESSAGE_LINE_BYTES = 1000; // a line of an instant message; a real server cuts at 1023 bytes
/** messages that are marked, moved or deleted in one request, some seconds where each is large */
export const MAX_CHANGED_MESSAGES = 500;
/** rooms that a/news looks into, one after the other: what a first page shows */
export const MAX_NEWS_ROOMS = 20;
export const MAX_NEWS_MESSAGES = 10; // of each
export const MAX_BODY_BYTES = 512 * MIB; // a PUT message or an uploaded request as a whole; --max-body sets another
/** the highest value of it: the embedded room server keeps no larger message, and users have twice that on the disk */
export const MOST_MAX_BODY_BYTES = 1024 * MIB;
export const MAX_PICTURE_BYTES = 4 * MIB; // user and room pictures
export const SPOOL_MEMORY_BYTES = 64 * KIB; // a body up to this size is kept in memory, a larger one on disk
/** of an upload that is still coming, the disk gets so much at a time: some 100 ms of it are left for the end */
export const SYNC_AHEAD_BYTES = 32 * MIB;
/** bodies of one account that lie on disk at the same time until the room server has them; --max-spool sets another */
export const MAX_SPOOLED_BYTES_PER_USER = 2048 * MIB;
/** the highest value of it, and of the space for uploads: a disk */
export const MOST_MAX_SPACE_BYTES = 1024 * 1024 * MIB;
/** bytes of a refused body that are read away before the connection is closed, so that the client sees the answer */
export const MAX_DISCARD_BYTES = 256 * KIB;
/** so many bytes make up for a second of waiting: slower than any network that still works, and no trickle */
export const MIN_BODY_BYTES_PER_SECOND = KIB;
/** how often it is looked whether header fields take longer than HEADERS_TIMEOUT_MS */
export const HEADERS_CHECK_MS = 5000;
/** a TLS handshake has ended by then: two round trips, and some lost packets of a telephone */
export const TLS_HANDSHAKE_TIMEOUT_MS = 10_000;
/** how often it is looked whether the files of the certificate have changed */
export const CERTIFICATE_CHECK_MS = 10_000;
/** a certificate that expires sooner is told of each day: those that renew themselves are replaced a month before */
export const CERTIFICATE_WARNING_DAYS = 14;
/** browsers are told to come by TLS only: who comes daily is kept from others' networks, a mistake is over tomorrow */
export const DEFAULT_HSTS_DAYS = 1;
/** the longest that browsers may be told to come by TLS only: two years, as the lists in browsers want it, and more */
export const MAX_HSTS_DAYS = 3650;
/** a whole answer up to this size is not counted: those of one address come to 64 MiB at most */
export const MAX_UNCOUNTED_ANSWER_BYTES = 64 * KIB;
/** responses to requests that arrived together, sent in one go */
export const MAX_RESPONSES_TOGETHER = 64;
export const OUTGOING_WAIT_MS = 15_000; // then 503, as for a connection to the room server
/** a request works so long at a stretch, then others have their turn */
export const REQUEST_TURN_MS = 2;
export const SHORT_WORK_MS = 10; // what works longer in all rests while others ask for something short
export const WORK_RESTS = 3; // so many times as long as it worked; less than what moves bytes: it is waited for
/** a larger answer goes out in pieces, of which TLS makes others before the client has taken them */
export const OUTGOING_PIECE_BYTES = 512 * KIB;
/** larger answers that are packed at the same time, one a thread of node's pool; others go as they are */
export const MAX_PACKED_AT_ONCE = 4;
/** rows that the room server gave as one answer: up to here their JSON is made once for all who ask at the same time */
export const MAX_WHOLE_LIST_ROWS = 5000;
export const MAX_FORMATTED_DATES = 10_000; // of messages and files, as Last-Modified has them
/** answers that are packed as they are made, each with up to 2 MiB of the packer's memory; others go as they are */
export const MAX_PACKED_STREAMS = 16;
/** a connection with unread bytes stays open this long before it is closed, so that the client can read the answer */
export const LINGER_TIMEOUT_MS = 2000;
/** running requests may finish after SIGTERM; less than the 10 s after which container engines kill */
export const DEFAULT_DRAIN_SECONDS = 8;
/** the longest that an operator may give them: an hour of a large download on a slow line */
export const MAX_DRAIN_SECONDS = 3600;
/** one answer that is kept, with its address */
export const MAX_KEPT_REPLY_BYTES = 64 * KIB;
export const KEPT_REPLY_BYTES = 1000; // what one takes beside its body and its address
/** static files up to this size are kept in memory, with their packed forms */
export const MAX_KEPT_STATIC_FILE_BYTES = 512 * KIB;
export const MAX_KEPT_STATIC_BYTES = 16 * MIB; // of one folder: the web client and the guide have less than 4
/** a file that has been looked at is looked at again after this time: who replaces one sees it so soon */
export const STATIC_LOOK_MS = 1000;
export const MIN_COMPRESS_BYTES = KIB; // smaller answers are not worth compressing
export const MAX_COMPRESS_BYTES = 4 * MIB; // larger answers are sent as they are: packing them would stall others

// multipart/form-data (RFC 7578)
export const MAX_BOUNDARY_BYTES = 70; // RFC 2046 section 5.1.1
/** blanks behind a delimiter: RFC 2046 allows a mail gateway to add some, nobody does */
export const MAX_DELIMITER_PADDING_BYTES = 64;
export const MAX_PART_HEADER_BYTES = 16 * KIB;
export const MAX_PART_HEADER_COUNT = 32;
export const MAX_PARTS = 200;
export const MAX_FILE_NAME_BYTES = 255;

// Event streams
export const MAX_EVENT_STREAMS = 2000; // each is an open connection
/** poll interval for a room server without notices, per user with a stream: changes appear within two seconds */
export const EVENTS_POLL_MS = 1500;
/** poll interval for a room server with notices; less than CONNECTION_IDLE_MS, to keep the connection open */
export const EVENTS_CHECK_MS = 45_000;
export const EVENTS_RETRY_MS = 1000; // after the connection with notices was lost
/** state of a user's rooms is cached this long after the last stream, for reloads */
export const EVENTS_LINGER_MS = 10_000;
export const EVENTS_RECONNECT_MS = 3000; // reconnect delay for clients
/** clients whose stream ends with the server reconnect at random times within this period */
export const EVENTS_SPREAD_MS = 5000;
export const MAX_EVENT_NUMBERS = 1000; // message numbers per event and per watched room

// Instant messages to be fetched
/** dropped if the recipient was inactive this long: twice as long as a session at the room server lasts */
export const INSTANT_KEPT_MS = 600_000;
export const MAX_INSTANT_BOXES = 10_000; // sessions or users with instant messages
export const MAX_WAITING_INSTANT_CHARS = 32 * 1024 * 1024; // of all texts; the oldest boxes are dropped
/** fetched messages remembered per box, to recognize duplicates from other gateways */
export const MAX_TAKEN_INSTANTS = 1000;

// Rendering of messages: threads, time, memory and waiting
/** smaller messages are rendered on the main thread: 0.3 to 1.2 ms, at worst 9; a thread would add 0.2 */
export const MAX_RENDERED_IN_PLACE_BYTES = 8 * KIB;
/** smaller calendar objects and cards are checked on the main thread: a third of a millisecond, at worst one */
export const MAX_CHECKED_IN_PLACE_BYTES = 32 * KIB;
/** JSON of one message; personal mail stays below 1 MiB. A longer one is truncated */
export const MAX_READING_BYTES = 8 * MIB;
/** half of the CPUs, to leave the rest to the gateway; at least two, so that one message does not block others */
export const MIN_RENDER_THREADS = 2;
export const MAX_RENDER_THREADS = 4;
/** niceness of the threads relative to the gateway: a third of the CPU share, so rendering ends in time under load */
export const RENDER_NICENESS = 5;
/**
 * a thread pauses this many times as long as it worked while the gateway has other requests; by priority alone, each of
 * them would wait some milliseconds for the scheduler
 */
export const RENDER_RESTS = 5;
export const MAX_RENDER_REST_MS = 500;
/** heap of one thread; 4 MiB of the worst HTML take a fifth */
export const MAX_RENDER_HEAP_MIB = 512;
/** the thread is terminated after this time; the worst known messages take 3 seconds on a slow machine */
export const RENDER_TIMEOUT_MS = 10_000;
/** messages being fetched or rendered, and so in memory */
export const MAX_RENDERINGS = 16;
/** of these for one caller */
export const MAX_RENDERINGS_PER_CALLER = 4;
export const RENDER_WAIT_MS = 15_000; // then 503, as for a connection to the room server
/** memory of a cache entry besides its text: key, map, buffer */
export const READING_OVERHEAD_BYTES = 512;
