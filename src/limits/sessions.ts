// Limits of sessions, log-ins, uploads and the log, each with its reason.

import { SESSION_SECONDS } from './settable.ts';
import { KIB, MIB } from './units.ts';

export {
  LOGIN_WINDOW_SECONDS,
  MAX_APP_PASSWORDS_PER_USER,
  MAX_LOGIN_FAILURES,
  MAX_UPLOADS_PER_USER,
  SESSION_SECONDS,
  UPLOAD_SECONDS,
} from './settable.ts';

// Sessions and uploads
export const SESSION_RENEW_SECONDS = 3600; // age at which a cookie is sealed again
/** some 100 bytes each: enough for a script that logs in every minute for half a day and never logs out */
export const MAX_SESSION_KEYS_PER_USER = 1000;
/** lifetime of a session key since its last noted use: longer than that of any cookie with it */
export const sessionKeySeconds = (): number => SESSION_SECONDS + SESSION_RENEW_SECONDS;
/** how often the use of a session key is written to disk; far less than SESSION_RENEW_SECONDS */
export const SESSION_KEY_NOTE_SECONDS = 600;
export const MAX_APP_PASSWORD_NAME_BYTES = 100; // its name in lists
export const APP_PASSWORD_NOTE_SECONDS = 600; // how often the use of an app password is written to disk
export const SESSION_KEYS_SWEPT_AT_ONCE = 1000; // expired ones removed at once, in some milliseconds
export const MAX_SESSION_KEYS = 8; // each is tried on a stranger's cookie; a rotation needs two
export const MAX_COOKIE_BYTES = 4000; // RFC 6265 guarantees 4096 bytes
export const MAX_UPLOAD_BYTES_PER_USER = 2048 * MIB; // on disk: two of the largest messages; --max-upload-space
/** their sizes are unknown, so only their number limits the disk space; --max-uploads-at-once */
export const MAX_UPLOADS_UNDER_WAY_PER_USER = 16;
export const MAX_CONTENT_TYPE_BYTES = 255; // media type of an upload, in memory
/** remembered until the sessions would have expired; when full, log-outs are refused */
export const MAX_REVOCATIONS = 1_000_000;
export const FLEET_SWEEP_MS = 3_600_000; // how often expired uploads and revocations are removed
/** how long the room server's size limit is cached: learning it again may truncate a message */
export const LIMIT_KNOWN_MS = 24 * 3_600_000;
/** an administrator may have changed it: asked again with the next post after this time */
export const LIMIT_FRESH_MS = 60_000;
/** a truncated message keeps the line that crosses the limit (RFC 5322: 998 bytes and its end) */
export const MAX_LINE_BEYOND_LIMIT_BYTES = 1000;
export const MAX_MESSAGE_ATTACHMENTS = 100; // uploads attached to one message
/** duration of every failed log-in, which must not reveal whether the account exists */
export const FAILED_LOGIN_MS = 400;
export const MAX_CREDENTIAL_BYTES = KIB; // name or password; longer ones fit neither a cookie nor some command lines
/** by password, per process: the embedded room server checks two at a time, others may be far away */
export const MAX_LOG_INS_AT_ONCE = 4;
export const MAX_LOG_INS_AT_ONCE_PER_NETWORK = 2;
export const MAX_WAITING_LOG_INS = 512;
/** an office behind one address in the morning: the last one waits some 8 s */
export const MAX_WAITING_LOG_INS_PER_NETWORK = 64;
export const LOG_IN_WAIT_MS = 20_000;
/** an attempt without a result frees its slot of MAX_LOGIN_FAILURES after this time */
export const LOGIN_HOLD_SECONDS = 30;
/** how long a network has its own failure counter after a log-in: longer than holidays */
export const KNOWN_NETWORK_SECONDS = 60 * 24 * 3600;
export const KNOWN_NETWORK_RENEW_SECONDS = 24 * 3600; // how often a further log-in renews that
/** the oldest is forgotten; each is another counter for guesses from there */
export const MAX_KNOWN_NETWORKS_PER_ACCOUNT = 20;
export const MAX_KNOWN_NETWORKS = 20_000; // of all accounts, 57 bytes each in a file that is rewritten as a whole
export const KNOWN_NETWORKS_WRITE_MS = 5_000; // a kill loses the networks of this period
export const RIGHT_PASSWORD_SECONDS = 300; // how long a right room password is trusted
/** how long a wrong room password is refused without asking; short, as it may be changed */
export const WRONG_PASSWORD_SECONDS = 20;
export const MAX_CACHE_ENTRIES = 10_000; // of a throttle or cache; the oldest are dropped

// Log
export const MAX_LOGGED_ALIKE = 10; // equal faults logged in LOG_PERIOD_MS; further ones are counted
export const LOG_PERIOD_MS = 60_000;
export const MAX_LOG_KINDS = 100; // different faults in one period
export const MAX_LOGGED_CAUSE_CHARACTERS = 300;
export const STALL_MS = 200; // longer stalls are logged: people notice such pauses
export const STALL_BEAT_MS = 25; // resolution of their duration
export const MAX_STALL_NAMES = 5; // requests named in the log line of one
