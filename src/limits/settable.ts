// Limits that operators set with `--bound name=count`, with defaults and reasons: of one user, address or caller, of all
// together, and of time. They are set once, when a process or thread starts, before anything uses them. The files of
// their subjects re-export them.

import { MIB } from './units.ts';

// Connections and requests
/** unanswered requests on one connection; each takes memory, and no client needs as many */
export let MAX_PIPELINED_REQUESTS = 100;
/** of one account with all spellings of its name: more than one identity may have */
export let MAX_CONNECTIONS_PER_ACCOUNT = 16;
/** to the embedded room server, where concurrent changes become durable in one write */
export let EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT = 48;
export let MAX_WAITING_PER_IDENTITY = 1000; // requests waiting for a connection of one identity; then 503
export let MAX_EVENT_STREAMS_PER_USER = 16; // as many visible windows
/** per listener of the embedded room server, so that strangers cannot exhaust the 900 of the gateway */
export let BACKEND_MAX_SESSIONS = 1000;
/** per TCP address: MAX_CONNECTIONS of a remote gateway, and some people */
export let BACKEND_MAX_SESSIONS_PER_ADDRESS = 300;
/** of one account on a TCP address, without gateways: programs and people in several places */
export let MAX_SESSIONS_PER_ACCOUNT = 100;

export let MAX_OUTGOING_BYTES = 128 * MIB; // larger answers that clients have not read yet; half of it for one client
/** answers waiting for room there, half of it for one client; then 503 */
export let MAX_WAITING_OUTGOING_BYTES = 64 * MIB;

// Times
export let HEADERS_TIMEOUT_MS = 30_000; // header fields must have arrived
export let ANONYMOUS_BODY_WAIT_MS = 15_000; // total stalls of a body before a log-in, whose body arrives in one piece
/** total stalls after a log-in, e.g. of a phone in a tunnel; received bytes make up for them */
export let BODY_WAIT_MS = 60_000;
export let STALL_TIMEOUT_MS = 60_000; // a client that reads nothing of its answer for this long is dropped
/** longer than a proxy in front keeps its connections: if both close at once, a request is lost */
export let KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** interval of comments on an idle event stream; many proxies time out after 30 s */
export let EVENTS_KEEP_ALIVE_MS = 25_000;
/** users stay logged in for two weeks of absence; limits the life of a stolen cookie */
export let SESSION_SECONDS = 14 * 24 * 3600;
export let UPLOAD_SECONDS = 24 * 3600; // a message may be finished the next day
export let LOGIN_WINDOW_SECONDS = 300;

// Stored objects
export let MAX_UPLOADS_PER_USER = 1000; // their records are in memory
/** some 500 bytes each: an office program has one per open document, a file manager a few */
export let MAX_LOCKS_PER_USER = 1000;
export let MAX_LOCKS = 20_000; // of all accounts, in memory: 10 MB, 50 MB with the longest owners
export let MAX_APP_PASSWORDS_PER_USER = 100; // some 150 bytes each: one per program and device, and feeds
export let MAX_ROOMS_PER_USER = 1000; // rooms that a user has created or administers; not for administrators
/** messages in a scheduling inbox; the oldest is deleted, as it is in the calendar */
export let MAX_INBOX_MESSAGES = 500;

// Caches
export let MAX_KEPT_OBJECT_BYTES = 64 * MIB; // cache of parsed calendar objects and cards: some 10,000 events
export let MAX_KEPT_LISTS_BYTES = 64 * MIB; // cache of member lists of unchanged rooms: some hundred calendars
export let MAX_KEPT_REPLIES_BYTES = 32 * MIB; // cache of replies with the embedded room server
export let MAX_KEPT_READING_BYTES = 32 * MIB; // cache of rendered messages: some 10,000 ordinary ones

// Work
export let MAX_WAITING_RENDERINGS = 256; // requests waiting for a rendering; then 503
export let MAX_WAITING_RENDERINGS_PER_CALLER = 32; // a page of some dozen messages
export let MAX_LOGIN_FAILURES = 10; // per account or address in LOGIN_WINDOW_SECONDS; then 429

interface Settable {
  constant: string;
  least: number;
  most: number;
  set(value: number): void;
  /** value of the constant per count: bytes of a MiB, milliseconds of a second */
  unit: number;
}

const settable = (constant: string, least: number, most: number, set: (value: number) => void, unit = 1): Settable => ({
  constant,
  least,
  most,
  set,
  unit,
});
const [SECOND_MS, HOUR_SECONDS, DAY_SECONDS] = [1000, 3600, 24 * 3600];

/** By the name that `--bound` takes. */
const SETTABLE = {
  'pipelined-requests': settable('MAX_PIPELINED_REQUESTS', 1, 10_000, (count) => (MAX_PIPELINED_REQUESTS = count)),
  'connections-of-account': settable(
    'MAX_CONNECTIONS_PER_ACCOUNT',
    2,
    900,
    (count) => (MAX_CONNECTIONS_PER_ACCOUNT = count),
  ),
  'own-connections-of-account': settable(
    'EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT',
    2,
    900,
    (count) => (EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT = count),
  ),
  'waiting-requests-of-user': settable(
    'MAX_WAITING_PER_IDENTITY',
    1,
    100_000,
    (count) => (MAX_WAITING_PER_IDENTITY = count),
  ),
  'event-streams-of-user': settable(
    'MAX_EVENT_STREAMS_PER_USER',
    1,
    1000,
    (count) => (MAX_EVENT_STREAMS_PER_USER = count),
  ),
  'line-sessions': settable('BACKEND_MAX_SESSIONS', 1000, 10_000, (count) => (BACKEND_MAX_SESSIONS = count)),
  'line-sessions-of-address': settable(
    'BACKEND_MAX_SESSIONS_PER_ADDRESS',
    1,
    10_000,
    (count) => (BACKEND_MAX_SESSIONS_PER_ADDRESS = count),
  ),
  'line-sessions-of-account': settable(
    'MAX_SESSIONS_PER_ACCOUNT',
    1,
    10_000,
    (count) => (MAX_SESSIONS_PER_ACCOUNT = count),
  ),
  'uploads-of-user': settable('MAX_UPLOADS_PER_USER', 1, 100_000, (count) => (MAX_UPLOADS_PER_USER = count)),
  locks: settable('MAX_LOCKS', 1, 1_000_000, (count) => (MAX_LOCKS = count)),
  'locks-of-user': settable('MAX_LOCKS_PER_USER', 1, 1_000_000, (count) => (MAX_LOCKS_PER_USER = count)),
  'app-passwords-of-user': settable(
    'MAX_APP_PASSWORDS_PER_USER',
    1,
    10_000,
    (count) => (MAX_APP_PASSWORDS_PER_USER = count),
  ),
  'rooms-of-user': settable('MAX_ROOMS_PER_USER', 10, 100_000, (count) => (MAX_ROOMS_PER_USER = count)),
  'inbox-messages': settable('MAX_INBOX_MESSAGES', 1, 100_000, (count) => (MAX_INBOX_MESSAGES = count)),
  'waiting-renderings': settable('MAX_WAITING_RENDERINGS', 1, 10_000, (count) => (MAX_WAITING_RENDERINGS = count)),
  'waiting-renderings-of-caller': settable(
    'MAX_WAITING_RENDERINGS_PER_CALLER',
    1,
    10_000,
    (count) => (MAX_WAITING_RENDERINGS_PER_CALLER = count),
  ),
  'failed-logins': settable('MAX_LOGIN_FAILURES', 2, 100, (count) => (MAX_LOGIN_FAILURES = count)),
  'unread-answers-mib': settable('MAX_OUTGOING_BYTES', 16, 65_536, (bytes) => (MAX_OUTGOING_BYTES = bytes), MIB),
  'waiting-answers-mib': settable(
    'MAX_WAITING_OUTGOING_BYTES',
    1,
    65_536,
    (bytes) => (MAX_WAITING_OUTGOING_BYTES = bytes),
    MIB,
  ),
  'kept-objects-mib': settable('MAX_KEPT_OBJECT_BYTES', 4, 65_536, (bytes) => (MAX_KEPT_OBJECT_BYTES = bytes), MIB),
  'kept-lists-mib': settable('MAX_KEPT_LISTS_BYTES', 12, 65_536, (bytes) => (MAX_KEPT_LISTS_BYTES = bytes), MIB),
  'kept-answers-mib': settable('MAX_KEPT_REPLIES_BYTES', 1, 65_536, (bytes) => (MAX_KEPT_REPLIES_BYTES = bytes), MIB),
  'kept-readings-mib': settable('MAX_KEPT_READING_BYTES', 16, 65_536, (bytes) => (MAX_KEPT_READING_BYTES = bytes), MIB),
  'header-seconds': settable('HEADERS_TIMEOUT_MS', 1, 600, (ms) => (HEADERS_TIMEOUT_MS = ms), SECOND_MS),
  'anonymous-body-seconds': settable(
    'ANONYMOUS_BODY_WAIT_MS',
    1,
    600,
    (ms) => (ANONYMOUS_BODY_WAIT_MS = ms),
    SECOND_MS,
  ),
  'body-seconds': settable('BODY_WAIT_MS', 1, 3600, (ms) => (BODY_WAIT_MS = ms), SECOND_MS),
  'unread-answer-seconds': settable('STALL_TIMEOUT_MS', 1, 3600, (ms) => (STALL_TIMEOUT_MS = ms), SECOND_MS),
  'keep-alive-seconds': settable('KEEP_ALIVE_TIMEOUT_MS', 1, 3600, (ms) => (KEEP_ALIVE_TIMEOUT_MS = ms), SECOND_MS),
  'event-stream-seconds': settable('EVENTS_KEEP_ALIVE_MS', 1, 300, (ms) => (EVENTS_KEEP_ALIVE_MS = ms), SECOND_MS),
  'session-days': settable('SESSION_SECONDS', 1, 400, (seconds) => (SESSION_SECONDS = seconds), DAY_SECONDS),
  'upload-hours': settable('UPLOAD_SECONDS', 2, 1000, (seconds) => (UPLOAD_SECONDS = seconds), HOUR_SECONDS),
  'login-window-seconds': settable('LOGIN_WINDOW_SECONDS', 60, 86_400, (seconds) => (LOGIN_WINDOW_SECONDS = seconds)),
};

export type BoundName = keyof typeof SETTABLE;
/** counts by name */
export type Bounds = Readonly<Partial<Record<BoundName, number>>>;

export const BOUND_NAMES = Object.keys(SETTABLE) as readonly BoundName[];

/** By the name of its constant; undefined: not settable. */
export function boundNameOf(constant: string): BoundName | undefined {
  return BOUND_NAMES.find((name) => SETTABLE[name].constant === constant);
}

export function boundUnitOf(name: BoundName): number {
  return SETTABLE[name].unit;
}

export function isInRange(name: BoundName, count: number): boolean {
  const { least, most } = SETTABLE[name];
  return Number.isInteger(count) && count >= least && count <= most;
}

/** Call before anything uses them. */
export function setBounds(bounds: Bounds): void {
  for (const name of BOUND_NAMES) {
    const count = bounds[name];
    if (count !== undefined) SETTABLE[name].set(count * SETTABLE[name].unit);
  }
}
