// Bounds of MIME structure and of what is rendered of it: bytes, counts, depth and time that a peer controls, each with
// its reason.

import { KIB, MIB } from './units.ts';

// MIME
export const MAX_MIME_DEPTH = 16;
export const MAX_MIME_PARTS = 2000;
export const MAX_MIME_HEADER_BYTES = 64 * KIB;
/** after a line that is no header field, the part of a header that is searched for one */
export const MAX_STRAY_HEADER_BYTES = 4 * KIB;
/** fields of one header block; mail that went through many hands has some hundred */
export const MAX_MIME_HEADER_COUNT = 1000;
export const MAX_MIME_PARAMETERS = 100; // parameters of one header field, pieces of a split one (RFC 2231) included
/**
 * file name, type, Content-ID … of a part as stored and listed: every listing of a message shows those of all its parts
 */
export const MAX_PART_FIELD_CHARACTERS = 512;
/** a boundary line with blanks behind it, all that is held back while it may still be one */
export const MAX_DELIMITER_LINE_BYTES = 256;
/** line of a message without its end (RFC 5322 section 2.1.1): longer header lines are folded, longer text encoded */
export const MAX_TEXT_LINE_BYTES = 998;
export const MIN_MIME_PART_BYTES = 3; // a real server drops parts of fewer bytes, line end included (quirk Q38)
/** text of a message that is rendered for JSON; longer text is cut with a note */
export const MAX_RENDERED_TEXT_BYTES = 2 * MIB;
/**
 * UTF-16 units of a rendered text, as HTML or as plain text: tags, marks of quotes and blanks for tabs can be
 * twenty times the text. Twice the longest text is more than any real one becomes.
 */
export const MAX_RENDERED_CHARACTERS = 4 * MIB;
/** of a message that is rendered for JSON: its text stands before its attachments */
export const MAX_RENDERED_SOURCE_BYTES = 4 * MIB;
export const MAX_KEPT_PARTS = 50; // of a message in one place of the cache of headers and lists of parts
/** ways to leave a mailing list that one message names; real ones name two */
export const MAX_UNSUBSCRIBE_ADDRESSES = 4;
/** of one of them, which is an address with a token; longer ones open in no browser */
export const MAX_UNSUBSCRIBE_CHARACTERS = 2000;
/** text of a Date field; a longer one is no date */
export const MAX_DATE_CHARACTERS = 200;
/** names of charsets of one text that nobody knows: each is looked up, and mail has one at most */
export const MAX_UNKNOWN_CHARSETS = 10;
/** name of a charset; the longest label of the Encoding Standard has 19 characters */
export const MAX_CHARSET_CHARACTERS = 40;
/** labels of charsets whose meaning is remembered; the mail of a site names some dozens */
export const MAX_CACHED_CHARSETS = 200;
/** parts of a message that are looked into for a message of their own: winmail.dat, signed data, uuencoded files */
export const MAX_UNPACKED_PARTS = 20;
/** files in one of them */
export const MAX_UNPACKED_FILES = 200;
/** such a part, decoded, out of which a file is fetched, and what is found in all parts of a message: held in memory */
export const MAX_UNPACKED_BYTES = 32 * MIB;
export const MAX_TNEF_PROPERTIES = 2000; // of one message or file in a winmail.dat; Outlook writes some hundred
export const MAX_TNEF_DEPTH = 4; // messages inside each other in a winmail.dat; each level takes a third more bytes
export const MAX_RTF_DEPTH = 100; // groups inside each other whose properties are kept; Word writes some ten
export const MAX_DER_DEPTH = 16; // elements of indefinite length inside each other in S/MIME data; real ones have six
/** start of a page that is scanned for its charset, as browsers do (HTML standard) */
export const META_CHARSET_BYTES = 1024;
/** lines of a calendar or contact that are looked at: each becomes an object in memory */
export const MAX_CONTENT_LINES = 20_000;
/** of a content line, and of the group before it; longer ones are no line */
export const MAX_PROPERTY_NAME_CHARACTERS = 100;
export const MAX_CONTENT_PARAMETERS = 100; // of one line, as of a header field; those beyond are not looked at
export const MAX_RECURRENCE_CHARACTERS = 1000; // a longer rule is not put into words; real ones stay below 200
export const MAX_OBJECT_DEPTH = 8; // components inside each other; a calendar has three levels
/** UTF-16 units of a calendar or contact that is stored by itself; a contact with a photo has some hundred thousand */
export const MAX_OBJECT_CHARACTERS = 4 * MIB;
/** of one that is stored by itself, folds and all; a megabyte in lines of 75 has 14,000 */
export const MAX_OBJECT_LINES = 50_000;
/** of one calendar object, overrides, alarms and time zones together; a daily series changed each day for years */
export const MAX_OBJECT_COMPONENTS = 2000;
/** of a recurrence: periods, days and times looked at for one question; a day by day look at 250 years, about 20 ms */
export const MAX_RECURRENCE_STEPS = 100_000;
/** the same for an object that is stored: what takes more is read by each query; daily for six years, 2 ms at worst */
export const MAX_EXTENT_STEPS = 5000;
/** that one question goes through or one object is expanded to; a daily event for 27 years */
export const MAX_OCCURRENCES = 10_000;
/** UTF-16 units of one object that is expanded, all instances together; a daily event of 2 kB for ten years */
export const MAX_EXPANDED_CHARACTERS = 8 * MIB;
export const MAX_RULE_CHARACTERS = 4000; // of a recurrence rule that is followed: all days of a year by number are 1500
/** changes of offset kept for a time zone that a calendar brings along; 100 years of summer time */
export const MAX_ZONE_CHANGES = 200;
/** of its rules without an end: of those that are in force there are two; some programs write each change of a law */
export const MAX_ZONE_RULES = 20;
/** years of such a zone kept, and the changes that those rules make in one and the year before: some four */
export const MAX_ZONE_YEARS = 100;
export const MAX_ZONE_YEAR_CHANGES = 20;
/** days and onsets looked at for one year of such a zone; two rules of summer time take some 200 */
export const MAX_ZONE_STEPS = 1000;
/** of all zones of one object, where no question has a bound of its own: 150 years of summer time, 10 ms */
export const MAX_CALENDAR_ZONE_STEPS = 30_000;
/** what a year of a named zone counts as: some 70 questions to Intl, a quarter of a millisecond */
export const ZONE_TABLE_STEPS = 300;
/** such zones kept read, of all calendars, with at most so much text: most events name one of a few */
export const MAX_KEPT_ZONES = 200;
export const MAX_KEPT_ZONE_CHARACTERS = 16 * KIB;
export const MAX_CALENDAR_ZONES = 50; // time zones that one calendar names; further ones count as floating
/** written into one calendar that lacks them, each in up to 70 ms: an event has one for its start and one for its end */
export const MAX_WRITTEN_ZONES = 4;
export const MAX_DATES = 5000; // of one RDATE or EXDATE property, and of all of one event: each day of 14 years
export const MAX_RULES = 4; // RRULE properties of one event; RFC 5545 wants one at most
export const MAX_ZONE_TABLES = 2000; // years of named time zones kept in memory, some 100 bytes each
export const MAX_ZONE_NAME_CHARACTERS = 200; // a name of a time zone, with the path that some programs put before it
export const MAX_DESCRIBED_OBJECTS = 20; // of one part that are put into words, the others are counted
export const MAX_NAMED_EXCEPTIONS = 10; // dates left out of a series that are put into words, the others are counted
/** of a person on a contact, kept for suggestions; the writer of the contact decides their lengths */
export const MAX_PERSON_NAME_CHARACTERS = 200;
export const MAX_PERSON_ADDRESS_CHARACTERS = 254; // a mail address (RFC 5321 section 4.5.3.1.3, without the brackets)
export const MAX_PERSON_ADDRESSES = 10;
/** the longest name of a host (RFC 1035 section 2.3.4); to write a longer one in ASCII takes quadratic time */
export const MAX_HOST_CHARACTERS = 253;
/** and of one label of it */
export const MAX_LABEL_CHARACTERS = 63;
export const MAX_HTML_DEPTH = 256;
/** longest style attribute or block of a rule that is looked at; real mail stays below 1 KiB */
export const MAX_STYLE_CHARACTERS = 16 * KIB;
/** of all style elements of a text; more than that, and none is kept: a part of the rules would look like no design */
export const MAX_SHEET_CHARACTERS = 256 * KIB;
/** of them; newsletters have some hundred */
export const MAX_SELECTORS = 4000;
/** classes, types and other conditions of one selector; real ones have up to ten */
export const MAX_SELECTOR_CONDITIONS = 30;
/** @media rules inside each other; real ones are not nested */
export const MAX_MEDIA_DEPTH = 8;
/** class names of one element */
export const MAX_CLASSES = 30;
/**
 * selectors that are compared with elements, for each character of a text; a newsletter takes two. A browser has to do
 * as much, so what takes more is shown without its style elements
 */
export const MAX_SELECTOR_STEPS = 4;
/**
 * nested quotes and lists of a rendered text; deeper ones are drawn like the last, or each line would repeat a prefix
 */
export const MAX_QUOTE_DEPTH = 32;
/** whom one event may invite; each gets a message */
export const MAX_ATTENDEES = 500;
/** of all messages that one change of an event sends, those that are the same counted once; of what it stores, too */
export const MAX_MESSAGE_LINES = 100_000;
/** UTF-16 units of the same, for a line may be long: an event of 16 kB, another one for each of MAX_ATTENDEES */
export const MAX_MESSAGE_CHARACTERS = 8 * MIB;
/** of PARTSTAT, a word, and SCHEDULE-STATUS, some codes: the server copies them from line to line */
export const MAX_ANSWER_CHARACTERS = 100;
/** stored bytes that are read for each that is wanted of a text: quoted-printable takes little more than three */
export const MAX_ENCODED_SHARE = 4;
/** are read at least, however few are wanted */
export const MIN_DECODED_BYTES = 4 * KIB;
export const MAX_STATUS_CODES = 10; // REQUEST-STATUS codes taken from one scheduling message
export const MAX_SUMMARY_CHARACTERS = 200; // summary of an event in the subject of its mail
export const MAX_TYPE_CHARACTERS = 64; // FBTYPE; longer ones are invalid
