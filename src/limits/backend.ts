// Limits of the embedded room server and of migrations, for what a peer controls, each with its reason.

import { KIB, MIB } from './units.ts';

export {
  BACKEND_MAX_SESSIONS,
  BACKEND_MAX_SESSIONS_PER_ADDRESS,
  MAX_INBOX_MESSAGES,
  MAX_ROOMS_PER_USER,
  MAX_SESSIONS_PER_ACCOUNT,
} from './settable.ts';

// Embedded room server
export const BACKEND_IDLE_MS = 900_000; // what a real server has by default (protocol section 1)
/** how long one session may run commands before others get a turn */
export const BACKEND_TURN_MS = 4;
/** how long the sessions of one account may run commands in one round of the event loop; more wait for turns */
export const BACKEND_ROUND_MS = 10;
/** changes committed together, some 10 ms; others get a turn between groups */
export const BACKEND_GROUPED_CHANGES = 64;
/** how long a change waits to be grouped with others: about the write time of a slow disk */
export const BACKEND_GROUP_WAIT_MS = 1;
/** preparation of a post in one stretch: parsing a large object takes longer */
export const POSTING_TURN_MS = 1;
/** sessions that changed something this recently are waited for: more than a round trip of a busy gateway */
export const BACKEND_WRITER_MS = 25;
/** after longer work, a session queues for turns like CPU-heavy ones */
export const BACKEND_SHORT_WORK_MS = 1;
/** bulk transfers pause for this multiple of their working time while others are active */
export const BULK_RESTS = 8;
/** a session is active if it got a reply this recently */
export const ASKED_LATELY_MS = 50;
/** limits the pause after a single slow disk operation */
export const MAX_BULK_REST_MS = 40;
/** concurrent password checks: each occupies one of four threads, which also serve the gateway's files */
export const MAX_PASSWORD_CHECKS = 2;
/** queued checks, each with a session */
export const MAX_WAITING_PASSWORD_CHECKS = 512;
/** queued checks per account or address, which are served one at a time: the last one waits for 15 s */
export const MAX_WAITING_PASSWORD_CHECKS_PER_ASKER = 64;
/** clients do not wait longer for a reply */
export const PASSWORD_CHECK_WAIT_MS = 30_000;
/** how long a session may take to close its side after QUIT */
export const BACKEND_LINGER_MS = 2_000;
/** bytes waiting in a session's socket before the server stops reading commands from it */
export const BACKEND_HIGH_WATER_BYTES = 256 * KIB;
/** replies are flushed at this size even if more commands are pending */
export const BACKEND_FLUSH_BYTES = 4 * KIB;
export const BACKEND_MAX_MESSAGE_BYTES = 1024 * MIB; // message body with headers; larger ones are refused
export const BACKEND_CHUNK_BYTES = 64 * KIB; // bodies are stored in chunks of this size
export const BACKEND_INLINE_BYTES = 256 * KIB; // bodies up to this size are buffered in memory
/** bodies removed per transaction, during which sessions wait */
export const BACKEND_SWEEP_BYTES = 4 * MIB;
/** messages removed per transaction when a room is deleted or messages expire, about 5 ms */
export const BACKEND_SWEEP_MESSAGES = 50;
/** bodies of messages moved or deleted per transaction: indexing this much takes some 20 ms */
export const BACKEND_MOVE_BYTES = 256 * KIB;
export const MOVED_MESSAGE_BYTES = 16 * KIB; // overhead counted per message
export const CARRIED_MARK_BYTES = 160; // overhead counted per read mark that moves along
/** messages of an older release for which DAV facts are computed per transaction, some 5 ms */
export const BACKEND_LEARNT_MESSAGES = 50;
export const EXPIRY_PAGE_ROWS = 1000; // messages checked for expiry at a time
export const EXPIRY_CHECK_MS = 60_000; // interval of the check whether the daily expiry is due
export const MAX_EXPIRY_VALUE = 1_000_000; // days or messages of an expiry policy
export const STORAGE_REPORT_SECONDS = 60; // a failing disk is logged at this interval
/** message numbers skipped after a restore: more than are assigned between backup and restore */
export const BACKUP_NUMBER_GAP = 1_000_000;
export const MAX_TOLD_FAULTS = 1000; // faults listed by `vestibule check`; the rest is counted
export const MAX_LISTED_REVISIONS = 10_000; // latest versions of a page listed by WIKI; all are stored
export const MAX_USER_NAME_BYTES = 63;
export const MAX_PASSWORD_BYTES = 256;
export const MAX_ROOM_NAME_BYTES = 127;
/** for a personal room, whose stored name has its owner's number and a dot as prefix */
export const MAX_PERSONAL_ROOM_NAME_BYTES = MAX_ROOM_NAME_BYTES - 11;
export const MAX_ROOM_PASSWORD_BYTES = 63;
/** cached accesses to password rooms per user; an eviction costs one scrypt */
export const MAX_OPENED_ROOMS = 10_000;
export const MAX_FLOOR_NAME_BYTES = 255;
export const MAX_FLOORS = 16;
/** subject or author of a stored message before encoding; longer text is truncated */
export const MAX_HEADER_TEXT_BYTES = 4000;
export const MAX_EUID_BYTES = 1000;
export const MAX_MEMBER_NAME_BYTES = 1000; // of a resource, including folders; several fit a command line
/** recorded changes of a room; clients that are further behind list everything again */
export const MAX_KEPT_CHANGES = 100_000;
export const DEFAULT_SYNC_DAYS = 30; // how long changes are recorded; covers holidays
export const MAX_SYNC_DAYS = 3650;
export const MAX_INFO_TEXT_BYTES = 256 * KIB;
export const MAX_INSTANT_MESSAGES = 100;
/** text of one instant message; a session may hold MAX_INSTANT_MESSAGES of them */
export const MAX_INSTANT_MESSAGE_BYTES = 16 * KIB;
export const MAX_CACHED_VISITORS = 2000; // users whose read marks are cached
export const MAX_VACATED_NAMES = 10_000; // names of resources removed within one second
export const MAX_SEEN_RANGES = 10_000; // ranges of read marks per room; each change writes the whole set
export const MIN_PICTURE_BYTES = 20; // smaller pictures are refused, as by a real server
/** format 0 text is wrapped at the first blank after this many bytes (as a real server does) */
export const WRAP_AFTER_BYTES = 73;
export const UNBROKEN_LINE_BYTES = 1001; // format 0 text without blanks is wrapped here
export const FIXED_LINE_BYTES = 250; // format 1 lines are wrapped at a blank before this
/** young generation of the room server's thread; V8 would let it grow to 96 for a long list of short-lived objects */
export const BACKEND_YOUNG_HEAP_MIB = 24;
/** rows of a message list per batch; longer lists are streamed */
export const BACKEND_LIST_PAGE_ROWS = 1000;
/** bodies read at once to determine their length, some 20 ms; gateways measure larger ones */
export const BACKEND_MEASURED_BYTES = 16 * MIB;
/** rows per page of a list: five windows while scrolling */
export const MAX_ROWS_AT_ONCE = 500;
/** rows of a whole list per reply of ROWS, some 5 ms */
export const MAX_LISTED_ROWS = 1000;
/** rows with first words per reply, each a lookup: some 20 ms */
export const MAX_DETAILED_ROWS = 200;
export const MAX_FIRST_WORDS_CHARACTERS = 160; // two lines of a list on a phone
/** HTML searched for the images that it shows; longer HTML is assumed to show all */
export const MAX_SHOWING_HTML_BYTES = 64 * KIB;
/** text searched for its first words; the head of an HTML mail may be long */
export const MAX_FIRST_WORDS_INPUT_BYTES = 8 * KIB;
/** resources per reply */
export const MAX_MEMBERS_AT_ONCE = 1000;
/** resources of a folder that is moved, copied or deleted as a whole: each blocks others for some 30 microseconds */
export const MAX_TREE_MEMBERS = 10_000;
/** resources renamed, copied or moved per transaction, some 50 ms */
export const MAX_PLACED_MEMBERS = 500;
/** bodies of these if they must be indexed again: about 100 ms; a single one may be larger */
export const MAX_PLACED_BYTES = 4 * MIB;
/** properties of a room or resource, and bytes of a value: a time zone has some thousand */
export const MAX_MEMBER_PROPERTIES = 200;
export const MAX_PROPERTY_BYTES = 64 * KIB;
export const MAX_PROPERTY_NAME_BYTES = 1000; // namespace and local name
/** text of a property change */
export const MAX_PROPERTIES_TEXT_BYTES = MIB;
export const MAX_PROPERTIES_AT_ONCE = 100; // resources whose properties fit one reply: 6 MiB at worst
/** names looked up per reply; a command line holds some hundred */
export const MAX_FOUND_MEMBERS = 1000;
/** contents per reply, and their total size, which a gateway buffers; a single one may have MAX_OBJECT_BYTES */
export const MAX_CONTENTS_AT_ONCE = 1000;
export const BACKEND_CONTENTS_BYTES = MIB;
/** content included in a listing of resources, enough for most events, cards and notes */
export const MAX_CONTENT_WITH_MEMBER_BYTES = 16 * KIB;
/** text of a message considered for the full-text index, including HTML tags */
export const MAX_INDEXED_TEXT_BYTES = MIB;
/** indexed text per message, some 40,000 words: indexing blocks others */
export const MAX_INDEXED_WORDS_BYTES = 256 * KIB;
/** messages whose indexing is deferred to the end of their transaction: 16 MiB at most */
export const MAX_LATE_INDEXED = 64;
export const MAX_OBJECT_BYTES = MIB; // an event, card or note that is parsed when it is stored
export const MAX_SEARCH_WORDS = 32; // words of a search, each an index lookup
/** text from which an excerpt is taken */
export const MAX_EXCERPT_INPUT_BYTES = 64 * KIB;
export const MAX_EXCERPT_CHARACTERS = 200;
export const MAX_HITS_AT_ONCE = 100; // hits with excerpts per reply, some 20 ms
export const MAX_SEARCH_HITS = 10_000; // latest hits of a search
/** rooms named in an index query; with more of them, hits are frequent enough without */
export const MAX_SEARCH_ROOM_WORDS = 500;
/** passwords that a real server does not truncate (quirks Q35, Q36) */
export const REAL_SERVER_PASSWORD_BYTES = 31;
export const REAL_SERVER_ROOM_PASSWORD_BYTES = 9;
export const MAX_SEARCHED_ROOMS = 1000; // rooms of a search
/** rooms queried at once, so that other requests of the user get a turn */
export const SEARCHED_ROOMS_AT_ONCE = 50;
export const MAX_SEARCH_RESULTS = 1000; // results of a search
export const MAX_COMPLETIONS = 50; // suggestions for a recipient
/** latest cards of an address book considered for suggestions */
export const MAX_COMPLETION_CARDS = 5000;
export const MAX_COMPLETION_BOOKS = 50; // address books cached for suggestions
export const MAX_RECIPIENTS = 1000; // recipients of a message, each of which gets a reference
export const MAX_LIST_FIELDS = 100; // header names and template lines of MSGS
export const MAX_LIST_INPUT_BYTES = MAX_LIST_FIELDS * 256; // all of them: lines of 255 bytes with their line ends
export const MAX_LIST_TEXT_BYTES = 64 * KIB; // a `text` column of MSGS mode 8, buffered in memory
/** chat lines stored per room, each for CHAT_LINE_SECONDS */
export const MAX_CHAT_LINES = 500;
export const MAX_CHAT_LINE_BYTES = 1023;
/** chat lines of all rooms, in memory: above it, the longest chats lose their oldest lines */
export const MAX_CHATTED_LINES = 20_000;
export const CHAT_LINE_SECONDS = 300; // as on a real server (protocol section 18.10)
export const MAX_SETTING_CHARACTERS = 255; // value of a site setting
/** name of a client program (IDEN); a real server stores no more */
export const MAX_CLIENT_NAME_CHARACTERS = 31;
/** system messages edited by administrators (hello, goodbye, …), and the length of a name */
export const MAX_SYSTEM_MESSAGES = 100;
export const MAX_SYSTEM_MESSAGE_NAME_BYTES = 32;
export const REGISTRATION_LINES = 8; // lines of REGI: name to country
export const MAX_REGISTRATION_LINE_BYTES = 255;
export const MAX_USER_ADDRESSES = 50; // mail addresses of one user
export const MAX_ADDRESS_LOCAL_BYTES = 64; // the part of a mail address before the @ (RFC 5321 section 4.5.3.1.1)
/** inbox rules per user, all evaluated for every mail */
export const MAX_INBOX_RULES = 100;
export const MAX_INBOX_RULE_BYTES = 4 * KIB;
/** characters compared by a user's rules for a mail, some milliseconds; above it, the mail stays in the inbox */
export const MAX_RULE_STEPS = 1_000_000;
/** components of an ICAL putics, and size of the calendar */
export const MAX_CALENDAR_COMPONENTS = 4000;
export const MAX_CALENDAR_BYTES = 4 * MIB;
export const MAX_WRITE_BYTES = 100_000; // per WRIT, as on a real server
export const MAX_ROOM_FILES = 10_000; // files of a directory room, all listed by RDIR
export const MAX_DIRECTORY_BYTES = 64 * 1024 * MIB; // files of all directory rooms: above it, uploads are refused
export const MAX_FILE_FIELD_BYTES = 255; // name, type or comment of such a file
/** head of a message, or read marks, transferred by `vestibule copy`: marks of a visit are below 256 KiB */
export const MAX_TRANSFER_TEXT_BYTES = MIB;
/** references of a migrated message, nearest ones: they share a command line with subject and UID */
export const MAX_REFERENCES_BYTES = 2000;
/** messages recorded at once in the migration state; later ones are recognized by their marks */
export const BROUGHT_BATCH_MESSAGES = 100;
/** an LMTP reply: lines of 512 bytes (RFC 5321 section 4.5.3.1.5), some dozen for LHLO */
export const MAX_LMTP_REPLY_BYTES = 16 * KIB;
export const LMTP_TIMEOUT_MS = 60_000; // of silence; the server is local
export const MAX_COPY_SESSIONS = 8; // user log-ins of `vestibule copy` at an ordinary room server
/** individual read marks set per user and room at an ordinary room server; more of them break its sets (quirk Q17) */
export const MAX_COPIED_MARKS = 500;
export const MAX_READ_BYTES = 4096; // per READ, as on a real server
/** scheduling messages of a change, multiplied by recipients: as much as a calendar of ICAL */
export const MAX_SCHEDULING_BYTES = MAX_CALENDAR_BYTES;
/** a scheduling message, which is applied in one stretch of up to 30 ms; MAX_ATTENDEES guests need some 100 KiB */
export const MAX_SCHEDULING_MESSAGE_BYTES = 128 * KIB;
/** undelivered scheduling messages per user: some seconds of work; more are rejected (5.1) */
export const MAX_PENDING_DELIVERIES = 5000;
/** guests who are notified of another guest's reply; in larger events only the organizer is */
export const MAX_REFRESHED_ATTENDEES = 50;
/** users in a free-busy query */
export const MAX_BUSY_USERS = 100;
/** period of a free-busy query; people look at weeks */
export const MAX_BUSY_SECONDS = 366 * 24 * 3600;
/** read ranges scanned before others get a turn: a set has up to MAX_SEEN_RANGES, and many may be empty */
export const PIECE_RANGES = 50;
/** size to which the write-ahead log shrinks after a large upload */
export const MAX_IDLE_LOG_BYTES = 64 * MIB;
/** SQLite pages in memory: enough for the index entry of a word in half a million messages */
export const PAGE_CACHE_BYTES = 16 * MIB;
