// Bounds of WebDAV: bytes, counts, depth and time that a peer controls, each with its reason.

import { KIB, MIB } from './units.ts';

export { MAX_KEPT_LISTS_BYTES, MAX_KEPT_OBJECT_BYTES, MAX_LOCKS, MAX_LOCKS_PER_USER } from './settable.ts';

// DAV (RFC 4918) and its XML
export const MAX_XML_BYTES = MIB; // a multiget of some thousand hrefs
export const MAX_SHORT_XML_BYTES = 16 * KIB; // read at once, in half a millisecond at worst; what programs mostly send
export const XML_TURN_MS = 1; // a longer one is read so long at a stretch, then others have their turn
export const MAX_XML_DEPTH = 32; // what clients send is at most eight deep
export const MAX_XML_ELEMENTS = 20_000; // some thousand hrefs, each in an element or two
export const MAX_XML_ATTRIBUTES = 64; // of one element, namespace declarations included
export const MAX_XML_ATTRIBUTE_CHARACTERS = 16 * KIB; // of a value; the longest are texts that are searched for
export const MAX_XML_NAMESPACE_CHARACTERS = 1000; // of its name, of which each element may make a copy
/** properties that one PROPFIND or PROPPATCH may name: each is answered for every member */
export const MAX_DAV_PROPERTIES = 200;
/** UTF-16 units of their names with those of the namespaces, of all together */
export const MAX_DAV_PROPERTY_CHARACTERS = 16 * KIB;
/** elements of one filter of a query, each tested for every object; a search for three words in six fields takes 60 */
export const MAX_FILTER_ELEMENTS = 100;
/** UTF-16 units of a text that is searched for: each is looked at for every value; nobody types more */
export const MAX_MATCH_TEXT_CHARACTERS = 1000;
/** components and properties that a report may pick of calendar data: each is looked up for every object */
export const MAX_PICKED_PARTS = 500;
/** bytes of properties of members that are held for one list of a room: some 20,000 colours or comments */
export const MAX_HELD_PROPERTY_BYTES = 4 * MIB;
/** of a room that has more, members that are asked for theirs at once: each may have 12 MiB, mostly has 100 bytes */
export const PROPERTY_MEMBERS_AT_ONCE = 8;
/** rooms of a list that are asked at once whether they have changed: each is a GOTO and a question in one write */
export const ROOMS_AT_ONCE = 32;
/** rooms of a home that a query asks at once: of each up to a thousand members are held, some 300 kB */
export const QUERIED_ROOMS_AT_ONCE = 8;
/** bodies of PROPFIND whose meaning is kept; up to this length, which those of programs have */
export const MAX_KNOWN_PROPFINDS = 200;
export const MAX_KNOWN_PROPFIND_BYTES = 2 * KIB;
/** resources that one D:expand-property shows in place of hrefs: each is asked for */
export const MAX_EXPANDED_RESOURCES = 100;
/** a token up to this length is its room's getctag as it is, a longer one is told by its digest */
export const MAX_CTAG_CHARACTERS = 100;
/** periods of one free-busy answer, each a line of it; busy every hour for a year */
export const MAX_BUSY_PERIODS = 10_000;
/** of a question for busy times: a hundred people, of whom each is answered with a part of it */
export const MAX_BUSY_QUESTION_BYTES = 128 * KIB;
/** responses of a sync-collection with a limit, however high that is: they are put in order, 300 bytes each */
export const MAX_LIMITED_RESPONSES = 10_000;
/** name under which a client PUTs a message, or of one folder on the way to it; what file systems allow */
export const MAX_MESSAGE_NAME_BYTES = 255;
/** the same with all folders: percent-encoded it still fits a stored header line of a real server, 4095 bytes */
export const MAX_FILE_PATH_BYTES = 1000;
export const MAX_FOLDER_DEPTH = 32; // segments of a path inside a room; people nest some ten
/** name, type and length of messages, kept because they never change; about 300 bytes each */
export const MAX_STORED_TRAITS = 50_000;
/** messages of which is known whether they are anonymous, some 50 bytes each; as many as a large room lists */
export const MAX_KNOWN_ANONYMITY = 200_000;
/** messages whose headers and part list are kept, with the content where it is small: 12 kB each at worst */
export const MAX_KNOWN_MESSAGES = 4000;
export const MAX_KEPT_HEADER_CHARACTERS = 4 * KIB;
export const MAX_KEPT_CONTENT_BYTES = 4 * KIB;
/**
 * while another gateway replaces a message, for some milliseconds, two messages have its name; if both are there after
 * this time, they are two files
 */
export const RIVALS_WAIT_MS = 50;
export const LOOKS_AT_RIVALS = 3;
/** how often a name is asked for again when its message was replaced while it was read */
export const LOOKS_AT_A_NAME = 10;
export const MAX_FOUND_NAMES = 20_000; // names of messages with the number they were found under; about 200 bytes each
/** messages that are asked for in one write: headers, then parts, then contents, of which none is kept */
export const BATCH_MESSAGES = 500;
/** names that are looked up in one write, some twenty command lines */
export const NAMES_AT_ONCE = 1000;
/** members that are known already and written at once: more of them outlive a collection of garbage */
export const MEMBERS_AT_ONCE = 100;
/** what a member of a kept list takes beside its names, the XML that was last made of it included */
export const KEPT_MEMBER_BYTES = 1000;
/** one of them: some 10,000 members; longer ones are asked for page by page each time */
export const MAX_KEPT_LIST_BYTES = 12 * MIB;
/** rooms of which is known under what number a user sees them; some 100 bytes each */
export const MAX_KNOWN_ROOM_NUMBERS = 20_000;
/** times of messages that were copied to the room server, kept because they never change; about 100 bytes each */
export const MAX_ORIGINAL_TIMES = 100_000;
/**
 * of these, how many a list of messages may ask for: a second's work of a real server; the next list asks for the rest
 */
export const MAX_ORIGINAL_TIMES_PER_LIST = 5000;
/** how soon a gateway notices that a first copy has come */
export const SECONDS_BETWEEN_COPY_QUESTIONS = 60;
export const SECONDS_AFTER_NO_ANSWER = 1; // the same, where the first caller may not know
/** content that one PROPFIND reads to learn lengths that nothing tells; beyond it a length is left out */
export const MAX_MEASURED_BYTES = 64 * MIB;
/**
 * a sync-token that lists the numbers of a room's messages, packed: some ten thousand scattered ones, or a thousand
 * rooms of a home; clients keep it
 */
export const MAX_SYNC_TOKEN_BYTES = 24 * KIB;
export const MAX_UNPACKED_TOKEN_BYTES = MIB; // the same unpacked: a million messages in a row
/** calendar objects and cards that a report reads ahead; one of MAX_OBJECT_BYTES fits */
export const MAX_READ_AHEAD_BYTES = 4 * MIB;
/** taken for the length of an object of which nothing tells it: most are smaller */
export const ASSUMED_OBJECT_BYTES = 8 * KIB;
/**
 * messages that one command copies: a number has 15 digits at most, and a real server cuts command lines at 4095 bytes
 */
export const MAX_COPIED_AT_ONCE = 200;
/** a multistatus up to this size, of some 1000 members, is sent whole, with its length; a larger one is streamed */
export const MAX_COLLECTED_XML_BYTES = 256 * KIB;
/** the same for the time that it takes: who waits longer for the first byte may take the server for dead */
export const MAX_COLLECTING_XML_MS = 250;
/** guests of one event that a foreign room server is asked about one by one, where it does not take all of them */
export const MAX_PROBED_GUESTS = 50;
/** invitations that go with the calendar they are in: each sends its messages, some milliseconds */
export const MAX_REMOVED_INVITATIONS = 1000;
/** members of a folder that cannot be deleted or copied: each is named, and after so many the rest is left alone */
export const MAX_FAILED_MEMBERS = 100;
/** a mail whose invitation is to be answered: those that programs send have some kilobytes */
export const MAX_INVITATION_BYTES = 2 * MIB;

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
