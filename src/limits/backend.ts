// Bounds of the embedded room server, and of a copy of one: what a peer controls, each with its reason.

import { KIB, MIB } from './units.ts';

export {
  BACKEND_MAX_SESSIONS,
  BACKEND_MAX_SESSIONS_PER_ADDRESS,
  MAX_INBOX_MESSAGES,
  MAX_ROOMS_PER_USER,
} from './settable.ts';

// Embedded room server
export const BACKEND_IDLE_MS = 900_000; // what a real server has by default (protocol section 1)

/** one session runs commands for this long before others have their turn, however many it has sent ahead */
export const BACKEND_TURN_MS = 4;

/** changes that become durable together, some 10 ms; others have their turn before the next ones */
export const BACKEND_GROUPED_CHANGES = 64;

/** a change waits for those of others no longer than a slow disk takes to write it */
export const BACKEND_GROUP_WAIT_MS = 1;

/** what a post takes before it is stored, at a stretch: to read a large object takes longer */
export const POSTING_TURN_MS = 1;

/** who has changed something within this time is waited for: longer than a round trip of a busy gateway */
export const BACKEND_WRITER_MS = 25;

/** after work that took longer, a session waits for a turn like those that have much to do */
export const BACKEND_SHORT_WORK_MS = 1;

/** what moves very many bytes rests so many times as long as it has worked, while others ask: they have most of it */
export const BULK_RESTS = 8;

/** others ask who have had an answer within this time */
export const ASKED_LATELY_MS = 50;

/** behind a disk that is slow once, it goes on soon */
export const MAX_BULK_REST_MS = 40;

/** passwords looked at together: each keeps one of the four threads that also serve the files of the gateway */
export const MAX_PASSWORD_CHECKS = 2;

/** that wait for it, with a session each */
export const MAX_WAITING_PASSWORD_CHECKS = 512;

/** of one account or address, which is served one at a time: the last one waits for 15 s */
export const MAX_WAITING_PASSWORD_CHECKS_PER_ASKER = 64;

/** longer no client waits for an answer */
export const PASSWORD_CHECK_WAIT_MS = 30_000;

/** a session that has said QUIT may take this long to close its side, whatever it still sends */
export const BACKEND_LINGER_MS = 2_000;

/** bytes waiting in a session's socket before the server stops reading commands from it */
export const BACKEND_HIGH_WATER_BYTES = 256 * KIB;

/** answers are sent off when there is this much of them, though more commands wait */
export const BACKEND_FLUSH_BYTES = 4 * KIB;

export const BACKEND_MAX_MESSAGE_BYTES = 1024 * MIB; // message body with headers; refused, never cut

export const BACKEND_CHUNK_BYTES = 64 * KIB; // bodies are stored in pieces of this size

export const BACKEND_INLINE_BYTES = 256 * KIB; // a body up to this size is held in memory until it is complete

/** bodies removed in one transaction; a larger one goes in pieces, for sessions wait meanwhile */
export const BACKEND_SWEEP_BYTES = 4 * MIB;

/** messages removed in one transaction when a room is deleted or its old messages expire, about 5 ms */
export const BACKEND_SWEEP_MESSAGES = 50;

/** bodies of the messages that are moved or deleted in one transaction: to index words of this size takes some 20 ms */
export const BACKEND_MOVE_BYTES = 256 * KIB;

export const MOVED_MESSAGE_BYTES = 16 * KIB; // what a message counts there beside its body

export const CARRIED_MARK_BYTES = 160; // and each user whose read mark goes along with it

/** messages that an older release has stored of which is learnt in one transaction what DAV lists, some 5 ms */
export const BACKEND_LEARNT_MESSAGES = 50;

export const EXPIRY_PAGE_ROWS = 1000; // messages whose age is looked at in one go when old ones expire

export const EXPIRY_CHECK_MS = 60_000; // how often it is looked whether the daily removal of old messages is due

export const MAX_EXPIRY_VALUE = 1_000_000; // days or messages of an expiry policy

export const STORAGE_REPORT_SECONDS = 60; // a disk that fails is written to the log this often, whatever it makes fail

/** message numbers that a backup leaves out: more than are given before it is put back */
export const BACKUP_NUMBER_GAP = 1_000_000;

export const MAX_TOLD_FAULTS = 1000; // faults that `vestibule check` tells one by one; the others are counted

export const MAX_LISTED_REVISIONS = 10_000; // versions of a page that WIKI lists, the latest; all are kept

export const MAX_USER_NAME_BYTES = 63;

export const MAX_PASSWORD_BYTES = 256;

export const MAX_ROOM_NAME_BYTES = 127;

/** of a personal room, before which its owner's number and a dot are kept */
export const MAX_PERSONAL_ROOM_NAME_BYTES = MAX_ROOM_NAME_BYTES - 11;

export const MAX_ROOM_PASSWORD_BYTES = 63;

/** rooms opened by password that are remembered, by user; one that is dropped costs one scrypt more */
export const MAX_OPENED_ROOMS = 10_000;

export const MAX_FLOOR_NAME_BYTES = 255;

export const MAX_FLOORS = 16;

/** subject or author of a stored message before it is encoded; what is longer is cut */
export const MAX_HEADER_TEXT_BYTES = 4000;

export const MAX_EUID_BYTES = 1000;

export const MAX_MEMBER_NAME_BYTES = 1000; // of a member of a room, folders included; a command line holds some of them

/** changes of a room that it keeps for those who ask what has changed; who is behind more of them lists all anew */
export const MAX_KEPT_CHANGES = 100_000;

export const DEFAULT_SYNC_DAYS = 30; // and how long; holidays

export const MAX_SYNC_DAYS = 3650;

export const MAX_INFO_TEXT_BYTES = 256 * KIB;

export const MAX_INSTANT_MESSAGES = 100;

/** text of one instant message; a session may hold MAX_INSTANT_MESSAGES of them */
export const MAX_INSTANT_MESSAGE_BYTES = 16 * KIB;

export const MAX_CACHED_VISITORS = 2000; // users whose read marks are kept in memory

export const MAX_VACATED_NAMES = 10_000; // of members that went within one second

export const MAX_SEEN_RANGES = 10_000; // separate ranges of read messages in one room; each change writes the whole set

export const MIN_PICTURE_BYTES = 20; // smaller pictures are refused, as by a real server

/** format 0 text is broken at the first blank behind this many bytes (what a real server does) */
export const WRAP_AFTER_BYTES = 73;

export const UNBROKEN_LINE_BYTES = 1001; // format 0 text without a blank is broken here

export const FIXED_LINE_BYTES = 250; // format 1 lines are broken at a blank before this

/**
 * new objects of the room server's thread: V8 by itself would let them grow to 96 in a long list, of which nothing
 * lives long
 */
export const BACKEND_YOUNG_HEAP_MIB = 24;

/** rows of a message list that are made in one go; longer lists are streamed in pages of this size */
export const BACKEND_LIST_PAGE_ROWS = 1000;

/** a body that is read in one go to learn how long it is for a reader, some 20 ms; a gateway measures larger ones */
export const BACKEND_MEASURED_BYTES = 16 * MIB;

/** rows of a page of a list: five windows of a list that is being scrolled */
export const MAX_ROWS_AT_ONCE = 500;

/** of a whole list in one answer of ROWS, some 5 ms; a gateway asks for the next ones while it sends these */
export const MAX_LISTED_ROWS = 1000;

/** of those with the first words of the messages, each of which is looked up: some 20 ms */
export const MAX_DETAILED_ROWS = 200;

export const MAX_FIRST_WORDS_CHARACTERS = 160; // two lines of a list on a phone

/** of the HTML of a message that is searched for the pictures which it shows; a longer one is taken to show all */
export const MAX_SHOWING_HTML_BYTES = 64 * KIB;

/** bytes of a text that its first words are looked for in; the head of an HTML mail may be long */
export const MAX_FIRST_WORDS_INPUT_BYTES = 8 * KIB;

/** members of a room in one answer; a gateway asks for the next ones while it works on these */
export const MAX_MEMBERS_AT_ONCE = 1000;

/** of a folder that is moved, copied or deleted as a whole: all others wait some 30 microseconds for each of them */
export const MAX_TREE_MEMBERS = 10_000;

/** members that get other names, or are copied or moved, in one transaction, some 50 ms; the others come in the next */
export const MAX_PLACED_MEMBERS = 500;

/** and their bodies, where their words are indexed anew: about 100 ms; a single one may be larger */
export const MAX_PLACED_BYTES = 4 * MIB;

/** of one room or member; and of one of them, the bytes of its value: a time zone has some thousand */
export const MAX_MEMBER_PROPERTIES = 200;

export const MAX_PROPERTY_BYTES = 64 * KIB;

export const MAX_PROPERTY_NAME_BYTES = 1000; // namespace and local name

/** text of one change of properties */
export const MAX_PROPERTIES_TEXT_BYTES = MIB;

export const MAX_PROPERTIES_AT_ONCE = 100; // of the members of a room in one answer: 6 MiB at worst

/** names that are looked up in one answer; a command line holds some hundred */
export const MAX_FOUND_MEMBERS = 1000;

/** contents in one answer, and their bytes, which a gateway collects; a single one may have MAX_OBJECT_BYTES */
export const MAX_CONTENTS_AT_ONCE = 1000;

export const BACKEND_CONTENTS_BYTES = MIB;

/**
 * content that comes with what is told of its member: of most events, cards and notes; more is asked for and streamed
 */
export const MAX_CONTENT_WITH_MEMBER_BYTES = 16 * KIB;

/** text of a message that is looked at for the full-text index, the marks of HTML included */
export const MAX_INDEXED_TEXT_BYTES = MIB;

/** what goes into the index of it, some 40,000 words: all others wait while it does */
export const MAX_INDEXED_WORDS_BYTES = 256 * KIB;

/** messages whose words are kept for the end of their transaction, to be indexed together: 16 MiB at most */
export const MAX_LATE_INDEXED = 64;

export const MAX_OBJECT_BYTES = MIB; // an event, card or note whose properties are read when it is stored

export const MAX_SEARCH_WORDS = 32; // words of one search: each costs an index look-up

/** bytes of a text that an excerpt with the words of a search is taken from */
export const MAX_EXCERPT_INPUT_BYTES = 64 * KIB;

export const MAX_EXCERPT_CHARACTERS = 200;

export const MAX_HITS_AT_ONCE = 100; // hits with excerpts in one answer, some 20 ms

export const MAX_SEARCH_HITS = 10_000; // hits of one search, the latest ones

/** rooms that are part of a question to the index; who knows more of them gets hits soon enough without */
export const MAX_SEARCH_ROOM_WORDS = 500;

/** passwords of users and rooms that a real server keeps whole (quirks Q35, Q36) */
export const REAL_SERVER_PASSWORD_BYTES = 31;

export const REAL_SERVER_ROOM_PASSWORD_BYTES = 9;

export const MAX_SEARCHED_ROOMS = 1000; // rooms that one search goes through

/** rooms that are asked in one go, so that other requests of the user get their turn */
export const SEARCHED_ROOMS_AT_ONCE = 50;

export const MAX_SEARCH_RESULTS = 1000; // messages that one search answers with

export const MAX_COMPLETIONS = 50; // suggestions for one recipient: nobody reads more

/** cards of one address book that are looked at for suggestions, the latest first */
export const MAX_COMPLETION_CARDS = 5000;

export const MAX_COMPLETION_BOOKS = 50; // address books whose cards are kept in memory for suggestions

export const MAX_RECIPIENTS = 1000; // recipients of one message, each of which gets a reference

export const MAX_LIST_FIELDS = 100; // header names and template lines of one MSGS

export const MAX_LIST_INPUT_BYTES = MAX_LIST_FIELDS * 256; // all of them: a line has 255 bytes and its end

export const MAX_LIST_TEXT_BYTES = 64 * KIB; // bytes of a `text` column of MSGS mode 8, which is collected in memory

/** lines of one room's chat that are kept, each for CHAT_LINE_SECONDS */
export const MAX_CHAT_LINES = 500;

export const MAX_CHAT_LINE_BYTES = 1023;

/** lines of all chats together, in memory: beyond, the longest chats lose their oldest */
export const MAX_CHATTED_LINES = 20_000;

export const CHAT_LINE_SECONDS = 300; // as a real server has it (protocol section 18.10)

export const MAX_SETTING_CHARACTERS = 255; // value of one setting of the site

/** name of a client program (IDEN), as others see it in the list of sessions; a real server keeps no more */
export const MAX_CLIENT_NAME_CHARACTERS = 31;

/** system messages that administrators write (hello, goodbye, …), and the name of one */
export const MAX_SYSTEM_MESSAGES = 100;

export const MAX_SYSTEM_MESSAGE_NAME_BYTES = 32;

export const REGISTRATION_LINES = 8; // lines of REGI: name to country

export const MAX_REGISTRATION_LINE_BYTES = 255;

export const MAX_USER_ADDRESSES = 50; // mail addresses of one user

export const MAX_ADDRESS_LOCAL_BYTES = 64; // the part of a mail address before the @ (RFC 5321 section 4.5.3.1.1)

/** inbox rules of one user, each of which is looked at for every mail */
export const MAX_INBOX_RULES = 100;

export const MAX_INBOX_RULE_BYTES = 4 * KIB;

/**
 * characters that the patterns of one user's rules compare for one mail, some milliseconds; beyond, it stays in the
 * inbox
 */
export const MAX_RULE_STEPS = 1_000_000;

/** components of one ICAL putics, and bytes of the whole calendar */
export const MAX_CALENDAR_COMPONENTS = 4000;

export const MAX_CALENDAR_BYTES = 4 * MIB;

export const MAX_WRITE_BYTES = 100_000; // bytes one WRIT takes at most; a real server takes no more either

export const MAX_ROOM_FILES = 10_000; // files of one directory room, all of which RDIR lists

export const MAX_DIRECTORY_BYTES = 64 * 1024 * MIB; // files of all directory rooms together: beyond, no upload begins

export const MAX_FILE_FIELD_BYTES = 255; // name, type or comment of such a file

/**
 * head of a message, or read marks, that `vestibule copy` brings in one text: the marks of one visit are below 256 KiB
 */
export const MAX_TRANSFER_TEXT_BYTES = MIB;

/** ids of what a copied message answers to, the nearest ones: they share a command line with its subject and UID */
export const MAX_REFERENCES_BYTES = 2000;

/**
 * messages that are noted at an ordinary room server at a time; those posted since are known by what is written into
 * them, unless somebody deletes one before the copy goes on
 */
export const BROUGHT_BATCH_MESSAGES = 100;

/**
 * what an LMTP server says to one command: lines of 512 bytes at most (RFC 5321 section 4.5.3.1.5), of LHLO some dozen
 */
export const MAX_LMTP_REPLY_BYTES = 16 * KIB;

export const LMTP_TIMEOUT_MS = 60_000; // without a byte; the server is on this machine

export const MAX_COPY_SESSIONS = 8; // users of an ordinary room server that `vestibule copy` is logged in as at a time

/**
 * single read marks of one user in one room that are sent to an ordinary room server; beyond, its sets break (quirk
 * Q17)
 */
export const MAX_COPIED_MARKS = 500;

export const MAX_READ_BYTES = 4096; // bytes one READ answers at most; a real server sends no more either

/** scheduling messages of one change, each with its recipients: as much as one calendar of ICAL */
export const MAX_SCHEDULING_BYTES = MAX_CALENDAR_BYTES;

/**
 * one of them: it is read, applied and stored in one go, 30 ms at worst, while all others wait; an event with
 * MAX_ATTENDEES guests has some 100 KiB
 */
export const MAX_SCHEDULING_MESSAGE_BYTES = 128 * KIB;

/** scheduling messages of one user that are on their way: some seconds' work; more are not delivered (5.1) */
export const MAX_PENDING_DELIVERIES = 5000;

/** guests who are told what another one has answered; of a larger event only the organizer knows */
export const MAX_REFRESHED_ATTENDEES = 50;

/** whose busy times one question asks for */
export const MAX_BUSY_USERS = 100;

/** from the first to the last day of a question for busy times; people look at weeks */
export const MAX_BUSY_SECONDS = 366 * 24 * 3600;

/** ranges that are looked through before others have their turn: a set has MAX_SEEN_RANGES, and many may be empty */
export const PIECE_RANGES = 50;
