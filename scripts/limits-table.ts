// The bounds that people who run a server ask for, from src/limits: a table for the guide that cannot become wrong.
// Words are here, numbers there. Written into static/guide/sizing.html by `npm run readme`.

import * as backend from '../src/limits/backend.ts';
import * as dav from '../src/limits/dav.ts';
import * as events from '../src/limits/events.ts';
import * as http from '../src/limits/http.ts';
import * as protocol from '../src/limits/protocol.ts';
import * as sessions from '../src/limits/sessions.ts';

const LIMITS = { ...backend, ...dav, ...events, ...http, ...protocol, ...sessions };

const ROWS: readonly (readonly [words: string, name: keyof typeof LIMITS])[] = [
  ['connections of clients', 'MAX_HTTP_CONNECTIONS'],
  ['of these from one address', 'MAX_HTTP_CONNECTIONS_PER_ADDRESS'],
  ['requests that wait on one connection', 'MAX_PIPELINED_REQUESTS'],
  ['request line and header fields', 'MAX_HEADER_BYTES'],
  ['an address (URL)', 'MAX_URL_BYTES'],
  ['a message or file that is sent', 'MAX_BODY_BYTES'],
  ['files in one form', 'MAX_PARTS'],
  ['a picture of a user or a room', 'MAX_PICTURE_BYTES'],
  ['a room’s banner, a profile', 'MAX_TEXT_BODY_BYTES'],
  ['messages marked, moved or deleted at once', 'MAX_CHANGED_MESSAGES'],
  ['bodies of one account on their way to the room server', 'MAX_SPOOLED_BYTES_PER_USER'],
  ['header fields have arrived within', 'HEADERS_TIMEOUT_MS'],
  ['pauses of a body, before a log-in', 'ANONYMOUS_BODY_WAIT_MS'],
  ['pauses of a body, after it', 'BODY_WAIT_MS'],
  ['a client that takes nothing of its answer', 'STALL_TIMEOUT_MS'],
  ['an idle connection is kept for', 'KEEP_ALIVE_TIMEOUT_MS'],
  ['answers that clients have not taken yet', 'MAX_OUTGOING_BYTES'],
  ['a sign of life on each event stream', 'EVENTS_KEEP_ALIVE_MS'],
  ['connections to another room server', 'MAX_CONNECTIONS'],
  ['a user’s name', 'MAX_USER_NAME_BYTES'],
  ['days of deletions that DAV clients are told', 'DEFAULT_SYNC_DAYS'],
];

/** Rows of the table, HTML. */
export function limitRows(): string {
  return ROWS.map(
    ([words, name]) => `<tr><td>${words}</td><td>${inWords(name, LIMITS[name] as number)}</td></tr>\n`,
  ).join('');
}

function inWords(name: string, value: number): string {
  if (name.endsWith('_MS')) return `${value / 1000} s`;
  if (!name.includes('_BYTES')) return String(value);
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  const power = [3, 2, 1].find((each) => value % 1024 ** each === 0) ?? 0;
  return `${value / 1024 ** power} ${units[power]}`;
}
