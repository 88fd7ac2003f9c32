// Bounds of sessions, uploads and the log: bytes, counts, depth and time that a peer controls, each with its reason.

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
export const SESSION_RENEW_SECONDS = 3600; // a cookie older than this is sealed anew when used
/**
 * of one user at the embedded room server, some 100 bytes each: enough for a script that logs in every minute for half
 * a day and never logs out
 */
export const MAX_SESSION_KEYS_PER_USER = 1000;
/** age since its last noted log-in at which a session key ends: more than that of any cookie that holds it */
export const sessionKeySeconds = (): number => SESSION_SECONDS + SESSION_RENEW_SECONDS;
/**
 * log-ins with a session key are noted this often, for each note is a write to the disk; far less than
 * SESSION_RENEW_SECONDS
 */
export const SESSION_KEY_NOTE_SECONDS = 600;
export const MAX_APP_PASSWORD_NAME_BYTES = 100; // what a person calls it, in a list
/** the use of an app password is noted this often, for each note is a write to the disk; people look at days */
export const APP_PASSWORD_NOTE_SECONDS = 600;
export const SESSION_KEYS_SWEPT_AT_ONCE = 1000; // expired ones that are removed in one go, some milliseconds
export const MAX_SESSION_KEYS = 8; // each is tried on a cookie of a stranger; a rotation needs two
export const MAX_COOKIE_BYTES = 4000; // RFC 6265 promises 4096 bytes for a cookie
/** on the disk: two messages of the largest size; --max-upload-space sets another */
export const MAX_UPLOAD_BYTES_PER_USER = 2048 * MIB;
/**
 * uploads of one user under way at once: their sizes are unknown, so only their number bounds what they take on disk;
 * --max-uploads-at-once sets another
 */
export const MAX_UPLOADS_UNDER_WAY_PER_USER = 16;
export const MAX_CONTENT_TYPE_BYTES = 255; // media type of an upload, kept in memory
/** logged-out sessions remembered until they would have expired; none is ever dropped early, a new one is refused */
export const MAX_REVOCATIONS = 1_000_000;
export const FLEET_SWEEP_MS = 3_600_000; // expired uploads and revocations are removed this often
/** the room server's bound on messages is remembered for this time: to learn it anew may cost a message that is cut */
export const LIMIT_KNOWN_MS = 24 * 3_600_000;
/** an administrator may have changed it: asked again with the next thing that one posts */
export const LIMIT_FRESH_MS = 60_000;
/**
 * the line that crosses the bound is kept: of a message that was cut, so much may lie beyond it (RFC 5322: 998 and its
 * end)
 */
export const MAX_LINE_BEYOND_LIMIT_BYTES = 1000;
export const MAX_MESSAGE_ATTACHMENTS = 100; // uploads that one message may take along
/** every failed log-in takes this long, so that its time does not tell whether the account exists */
export const FAILED_LOGIN_MS = 400;
/** name or password; a longer one fits neither a cookie nor, on some room servers, a command line */
export const MAX_CREDENTIAL_BYTES = KIB;
/** by password, of one process: the room server checks two passwords at a time, an ordinary one is far away perhaps */
export const MAX_LOG_INS_AT_ONCE = 4;
export const MAX_LOG_INS_AT_ONCE_PER_NETWORK = 2;
export const MAX_WAITING_LOG_INS = 512;
/** an office behind one address in the morning: the last one waits for some 8 s */
export const MAX_WAITING_LOG_INS_PER_NETWORK = 64;
export const LOG_IN_WAIT_MS = 20_000;
/** an attempt that neither failed nor succeeded by then no longer holds one of its MAX_LOGIN_FAILURES places */
export const LOGIN_HOLD_SECONDS = 30;
/** after a log-in the network that it came from counts its failures for itself, for as long as holidays last */
export const KNOWN_NETWORK_SECONDS = 60 * 24 * 3600;
export const KNOWN_NETWORK_RENEW_SECONDS = 24 * 3600; // a further log-in prolongs that, noted once a day
/** of one account, who logs in from more has the oldest forgotten: each is a count of its own for who guesses there */
export const MAX_KNOWN_NETWORKS_PER_ACCOUNT = 20;
export const MAX_KNOWN_NETWORKS = 20_000; // of all accounts, 57 bytes each in a file that is written as a whole
export const KNOWN_NETWORKS_WRITE_MS = 5_000; // a kill loses the networks noted within this time
/** a room's password that was right is trusted for this time */
export const RIGHT_PASSWORD_SECONDS = 300;
/** one that was wrong is refused without another try for this time; short, for the room may get another password */
export const WRONG_PASSWORD_SECONDS = 20;
export const MAX_CACHE_ENTRIES = 10_000; // entries kept by a throttle or cache, oldest dropped

// Log
/** faults of one kind that are written one by one in LOG_PERIOD_MS; further ones are counted */
export const MAX_LOGGED_ALIKE = 10;
export const LOG_PERIOD_MS = 60_000;
export const MAX_LOG_KINDS = 100; // kinds told apart in one period
export const MAX_LOGGED_CAUSE_CHARACTERS = 300;
/** a stall that is longer is logged: people notice a pause of that length */
export const STALL_MS = 200;
export const STALL_BEAT_MS = 25; // how exactly that is measured
export const MAX_STALL_NAMES = 5; // requests that are named for one
