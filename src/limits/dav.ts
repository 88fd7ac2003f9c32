// Limits of WebDAV, its caches and locks, each with its reason.

import { KIB, MIB } from './units.ts';

export { MAX_KEPT_LISTS_BYTES, MAX_KEPT_OBJECT_BYTES, MAX_LOCKS, MAX_LOCKS_PER_USER } from './settable.ts';

// DAV (RFC 4918) and its XML
export const MAX_XML_BYTES = MIB; // a multiget of some thousand hrefs
/** parsed at once, at worst in half a millisecond; most programs send less */
export const MAX_SHORT_XML_BYTES = 16 * KIB;
export const XML_TURN_MS = 1; // longer XML is parsed in slices of this length
export const MAX_XML_DEPTH = 32; // clients use at most eight
export const MAX_XML_ELEMENTS = 20_000; // some thousand hrefs, one or two elements each
export const MAX_XML_ATTRIBUTES = 64; // per element, including namespace declarations
export const MAX_XML_ATTRIBUTE_CHARACTERS = 16 * KIB; // of a value; the longest are search texts
export const MAX_XML_NAMESPACE_CHARACTERS = 1000; // of a namespace name, which each element may copy
export const MAX_DAV_PROPERTIES = 200; // named in one PROPFIND or PROPPATCH: each is answered for every member
export const MAX_DAV_PROPERTY_CHARACTERS = 16 * KIB; // total UTF-16 units of their names and namespaces
/** per query, each tested for every object; a search for three words in six fields takes 60 */
export const MAX_FILTER_ELEMENTS = 100;
export const MAX_MATCH_TEXT_CHARACTERS = 1000; // UTF-16 units of a search text, compared with every value
/** components and properties selected from calendar data, looked up for every object */
export const MAX_PICKED_PARTS = 500;
/** properties of members held for one list: some 20,000 colours or comments */
export const MAX_HELD_PROPERTY_BYTES = 4 * MIB;
/** beyond that, members read at once: each may have 12 MiB, but usually has 100 bytes */
export const PROPERTY_MEMBERS_AT_ONCE = 8;
export const ROOMS_AT_ONCE = 32; // rooms checked for changes in one write, each with GOTO and a question
export const QUERIED_ROOMS_AT_ONCE = 8; // rooms of a home queried at once: up to a thousand members each, some 300 kB
export const MAX_KNOWN_PROPFINDS = 200; // cache of parsed PROPFIND bodies, up to a length that programs use
export const MAX_KNOWN_PROPFIND_BYTES = 2 * KIB;
export const MAX_EXPANDED_RESOURCES = 100; // resources that replace hrefs in one D:expand-property; each is read
export const MAX_CTAG_CHARACTERS = 100; // a longer token is replaced by its digest in getctag
export const MAX_BUSY_PERIODS = 10_000; // lines of one free-busy answer: busy every hour for a year
export const MAX_BUSY_QUESTION_BYTES = 128 * KIB; // a free-busy request for a hundred people
/** of a sync-collection with a limit, whatever the limit: they are sorted, 300 bytes each */
export const MAX_LIMITED_RESPONSES = 10_000;
export const MAX_MESSAGE_NAME_BYTES = 255; // name of a PUT message, or of a folder: as in file systems
/** including folders: percent-encoded it fits a header line of a real server, 4095 bytes */
export const MAX_FILE_PATH_BYTES = 1000;
export const MAX_FOLDER_DEPTH = 32; // segments of a path inside a room; people use some ten
/** name, type and length of messages, kept because they never change; about 300 bytes each */
export const MAX_STORED_TRAITS = 50_000;
/** messages whose anonymity is cached, some 50 bytes each; as many as a large room has */
export const MAX_KNOWN_ANONYMITY = 200_000;
export const MAX_KNOWN_MESSAGES = 4000; // cached headers and part lists, with small contents: at worst 12 kB each
export const MAX_KEPT_HEADER_CHARACTERS = 4 * KIB;
export const MAX_KEPT_CONTENT_BYTES = 4 * KIB;
/** two messages have the same name for some milliseconds during a replacement; after this time they are two files */
export const RIVALS_WAIT_MS = 50;
export const LOOKS_AT_RIVALS = 3;
export const LOOKS_AT_A_NAME = 10; // attempts to read a name whose message is being replaced
export const MAX_FOUND_NAMES = 20_000; // cached names of messages with their numbers; about 200 bytes each
export const BATCH_MESSAGES = 500; // messages requested in one write: headers, then parts, then contents
export const NAMES_AT_ONCE = 1000; // names looked up in one write, some twenty command lines
/** members that are known already and written at once: more of them outlive a collection of garbage */
export const MEMBERS_AT_ONCE = 100;
export const KEPT_MEMBER_BYTES = 1000; // memory of a cached member besides its names, including its last XML
/** one cached list: some 10,000 members; longer ones are read page by page each time */
export const MAX_KEPT_LIST_BYTES = 12 * MIB;
export const MAX_KNOWN_ROOM_NUMBERS = 20_000; // cached room numbers of users; some 100 bytes each
export const MAX_ORIGINAL_TIMES = 100_000; // cached times of migrated messages; about 100 bytes each
/** read for one list: a second of work for a real server; the next list reads the rest */
export const MAX_ORIGINAL_TIMES_PER_LIST = 5000;
export const SECONDS_BETWEEN_COPY_QUESTIONS = 60; // how soon a gateway notices a first migration
export const SECONDS_AFTER_NO_ANSWER = 1; // the same, if the first caller may not know
/** content read by one PROPFIND to determine unknown lengths; beyond it they are omitted */
export const MAX_MEASURED_BYTES = 64 * MIB;
/** a packed list of message numbers: some ten thousand scattered ones, or a thousand rooms of a home */
export const MAX_SYNC_TOKEN_BYTES = 24 * KIB;
export const MAX_UNPACKED_TOKEN_BYTES = MIB; // the same unpacked: a million consecutive messages
export const MAX_READ_AHEAD_BYTES = 4 * MIB; // objects that a report reads ahead; one of MAX_OBJECT_BYTES fits
export const ASSUMED_OBJECT_BYTES = 8 * KIB; // assumed size of an object of unknown size; most are smaller
/** messages copied by one command: numbers have at most 15 digits, lines of a real server 4095 bytes */
export const MAX_COPIED_AT_ONCE = 200;
/** a multistatus of this size (some 1000 members) is sent whole, with its length; larger ones are streamed */
export const MAX_COLLECTED_XML_BYTES = 256 * KIB;
export const MAX_COLLECTING_XML_MS = 250; // the same by time: clients may time out without a first byte
/** guests of an event asked about one by one, if a foreign room server rejects one of them */
export const MAX_PROBED_GUESTS = 50;
/** invitations deleted with their calendar: each sends messages, in some milliseconds */
export const MAX_REMOVED_INVITATIONS = 1000;
/** members of a folder that fail to be deleted or copied, each named; then the rest is skipped */
export const MAX_FAILED_MEMBERS = 100;
export const MAX_INVITATION_BYTES = 2 * MIB; // a mail with an invitation to answer; programs send some kilobytes

// WebDAV locks (RFC 4918 section 6)
/** default for clients that request no timeout; others refresh every few minutes */
export const DEFAULT_LOCK_SECONDS = 3600;
/** for `Infinite`: a crashed client blocks others for a day at most */
export const MAX_LOCK_SECONDS = 24 * 3600;
/** the lock owner's description: a name, an address, a link */
export const MAX_LOCK_OWNER_BYTES = 2 * KIB;
/** conditions of an If header: as many locks as a client holds along a path */
export const MAX_IF_CONDITIONS = 100;
/** other resources named in an If header, each of which is looked up */
export const MAX_IF_RESOURCES = 16;
