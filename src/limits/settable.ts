// Bounds that operators set by `--bound name=count`, with their defaults and reasons: what one user, address or caller
// may have, what all may have together, and how long they may take. They are set once, when a process or a thread
// starts; whoever imports one sees it as it is then. The files of their subjects export them, too.

import { MIB } from './units.ts';

// Connections and requests
/** requests on one connection that wait for their answers: nobody pipelines more, and each takes memory */
export let MAX_PIPELINED_REQUESTS = 100;
/** connections of one account, however its name and password are spelled: more than one spelling needs, far from all */
export let MAX_CONNECTIONS_PER_ACCOUNT = 16;
/** the same to the embedded room server: what comes on so many at the same time becomes durable in one write */
export let EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT = 48;
/** requests that may wait for a connection of one identity before 503 */
export let MAX_WAITING_PER_IDENTITY = 1000;
/** of one user: as many windows in sight */
export let MAX_EVENT_STREAMS_PER_USER = 16;
/** for each way in of the embedded room server, so that strangers cannot use up what the gateway needs: it has 900 */
export let BACKEND_MAX_SESSIONS = 1000;
/** of one client on a TCP address: a gateway elsewhere has MAX_CONNECTIONS, and people some beside it */
export let BACKEND_MAX_SESSIONS_PER_ADDRESS = 300;

/** larger answers that clients have not taken yet, all together; half of it for one client */
export let MAX_OUTGOING_BYTES = 128 * MIB;
/** answers that wait for a place there, half of them for one client; then 503 */
export let MAX_WAITING_OUTGOING_BYTES = 64 * MIB;

// Times
export let HEADERS_TIMEOUT_MS = 30_000; // header fields must have arrived
/** pauses of a body before a log-in, all together: what a log-in needs comes in one piece */
export let ANONYMOUS_BODY_WAIT_MS = 15_000;
/** the same for a caller who has logged in: a telephone in a tunnel comes back. Bytes that come make up for pauses */
export let BODY_WAIT_MS = 60_000;
/** a client that takes nothing of its answer between two checks, this time apart, is dropped */
export let STALL_TIMEOUT_MS = 60_000;
/** a proxy in front closes its own sooner: of a connection that both close at once, a request is lost */
export let KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** silence after which a comment tells proxies that an event stream is alive; many give up after 30 s */
export let EVENTS_KEEP_ALIVE_MS = 25_000;
export let SESSION_SECONDS = 14 * 24 * 3600; // two weeks away, and one is still logged in; a lost cookie ends then
export let UPLOAD_SECONDS = 24 * 3600; // a letter may be finished the next morning
export let LOGIN_WINDOW_SECONDS = 300;

// What is kept
/** their records are kept in memory */
export let MAX_UPLOADS_PER_USER = 1000;
/** of one account, some 500 bytes each: an office program holds one for each open document, a file manager some */
export let MAX_LOCKS_PER_USER = 1000;
/** of all accounts, in memory: 10 MB, and with the longest owners 50 MB */
export let MAX_LOCKS = 20_000;
/** some 150 bytes each: one for each program on each device, and feeds */
export let MAX_APP_PASSWORDS_PER_USER = 100;
/** rooms that one user has made or administers; administrators may have more */
export let MAX_ROOMS_PER_USER = 1000;
/** messages that stay in a scheduling inbox; the oldest goes, for it is in the calendar already */
export let MAX_INBOX_MESSAGES = 500;

// What is kept in memory, to be had again
/** calendar objects and cards kept for queries, with the trees made of them: some 10,000 events */
export let MAX_KEPT_OBJECT_BYTES = 64 * MIB;
/** lists of members that are kept while their rooms do not change: those of some hundred calendars */
export let MAX_KEPT_LISTS_BYTES = 64 * MIB;
/** answers of the embedded room server's rooms, with their addresses */
export let MAX_KEPT_REPLIES_BYTES = 32 * MIB;
/** messages kept ready for reading, together; some 10,000 ordinary ones */
export let MAX_KEPT_READING_BYTES = 32 * MIB;

// Work
/** requests that wait for a rendering, then 503 */
export let MAX_WAITING_RENDERINGS = 256;
/** of these of one caller: a page of some dozen messages */
export let MAX_WAITING_RENDERINGS_PER_CALLER = 32;
/** failed log-ins for one account or one address in LOGIN_WINDOW_SECONDS before 429 */
export let MAX_LOGIN_FAILURES = 10;

interface Settable {
  constant: string;
  least: number;
  most: number;
  set(value: number): void;
  /** the constant's value where the count is one */
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

/** By the name of its constant; undefined for one that nobody can set. */
export function boundNameOf(constant: string): BoundName | undefined {
  return BOUND_NAMES.find((name) => SETTABLE[name].constant === constant);
}

/** What its constant becomes where the count is one: bytes of a MiB, milliseconds of a second. */
export function boundUnitOf(name: BoundName): number {
  return SETTABLE[name].unit;
}

/** The count may be this bound. */
export function isInRange(name: BoundName, count: number): boolean {
  const { least, most } = SETTABLE[name];
  return Number.isInteger(count) && count >= least && count <= most;
}

/** To be called before anything is made that has one of them. */
export function setBounds(bounds: Bounds): void {
  for (const name of BOUND_NAMES) {
    const count = bounds[name];
    if (count !== undefined) SETTABLE[name].set(count * SETTABLE[name].unit);
  }
}
