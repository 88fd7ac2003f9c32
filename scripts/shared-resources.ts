// What users share and one could use up: who may have how much, in what order others come, and what happens when the
// asker goes. `npm run readme` writes the table into SECURITY.md; test/limits/shared-resources.test.ts attacks each.

import { limitInWords } from './limits-table.ts';

export interface SharedResource {
  what: string;
  /** constants of src/limits: of all together and of one */
  bounds: readonly string[];
  /** by whom it is shared: the address before a log-in, the account after it */
  by: string;
  order: string;
  /** when the client has gone */
  gone: string;
  /** how many turns of others somebody waits at most while one attacks */
  turns: number;
  /** where the sources keep it: file and what is made there */
  kept: readonly string[];
}

const TURNS = 'callers in turn';
const NOT_BEGUN = 'what waits is not begun';

export const SHARED = {
  connections: {
    what: 'client connections, and their descriptors',
    bounds: ['MAX_HTTP_CONNECTIONS', 'MAX_HTTP_CONNECTIONS_PER_ADDRESS', 'MAX_PIPELINED_REQUESTS'],
    by: 'address',
    order: 'a new one displaces the longest idle one without a log-in, else 429 or 503',
    gone: 'free at once',
    turns: 0,
    kept: ['http/admission.ts ConnectionSlots', 'system/connection-slots.ts NetworkCounts'],
  },
  sessions: {
    what: 'sessions of the line protocol',
    bounds: ['BACKEND_MAX_SESSIONS', 'BACKEND_MAX_SESSIONS_PER_ADDRESS', 'MAX_SESSIONS_PER_ACCOUNT'],
    by: 'address, then account',
    order: 'as connections, else 551',
    gone: 'free at once',
    turns: 0,
    kept: ['backend/wire/server.ts ConnectionSlots'],
  },
  requests: {
    what: 'rounds of the gateway’s event loop: requests that arrive together',
    bounds: ['SHORT_WORK_MS'],
    by: 'address',
    order: `so many milliseconds a round at once, then ${TURNS}`,
    gone: NOT_BEGUN,
    turns: 3,
    kept: [],
  },
  turns: {
    what: 'the gateway’s processor: reports, searches, lists',
    bounds: ['REQUEST_TURN_MS'],
    by: 'address, then account',
    order: `${TURNS}, a slice a round`,
    gone: 'reports end at the next slice',
    turns: 1,
    kept: ['system/turn-queue.ts TurnQueue', 'system/turn-queue.ts Line'],
  },
  transfers: {
    what: 'the gateway’s processor: large bodies and answers',
    bounds: ['BULK_TURN_MS', 'BODY_TURN_MS'],
    by: 'address, then account',
    order: `${TURNS}, a slice a round, with rests while others ask`,
    gone: 'ends at the next slice',
    turns: 1,
    kept: [],
  },
  largeItems: {
    what: 'memory of reports whose single objects take several slices',
    bounds: [],
    by: 'account',
    order: `one at a time, ${TURNS}`,
    gone: NOT_BEGUN,
    turns: 2,
    kept: ['system/turn-queue.ts SerialQueue'],
  },
  changes: {
    what: 'changes of one name in a room',
    bounds: [],
    by: 'account',
    order: `one at a time, ${TURNS}`,
    gone: NOT_BEGUN,
    turns: 1,
    kept: [
      'gateway/new-app.ts SerialQueue',
      'room-server/citadel/member-contents.ts SerialQueue',
      'fleet/revocations.ts SerialQueue',
      'system/fair-queue.ts Line',
    ],
  },
  roomServer: {
    what: 'the room server’s thread',
    bounds: ['BACKEND_TURN_MS', 'BACKEND_ROUND_MS'],
    by: 'account; address before a log-in',
    order: `short commands at once for so many milliseconds a round, then ${TURNS}`,
    gone: 'ends at the first reply that cannot be written',
    turns: 3,
    kept: ['backend/wire/server.ts TurnQueue'],
  },
  commits: {
    what: 'writes to the database’s disk',
    bounds: ['BACKEND_GROUPED_CHANGES'],
    by: 'session; an account has a bounded number',
    order: 'so many sessions in one write, in order of arrival',
    gone: 'made: it was complete',
    turns: 3,
    kept: ['backend/wire/server.ts GroupCommit'],
  },
  logIns: {
    what: 'log-ins by password at the gateway',
    bounds: [
      'MAX_LOG_INS_AT_ONCE',
      'MAX_LOG_INS_AT_ONCE_PER_NETWORK',
      'MAX_WAITING_LOG_INS',
      'MAX_WAITING_LOG_INS_PER_NETWORK',
    ],
    by: 'address',
    order: `${TURNS}; who has logged in from there before has every other turn`,
    gone: NOT_BEGUN,
    turns: 1,
    kept: ['gateway/caller.ts FairQueue'],
  },
  hashes: {
    what: 'hashing of passwords',
    bounds: ['MAX_PASSWORD_CHECKS', 'MAX_WAITING_PASSWORD_CHECKS', 'MAX_WAITING_PASSWORD_CHECKS_PER_ASKER'],
    by: 'account; address before a log-in',
    order: TURNS,
    gone: NOT_BEGUN,
    turns: 0,
    kept: ['backend/store/passwords.ts FairQueue'],
  },
  guesses: {
    what: 'wrong passwords',
    bounds: ['MAX_LOGIN_FAILURES', 'LOGIN_WINDOW_SECONDS', 'MAX_KNOWN_NETWORKS_PER_ACCOUNT'],
    by: 'address, and account; where the account has logged in before, only what is wrong there counts',
    order: 'refused for a while: 429',
    gone: 'counts on',
    turns: 0,
    kept: [],
  },
  renderings: {
    what: 'messages being rendered, in memory',
    bounds: [
      'MAX_RENDERINGS',
      'MAX_RENDERINGS_PER_CALLER',
      'MAX_WAITING_RENDERINGS',
      'MAX_WAITING_RENDERINGS_PER_CALLER',
    ],
    by: 'address, then account',
    order: TURNS,
    gone: NOT_BEGUN,
    turns: 1,
    kept: ['gateway/message/rendered-messages.ts FairQueue'],
  },
  renderThreads: {
    what: 'rendering threads',
    bounds: ['MIN_RENDER_THREADS', 'MAX_RENDER_THREADS', 'RENDER_TIMEOUT_MS'],
    by: 'address, then account: half of them',
    order: TURNS,
    gone: NOT_BEGUN,
    turns: 0,
    kept: ['render/threads.ts FairQueue'],
  },
  pool: {
    what: 'connections to the room server, and their descriptors',
    bounds: [
      'MAX_CONNECTIONS',
      'MAX_CONNECTIONS_PER_ACCOUNT',
      'EMBEDDED_MAX_CONNECTIONS',
      'EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT',
      'MAX_CONNECTIONS_PER_IDENTITY',
      'EMBEDDED_MAX_CONNECTIONS_PER_IDENTITY',
      'MAX_CONNECTING',
    ],
    by: 'account; guests together',
    order: `${TURNS}; idle ones are closed for those who wait`,
    gone: NOT_BEGUN,
    turns: 1,
    kept: ['room-server/connection/pool-entries.ts Slots', 'room-server/connection/slots.ts Line'],
  },
  waiting: {
    what: 'requests that wait for a connection',
    bounds: ['MAX_WAITING_PER_IDENTITY'],
    by: 'account; of guests by address',
    order: TURNS,
    gone: NOT_BEGUN,
    turns: 1,
    kept: [
      'room-server/connection/slots.ts WaitingLine',
      'room-server/connection/identity-connections.ts WaitingLine',
      'room-server/connection/connector.ts WaitingLine',
    ],
  },
  answers: {
    what: 'memory of answers that clients have not read',
    bounds: ['MAX_OUTGOING_BYTES', 'MAX_WAITING_OUTGOING_BYTES', 'STALL_TIMEOUT_MS'],
    by: 'address, then account: half of it',
    order: 'as they came, past those who have their half',
    gone: 'free at once',
    turns: 0,
    kept: ['http/outgoing.ts Sums'],
  },
  compression: {
    what: 'memory and threads of compression',
    bounds: ['MAX_PACKED_AT_ONCE', 'MAX_PACKED_STREAMS'],
    by: 'nobody',
    order: 'whoever finds none free is answered without',
    gone: 'free at once',
    turns: 0,
    kept: [],
  },
  bodies: {
    what: 'bodies on their way: memory, descriptors, disk of the gateway',
    bounds: ['MAX_SPOOLED_BODIES_PER_USER', 'MAX_SPOOLED_BYTES_PER_USER'],
    by: 'account',
    order: 'refused: 429',
    gone: 'removed at once',
    turns: 0,
    kept: [],
  },
  uploads: {
    what: 'uploads: disk, and records in memory',
    bounds: ['MAX_UPLOADS_PER_USER', 'MAX_UPLOAD_BYTES_PER_USER', 'MAX_UPLOADS_UNDER_WAY_PER_USER', 'UPLOAD_SECONDS'],
    by: 'account',
    order: 'refused: 507, 503',
    gone: 'what is incomplete is removed at once, the rest after its time',
    turns: 0,
    kept: [],
  },
  streams: {
    what: 'event streams',
    bounds: ['MAX_EVENT_STREAMS', 'MAX_EVENT_STREAMS_PER_USER'],
    by: 'account',
    order: 'refused: 429',
    gone: 'free at once',
    turns: 0,
    kept: [],
  },
  locks: {
    what: 'locks of WebDAV',
    bounds: ['MAX_LOCKS', 'MAX_LOCKS_PER_USER', 'MAX_LOCK_SECONDS'],
    by: 'account',
    order: 'refused: 507',
    gone: 'free after their time',
    turns: 0,
    kept: [],
  },
  appPasswords: {
    what: 'app passwords, those of feeds included',
    bounds: ['MAX_APP_PASSWORDS_PER_USER'],
    by: 'account',
    order: 'refused: 507',
    gone: 'stay',
    turns: 0,
    kept: [],
  },
  sessionKeys: {
    what: 'log-ins that cookies hold',
    bounds: ['MAX_SESSION_KEYS_PER_USER'],
    by: 'account',
    order: 'a new one ends the one that was unused for longest',
    gone: 'end after their time',
    turns: 0,
    kept: [],
  },
  rooms: {
    what: 'rooms',
    bounds: ['MAX_ROOMS_PER_USER'],
    by: 'account that made them',
    order: 'refused: 507',
    gone: 'stay',
    turns: 0,
    kept: [],
  },
  invitations: {
    what: 'scheduling messages that are not delivered yet',
    bounds: ['MAX_PENDING_DELIVERIES', 'MAX_INBOX_MESSAGES'],
    by: 'account that sends them',
    order: `refused: 5.1; delivered ${TURNS}`,
    gone: 'delivered',
    turns: 1,
    kept: [],
  },
  instantMessages: {
    what: 'instant messages that nobody has read: room server',
    bounds: ['MAX_INSTANT_MESSAGES'],
    by: 'account that sends them: half of what a session holds',
    order: 'refused: 409',
    gone: 'stay until read',
    turns: 0,
    kept: [],
  },
  instantMemory: {
    what: 'instant messages that nobody has read: memory of the gateway',
    bounds: ['MAX_WAITING_INSTANT_CHARS', 'MAX_INSTANT_BOXES'],
    by: 'account that sends them',
    order: 'whoever has sent most loses his oldest',
    gone: 'dropped after INSTANT_KEPT_MS',
    turns: 0,
    kept: [],
  },
  chat: {
    what: 'lines of chats, in memory',
    bounds: ['MAX_CHATTED_LINES', 'MAX_CHAT_LINES', 'CHAT_LINE_SECONDS'],
    by: 'account that says them',
    order: 'whoever has said most loses his oldest',
    gone: 'dropped after their time',
    turns: 0,
    kept: [],
  },
  store: {
    what: 'the connection to the shared store (--shared)',
    bounds: ['MAX_COMMANDS_AT_ONCE', 'MAX_COMMANDS_AT_ONCE_PER_ASKER', 'MAX_COMMANDS_WAITING'],
    by: 'address, then account',
    order: TURNS,
    gone: 'what a request has asked for is sent',
    turns: 16,
    kept: ['extra/resp/store-client.ts FairQueue', 'extra/redis/redis-fleet.ts SerialQueue'],
  },
  caches: {
    what: 'caches, in memory',
    bounds: ['MAX_KEPT_READING_BYTES', 'MAX_KEPT_REPLIES_BYTES', 'MAX_KEPT_OBJECT_BYTES', 'MAX_KEPT_LISTS_BYTES'],
    by: 'nobody',
    order: 'what was not used lately goes, and is made again in its owner’s turn',
    gone: 'goes when it is old',
    turns: 0,
    kept: ['BoundedMap'],
  },
} satisfies Record<string, SharedResource>;

export type SharedName = keyof typeof SHARED;

/** Rows of the table, Markdown. */
export function sharedRows(): string {
  const head =
    '| shared | bounds | by | order | when the client has gone | turns of others |\n|---|---|---|---|---|---|\n';
  const rows = Object.values<SharedResource>(SHARED).map(({ what, bounds, by, order, gone, turns }) => {
    const numbers = bounds.map((name) => `\`${name}\` ${limitInWords(name)}`).join(', ');
    return `| ${what} | ${numbers} | ${by} | ${order} | ${gone} | ${turns} |\n`;
  });
  return `${head}${rows.join('')}`;
}
