// Bounds that operators set by `--bound name=count`, with their defaults and reasons: what one user, address or caller
// may have, and what all may have together. They are set once, when a process or a thread starts; whoever imports one
// sees it as it is then. The files of their subjects export them, too.

// Connections and requests
/** requests on one connection that wait for their answers: nobody pipelines more, and each takes memory */
export let MAX_PIPELINED_REQUESTS = 100;
/** connections of one account, however its name and password are spelled: more than one spelling needs, far from all */
export let MAX_CONNECTIONS_PER_ACCOUNT = 16;
/** the same to the embedded room server: what comes on so many at the same time becomes durable in one write */
export let OWN_MAX_CONNECTIONS_PER_ACCOUNT = 48;
/** requests that may wait for a connection of one identity before 503 */
export let MAX_WAITING_PER_IDENTITY = 1000;
/** of one user: as many windows in sight */
export let MAX_EVENT_STREAMS_PER_USER = 16;
/** for each way in of the embedded room server, so that strangers cannot use up what the gateway needs: it has 900 */
export let BACKEND_MAX_SESSIONS = 1000;
/** of one client on a TCP address: a gateway elsewhere has MAX_CONNECTIONS, and people some beside it */
export let BACKEND_MAX_SESSIONS_PER_ADDRESS = 300;

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
  set(count: number): void;
}

const settable = (constant: string, least: number, most: number, set: (count: number) => void): Settable => ({
  constant,
  least,
  most,
  set,
});

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
    'OWN_MAX_CONNECTIONS_PER_ACCOUNT',
    2,
    900,
    (count) => (OWN_MAX_CONNECTIONS_PER_ACCOUNT = count),
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
};

export type BoundName = keyof typeof SETTABLE;
/** counts by name */
export type Bounds = Readonly<Partial<Record<BoundName, number>>>;

export const BOUND_NAMES = Object.keys(SETTABLE) as readonly BoundName[];

/** By the name of its constant; undefined for one that nobody can set. */
export function boundNameOf(constant: string): BoundName | undefined {
  return BOUND_NAMES.find((name) => SETTABLE[name].constant === constant);
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
    if (count !== undefined) SETTABLE[name].set(count);
  }
}
