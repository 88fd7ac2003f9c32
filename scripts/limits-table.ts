// The table of limits in the guide, generated from src/limits so that it cannot become outdated. Written into
// static/guide/sizing.html by `npm run readme`.

import * as backend from '../src/limits/backend.ts';
import * as dav from '../src/limits/dav.ts';
import * as http from '../src/limits/http.ts';
import * as mime from '../src/limits/mime.ts';
import * as processes from '../src/limits/processes.ts';
import * as protocol from '../src/limits/protocol.ts';
import * as sessions from '../src/limits/sessions.ts';
import { boundNameOf } from '../src/limits/settable.ts';

export const LIMITS = { ...backend, ...dav, ...http, ...mime, ...processes, ...protocol, ...sessions };

const ROWS: readonly (readonly [words: string, name: keyof typeof LIMITS])[] = [
  ['client connections', 'MAX_HTTP_CONNECTIONS'],
  ['of these from one address', 'MAX_HTTP_CONNECTIONS_PER_ADDRESS'],
  ['when all are in use, idle time after which one without a log-in is replaced', 'DISPLACE_AFTER_MS'],
  ['pipelined requests on one connection', 'MAX_PIPELINED_REQUESTS'],
  ['request line and header fields', 'MAX_HEADER_BYTES'],
  ['header fields', 'MAX_HEADER_COUNT'],
  ['an address (URL)', 'MAX_URL_BYTES'],
  ['a message or file', 'MAX_BODY_BYTES'],
  ['a JSON body, a form, a log-in', 'MAX_SMALL_BODY_BYTES'],
  ['an XML body of a DAV request', 'MAX_XML_BYTES'],
  ['files in one form', 'MAX_PARTS'],
  ['a picture of a user or a room', 'MAX_PICTURE_BYTES'],
  ['a room’s banner, a profile', 'MAX_TEXT_BODY_BYTES'],
  ['messages marked, moved or deleted at once', 'MAX_CHANGED_MESSAGES'],
  ['bodies of one account being sent to the room server', 'MAX_SPOOLED_BYTES_PER_USER'],
  ['uploads of one account', 'MAX_UPLOADS_PER_USER'],
  ['simultaneous uploads of one account', 'MAX_UPLOADS_UNDER_WAY_PER_USER'],
  ['size of all uploads of one account', 'MAX_UPLOAD_BYTES_PER_USER'],
  ['lifetime of an upload', 'UPLOAD_SECONDS'],
  ['attachments of one message', 'MAX_MESSAGE_ATTACHMENTS'],
  ['time to send the header fields', 'HEADERS_TIMEOUT_MS'],
  ['time for a TLS handshake', 'TLS_HANDSHAKE_TIMEOUT_MS'],
  ['stalls of a request body, in all, before a log-in', 'ANONYMOUS_BODY_WAIT_MS'],
  ['stalls of a request body, in all, after a log-in', 'BODY_WAIT_MS'],
  ['time without reading any of the answer', 'STALL_TIMEOUT_MS'],
  ['idle time of a connection', 'KEEP_ALIVE_TIMEOUT_MS'],
  ['answers that clients have not read yet', 'MAX_OUTGOING_BYTES'],
  ['answers that wait for room among these', 'MAX_WAITING_OUTGOING_BYTES'],
  ['event streams', 'MAX_EVENT_STREAMS'],
  ['of these of one user', 'MAX_EVENT_STREAMS_PER_USER'],
  ['keep-alive interval of an event stream', 'EVENTS_KEEP_ALIVE_MS'],
  ['cache: calendar objects and contacts', 'MAX_KEPT_OBJECT_BYTES'],
  ['cache: lists of files, events and contacts', 'MAX_KEPT_LISTS_BYTES'],
  ['cache: answers', 'MAX_KEPT_REPLIES_BYTES'],
  ['cache: rendered messages', 'MAX_KEPT_READING_BYTES'],
  ['messages waiting to be rendered', 'MAX_WAITING_RENDERINGS'],
  ['of these of one caller', 'MAX_WAITING_RENDERINGS_PER_CALLER'],
  ['time to render one message', 'RENDER_TIMEOUT_MS'],
  ['simultaneous log-ins by password', 'MAX_LOG_INS_AT_ONCE'],
  ['of these from one address', 'MAX_LOG_INS_AT_ONCE_PER_NETWORK'],
  ['waiting log-ins by password', 'MAX_WAITING_LOG_INS'],
  ['of these from one address', 'MAX_WAITING_LOG_INS_PER_NETWORK'],
  ['failed log-ins of one account or address within the time below', 'MAX_LOGIN_FAILURES'],
  ['time in which failed log-ins are counted', 'LOGIN_WINDOW_SECONDS'],
  ['lifetime of an unused session', 'SESSION_SECONDS'],
  ['app passwords of one user', 'MAX_APP_PASSWORDS_PER_USER'],
  ['locks', 'MAX_LOCKS'],
  ['of these of one user', 'MAX_LOCKS_PER_USER'],
  ['lifetime of a lock', 'MAX_LOCK_SECONDS'],
  ['connections to another room server', 'MAX_CONNECTIONS'],
  ['connections of one account to the embedded room server', 'EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT'],
  ['connections of one account to another room server', 'MAX_CONNECTIONS_PER_ACCOUNT'],
  ['requests of one user waiting for a connection', 'MAX_WAITING_PER_IDENTITY'],
  ['sessions of the embedded room server', 'BACKEND_MAX_SESSIONS'],
  ['of these from one address', 'BACKEND_MAX_SESSIONS_PER_ADDRESS'],
  ['of these of one account over TCP', 'MAX_SESSIONS_PER_ACCOUNT'],
  ['rooms created by one user', 'MAX_ROOMS_PER_USER'],
  ['scheduling messages in one inbox', 'MAX_INBOX_MESSAGES'],
  ['attendees of one event', 'MAX_ATTENDEES'],
  ['a user’s name', 'MAX_USER_NAME_BYTES'],
  ['days for which deletions are remembered for DAV clients', 'DEFAULT_SYNC_DAYS'],
];

/** Those that an operator can set, by the option that does. */
const OPTIONS: Partial<Record<keyof typeof LIMITS, string>> = {
  MAX_CONNECTIONS: '--backend-connections',
  MAX_BODY_BYTES: '--max-body',
  MAX_SPOOLED_BYTES_PER_USER: '--max-spool',
  MAX_UPLOAD_BYTES_PER_USER: '--max-upload-space',
  MAX_UPLOADS_UNDER_WAY_PER_USER: '--max-uploads-at-once',
  MAX_HTTP_CONNECTIONS: '--max-connections',
  MAX_HTTP_CONNECTIONS_PER_ADDRESS: '--max-per-address',
  MAX_EVENT_STREAMS: '--max-event-streams',
  DEFAULT_SYNC_DAYS: '--sync-days',
};

/** What one client, address, account or user may have, and some of all together: the table must hold them. */
const OF_ONE = /_PER_(?:USER|ADDRESS|CALLER|ACCOUNT|IDENTITY)$/;
const OF_ALL = new Set([
  'MAX_HTTP_CONNECTIONS',
  'MAX_PIPELINED_REQUESTS',
  'MAX_EVENT_STREAMS',
  'MAX_OUTGOING_BYTES',
  'MAX_WAITING_OUTGOING_BYTES',
  'MAX_KEPT_OBJECT_BYTES',
  'MAX_KEPT_LISTS_BYTES',
  'MAX_KEPT_REPLIES_BYTES',
  'MAX_KEPT_READING_BYTES',
  'MAX_LOCKS',
  'MAX_INBOX_MESSAGES',
  'MAX_LOGIN_FAILURES',
  'MAX_WAITING_RENDERINGS',
  'BACKEND_MAX_SESSIONS',
]);
export const isShared = (name: string): boolean => OF_ONE.test(name) || OF_ALL.has(name);

/** those of what people do not notice: few bytes each, or of one process with itself */
const UNTOLD = new Set([
  'MAX_CONNECTIONS_PER_IDENTITY',
  'EMBEDDED_MAX_CONNECTIONS_PER_IDENTITY',
  'MAX_KNOWN_NETWORKS_PER_ACCOUNT',
  'MAX_RENDERINGS_PER_CALLER',
  'MAX_SESSION_KEYS_PER_USER',
  'MAX_SPOOLED_BODIES_PER_USER',
]);

/** The shared bounds that are neither in the table nor said to be left out. */
export function untoldLimits(): string[] {
  const told = new Set<string>(ROWS.map(([, name]) => name));
  return Object.keys(LIMITS).filter((name) => isShared(name) && !told.has(name) && !UNTOLD.has(name));
}

/** Rows of the table, HTML. */
export function limitRows(): string {
  return ROWS.map(
    ([words, name]) => `<tr><td>${words}</td><td>${inWords(name, LIMITS[name] as number)}${settable(name)}</td></tr>\n`,
  ).join('');
}

/** The option that sets it, for the guide; undefined: it is fixed. */
function optionOf(name: string): string | undefined {
  const bound = boundNameOf(name);
  return OPTIONS[name as keyof typeof LIMITS] ?? (bound && `--bound ${bound}=`);
}

/** The shared bounds that no option sets. */
export function fixedLimits(): string[] {
  return ROWS.map(([, name]) => name).filter((name) => isShared(name) && optionOf(name) === undefined);
}

function settable(name: string): string {
  const option = optionOf(name);
  return option === undefined ? '' : ` (<code>${option}</code>)`;
}

export function limitInWords(name: string): string {
  return inWords(name, LIMITS[name as keyof typeof LIMITS] as number);
}

function inWords(name: string, value: number): string {
  if (name.endsWith('_MS')) return `${value / 1000} s`;
  if (name.endsWith('_SECONDS')) return inTime(value);
  if (!name.includes('_BYTES')) return String(value);
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  const power = [3, 2, 1].find((each) => value % 1024 ** each === 0) ?? 0;
  return `${value / 1024 ** power} ${units[power]}`;
}

function inTime(seconds: number): string {
  const days = seconds / 86_400;
  if (days > 1 && Number.isInteger(days)) return `${days} days`;
  return seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds} s`;
}
