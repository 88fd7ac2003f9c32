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
/** all event streams, as many downloads and waiting clients, and some more; each costs about 20 KiB */
export const MAX_HTTP_CONNECTIONS = 5000;
/** highest value of --max-connections: descriptors and memory of a process */
export const MOST_MAX_HTTP_CONNECTIONS = 100_000;
/** share of requests to one of several room servers: if it hangs, the others have the other half */
export const SHARE_OF_ONE_SERVER = 0.5;
export const MAX_REQUESTS_OF_ONE_SERVER = MAX_HTTP_CONNECTIONS * SHARE_OF_ONE_SERVER;
/** or requests in progress behind a trusted proxy: a large office has one address */
export const MAX_HTTP_CONNECTIONS_PER_ADDRESS = 1000;
/** rejected connections that get an answer (503, 429); further ones are closed at once */
export const MAX_REFUSED_CONNECTIONS = 100;
/** when full, a connection that waited this long for its client is replaced: honest clients send at once */
export const DISPLACE_AFTER_MS = 2000;
/** resolution of that waiting time: much less than a client's delay between requests */
export const WAITING_ORDER_MS = 100;
export const MAX_HEADER_BYTES = 16 * KIB; // request line and header fields (node's own limit)
export const MAX_HEADER_COUNT = 100;
export const MAX_URL_BYTES = 8 * KIB;
export const MAX_PATH_SEGMENTS = 64; // more than any route has
export const MAX_QUERY_PARAMETERS = 100; // more than any route reads
export const MAX_COOKIE_COUNT = 50; // other programs on the same host set some, too
export const PREFLIGHT_SECONDS = 7200; // how long browsers cache CORS preflights; some limit it to two hours
export const FEED_ENTRIES = 20; // each is read separately; feed readers poll hourly and keep old entries
export const MAX_FEED_TEXT_BYTES = 256 * KIB; // text of one entry; longer ones are truncated
export const MAX_SMALL_BODY_BYTES = 64 * KIB; // JSON, forms, login bodies
export const MAX_TEXT_BODY_BYTES = 256 * KIB; // room banner, user profile
export const MAX_TEXT_LINE_SENT_BYTES = 4000; // a line of a banner or profile; a real server cuts at 4095 bytes
export const MAX_INSTANT_MESSAGE_LINE_BYTES = 1000; // a line of an instant message; a real server cuts at 1023 bytes
/** marked, moved or deleted in one request, which takes some seconds for large ones */
export const MAX_CHANGED_MESSAGES = 500;
export const MAX_NEWS_ROOMS = 20; // rooms read by a/news, one after the other: a first page
export const MAX_NEWS_MESSAGES = 10; // per room
export const MAX_BODY_BYTES = 512 * MIB; // a PUT message or an uploaded request as a whole; --max-body sets another
/** highest value of --max-body: the limit of the embedded room server; users have twice that on disk */
export const MOST_MAX_BODY_BYTES = 1024 * MIB;
export const MAX_PICTURE_BYTES = 4 * MIB; // user and room pictures
export const SPOOL_MEMORY_BYTES = 64 * KIB; // larger bodies are spooled on disk
/** an upload is synced to disk in such steps, so that the final sync takes some 100 ms */
export const SYNC_AHEAD_BYTES = 32 * MIB;
/** bodies of one account at the same time, each with a descriptor and up to SPOOL_MEMORY_BYTES: some sync programs */
export const MAX_SPOOLED_BODIES_PER_USER = 100;
/** bodies of one account on disk until the room server has them; --max-spool */
export const MAX_SPOOLED_BYTES_PER_USER = 2048 * MIB;
export const MOST_MAX_SPACE_BYTES = 1024 * 1024 * MIB; // highest value of --max-spool and --max-upload-space: a disk
/** of a refused body, read and discarded so that the client sees the answer */
export const MAX_DISCARD_BYTES = 256 * KIB;
/** bytes that make up for a second of waiting: slower than any working network */
export const MIN_BODY_BYTES_PER_SECOND = KIB;
export const HEADERS_CHECK_MS = 5000; // how often HEADERS_TIMEOUT_MS is checked
export const TLS_HANDSHAKE_TIMEOUT_MS = 10_000; // two round trips and some lost packets of a phone
export const CERTIFICATE_CHECK_MS = 10_000; // how often the certificate files are checked for changes
/** daily warning before expiry; automatic renewal is usually a month before */
export const CERTIFICATE_WARNING_DAYS = 14;
export const DEFAULT_HSTS_DAYS = 1; // protects daily users in foreign networks; a mistake is over tomorrow
export const MAX_HSTS_DAYS = 3650; // more than the two years recommended for browsers' preload lists
export const MAX_UNCOUNTED_ANSWER_BYTES = 64 * KIB; // smaller answers do not count: at most 64 MiB for one address
export const MAX_RESPONSES_TOGETHER = 64; // responses to pipelined requests sent in one write
export const OUTGOING_WAIT_MS = 15_000; // then 503, as for a connection to the room server
export const REQUEST_TURN_MS = 2; // length of a slice of CPU-heavy work
/** longer work is throttled while others have short requests; what one client begins in a round of the event loop */
export const SHORT_WORK_MS = 10;
export const WORK_RESTS = 3; // pause, as a multiple of the work; less than for transfers, as somebody waits
/** larger answers are sent in pieces, since TLS copies them before the client has read them */
export const OUTGOING_PIECE_BYTES = 512 * KIB;
/** larger answers compressed concurrently, one per thread of node's pool; others are sent uncompressed */
export const MAX_PACKED_AT_ONCE = 4;
export const MAX_WHOLE_LIST_ROWS = 5000; // longest list whose JSON is shared by concurrent requests
export const MAX_FORMATTED_DATES = 10_000; // cached values of Last-Modified
/** streamed answers being compressed, up to 2 MiB of memory each; others are sent uncompressed */
export const MAX_PACKED_STREAMS = 16;
/** how long a connection with unread bytes stays open, so that the client can read the answer */
export const LINGER_TIMEOUT_MS = 2000;
export const DEFAULT_DRAIN_SECONDS = 8; // grace period after SIGTERM; less than the 10 s of container engines
export const MAX_DRAIN_SECONDS = 3600; // a large download on a slow line
export const MAX_KEPT_REPLY_BYTES = 64 * KIB; // one cached reply with its address
export const KEPT_REPLY_BYTES = 1000; // memory of a cached reply besides body and address
/** larger static files are not cached, with their compressed forms */
export const MAX_KEPT_STATIC_FILE_BYTES = 512 * KIB;
export const MAX_KEPT_STATIC_BYTES = 16 * MIB; // per folder: web client and guide have less than 4
export const STATIC_LOOK_MS = 1000; // how often a static file is checked for changes
export const MIN_COMPRESS_BYTES = KIB; // smaller answers are not worth compressing
export const MAX_COMPRESS_BYTES = 4 * MIB; // larger answers are not compressed, which would block others

// multipart/form-data (RFC 7578)
export const MAX_BOUNDARY_BYTES = 70; // RFC 2046 section 5.1.1
export const MAX_DELIMITER_PADDING_BYTES = 64; // blanks after a delimiter: RFC 2046 allows mail gateways to add some
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
