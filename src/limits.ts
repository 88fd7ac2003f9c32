// Every bound on bytes, counts, depth and time, named, with its reason. A peer controls each of these values.
// Imported by all layers; no other file holds a bare bound.

const KIB = 1024;
const MIB = 1024 * KIB;

// Line protocol, both sides (spec: a command line is cut at 4095 bytes by a real server)
export const MAX_COMMAND_BYTES = 4095; // longest command line we send; a real server silently drops what follows
/** longest reply or listing line kept as text; a real server cuts its own at 1022, message text is streamed instead */
export const MAX_LINE_BYTES = 64 * KIB;
/** most lines of a listing that is collected in memory (a room of 200,000 messages lists as many rows) */
export const MAX_LISTING_LINES = 500_000;
export const MAX_LISTING_BYTES = 64 * MIB; // most bytes of a listing that is collected in memory
export const STREAM_CHUNK_BYTES = 64 * KIB; // bytes asked from a socket or a file at once when streaming

// Pool of connections to the room server
export const MAX_CONNECTIONS = 256; // connections in all; a real server handles about 1000
/** the same to the embedded room server, whose sessions cost little; less than BACKEND_MAX_SESSIONS */
export const OWN_MAX_CONNECTIONS = 900;
export const MAX_CONNECTIONS_PER_IDENTITY = 8; // connections of one identity: some slow downloads beside short reads
export const MAX_CONNECTIONS_OF_GUESTS = 64; // of all who have not logged in: many visitors, one identity
/** connections of one account, however its name and password are spelled: more than one spelling needs, far from all */
export const MAX_CONNECTIONS_PER_ACCOUNT = 16;
export const MAX_WAITING_PER_IDENTITY = 1000; // requests that may wait for a connection of one identity before 503
export const MAX_WAIT_MS = 15_000; // wait for a connection that others hold, e.g. for slow downloads, before 503
/** a real server closes idle sessions after 900 s; closing first avoids stale sockets */
export const CONNECTION_IDLE_MS = 60_000;
/** after this a connection logs in anew, so that changed passwords and rights are noticed */
export const CONNECTION_MAX_AGE_MS = 120_000;
/** the same where the embedded room server ends the sessions of who has a new password: there a log-in costs 80 ms */
export const OWN_CONNECTION_MAX_AGE_MS = 600_000;
/** a page in the background asks for instant messages once a minute at least */
export const RECEIVER_IDLE_MS = 300_000;
export const CONNECT_TIMEOUT_MS = 10_000;
export const MAX_UNIX_PATH_BYTES = 107; // sockaddr_un holds 108 bytes on Linux, the closing NUL included
export const REPLY_TIMEOUT_MS = 30_000; // silence of the room server while it owes an answer
/** binary answer that is collected rather than streamed: small by the part list that announced it */
export const MAX_COLLECTED_BYTES = MIB;
export const MAX_DRAIN_BYTES = MIB; // rest of a listing that is read to its end rather than dropping the connection

// HTTP
/** connections of clients: all event streams, as many that download or wait, and some; each costs about 20 KiB */
export const MAX_HTTP_CONNECTIONS = 5000;
/** of one client, or what runs for it at the same time behind a trusted proxy: a large office behind one address, far from all */
export const MAX_HTTP_CONNECTIONS_PER_ADDRESS = 1000;
/** refused ones that are told so (503, 429) before they are closed; what comes beyond these is closed at once */
export const MAX_REFUSED_CONNECTIONS = 100;
export const MAX_HEADER_BYTES = 16 * KIB; // request line and header fields together (node's own bound)
export const MAX_HEADER_COUNT = 100;
export const MAX_URL_BYTES = 8 * KIB;
export const MAX_PATH_SEGMENTS = 64;
export const MAX_QUERY_PARAMETERS = 100;
export const MAX_COOKIE_COUNT = 50;
export const MAX_SMALL_BODY_BYTES = 64 * KIB; // JSON, forms, login bodies
export const MAX_TEXT_BODY_BYTES = 256 * KIB; // room banner, user profile
export const MAX_TEXT_LINE_SENT_BYTES = 4000; // a line of a banner or profile; a real server cuts at 4095 bytes
export const MAX_INSTANT_MESSAGE_LINE_BYTES = 1000; // a line of an instant message; a real server cuts at 1023 bytes
export const MAX_BODY_BYTES = 512 * MIB; // a PUT message or an uploaded request as a whole
export const MAX_PICTURE_BYTES = 4 * MIB; // user and room pictures
export const SPOOL_MEMORY_BYTES = 64 * KIB; // a body up to this size is kept in memory, a larger one on disk
/** bodies of one account that lie on disk at the same time until the room server has them */
export const MAX_SPOOLED_BYTES_PER_USER = 2048 * MIB;
/** what is read of a refused body so that the client sees the answer, before the connection is closed */
export const MAX_DISCARD_BYTES = 256 * KIB;
export const BODY_IDLE_TIMEOUT_MS = 60_000; // time between two pieces of a request body
export const HEADERS_TIMEOUT_MS = 30_000; // header fields must have arrived
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** a client that takes nothing of the answer that waits for it is dropped at the second look, after twice this time at most */
export const STALL_TIMEOUT_MS = 60_000;
/** a connection with unread bytes stays open this long before it is closed, so that the client can read the answer */
export const LINGER_TIMEOUT_MS = 2000;
export const SHUTDOWN_GRACE_MS = 10_000; // running requests may finish after SIGTERM
export const MIN_COMPRESS_BYTES = KIB; // smaller answers are not worth compressing
export const MAX_COMPRESS_BYTES = 4 * MIB; // larger answers are sent as they are: packing them would stall others

// DAV (RFC 4918) and its XML
export const MAX_XML_BYTES = MIB; // a multiget of some thousand hrefs
export const MAX_XML_DEPTH = 32;
export const MAX_XML_ELEMENTS = 20_000;
export const MAX_XML_ATTRIBUTES = 64; // of one element, namespace declarations included
/** properties that one PROPFIND or PROPPATCH may name: each is answered for every member */
export const MAX_DAV_PROPERTIES = 200;
export const MAX_MESSAGE_NAME_BYTES = 255; // name under which a client PUTs a message; what file systems allow
/** name, type and length of messages, kept because they never change; about 300 bytes each */
export const MAX_STORED_FACTS = 50_000;
/** messages whose headers and part list are kept, with the content where it is small: 12 kB each at worst */
export const MAX_KNOWN_MESSAGES = 4000;
export const MAX_KEPT_HEADER_CHARACTERS = 4 * KIB;
export const MAX_KEPT_CONTENT_BYTES = 4 * KIB;
/** while another gateway replaces a message, a few milliseconds, there are two of its name; if it stays so they are two */
export const RIVALS_WAIT_MS = 50;
export const LOOKS_AT_RIVALS = 3;
/** how often a name is asked for again when its message was replaced while it was read */
export const LOOKS_AT_A_NAME = 10;
export const MAX_FOUND_NAMES = 20_000; // names of messages with the number they were found under; about 200 bytes each
export const FACTS_BATCH_MESSAGES = 200; // messages whose headers are asked for in one write
/** content that one PROPFIND reads to learn lengths that nothing tells; beyond it a length is left out */
export const MAX_MEASURED_BYTES = 64 * MIB;
/** messages that one command copies: a number has 15 digits at most, and a real server cuts command lines at 4095 bytes */
export const MAX_COPIED_AT_ONCE = 200;
export const MEASURED_AT_ONCE = 50; // messages whose parts are asked for in one write to learn a length
/** a multistatus up to this size is sent whole, and packed if the client likes; a larger one is streamed */
export const MAX_COLLECTED_XML_BYTES = MIB;

// multipart/form-data (RFC 7578)
export const MAX_BOUNDARY_BYTES = 70; // RFC 2046 section 5.1.1
/** blanks behind a delimiter: RFC 2046 allows a mail gateway to add some, nobody does */
export const MAX_DELIMITER_PADDING_BYTES = 64;
export const MAX_PART_HEADER_BYTES = 16 * KIB;
export const MAX_PART_HEADER_COUNT = 32;
export const MAX_PARTS = 200;
export const MAX_FILE_NAME_BYTES = 255;

// MIME
export const MAX_MIME_DEPTH = 16;
export const MAX_MIME_PARTS = 2000;
export const MAX_MIME_HEADER_BYTES = 64 * KIB;
/** fields of one header block; mail that went through many hands has some hundred */
export const MAX_MIME_HEADER_COUNT = 1000;
export const MAX_MIME_PARAMETERS = 100; // parameters of one header field, pieces of a split one (RFC 2231) included
/** a boundary line with blanks behind it, all that is held back while it may still be one */
export const MAX_DELIMITER_LINE_BYTES = 256;
export const MAX_TEXT_LINE_BYTES = 998; // RFC 5322 section 2.1.1: longer lines of text travel encoded
export const MIN_MIME_PART_BYTES = 3; // a real server drops parts of fewer bytes, line end included (Q38)
/** text of a message that is rendered for JSON; longer text is cut with a note */
export const MAX_RENDERED_TEXT_BYTES = 2 * MIB;
/** of a message that is rendered for JSON: its text stands before its attachments */
export const MAX_RENDERED_SOURCE_BYTES = 4 * MIB;
export const MAX_READINGS = 1000; // messages kept ready for reading
/** of each of them; what is larger is read anew: a few milliseconds against much memory */
export const MAX_KEPT_TEXT_CHARACTERS = 16 * KIB;
export const MAX_KEPT_PARTS = 50;
/** lines of a calendar or contact that are looked at: each becomes an object in memory */
export const MAX_CONTENT_LINES = 20_000;
export const MAX_OBJECT_DEPTH = 8; // components inside each other; a calendar has three levels
export const MAX_DESCRIBED_OBJECTS = 20; // of one part that are put into words, the others are counted
export const MAX_HTML_DEPTH = 256;
export const MAX_STYLE_CHARACTERS = 16 * KIB; // longest style attribute that is looked at; real mail stays below 1 KiB
/** nested quotes and lists of a rendered text; deeper ones are drawn like the last, or each line would repeat a prefix */
export const MAX_QUOTE_DEPTH = 32;

// Sessions and uploads
export const SESSION_SECONDS = 14 * 24 * 3600;
export const SESSION_RENEW_SECONDS = 3600; // a cookie older than this is sealed anew when used
export const MAX_COOKIE_BYTES = 4000; // RFC 6265 promises 4096 bytes for a cookie
export const UPLOAD_SECONDS = 24 * 3600;
export const MAX_UPLOADS_PER_USER = 1000;
export const MAX_UPLOAD_BYTES_PER_USER = 2048 * MIB;
/** uploads of one user under way at once: their sizes are unknown, so only their number bounds what they take on disk */
export const MAX_UPLOADS_UNDER_WAY_PER_USER = 16;
export const MAX_CONTENT_TYPE_BYTES = 255; // media type of an upload, kept in memory
/** logged-out sessions remembered until they would have expired; none is ever dropped early, a new one is refused */
export const MAX_REVOCATIONS = 1_000_000;
export const FLEET_SWEEP_MS = 3_600_000; // expired uploads and revocations are removed this often
export const MAX_MESSAGE_ATTACHMENTS = 100; // uploads that one message may take along
/** every failed log-in takes this long, so that its time does not tell whether the account exists */
export const FAILED_LOGIN_MS = 400;
/** name or password; a longer one fits neither a cookie nor, on some room servers, a command line */
export const MAX_CREDENTIAL_BYTES = KIB;
/** failed log-ins for one account or one address in LOGIN_WINDOW_SECONDS before 429 */
export const MAX_LOGIN_FAILURES = 10;
export const LOGIN_WINDOW_SECONDS = 300;
/** an attempt that neither failed nor succeeded by then no longer holds one of its MAX_LOGIN_FAILURES places */
export const LOGIN_HOLD_SECONDS = 30;
export const MAX_CACHE_ENTRIES = 10_000; // entries kept by a throttle or cache, oldest dropped

// Log
/** faults of one kind that are written one by one in LOG_PERIOD_MS; further ones are counted */
export const MAX_LOGGED_ALIKE = 10;
export const LOG_PERIOD_MS = 60_000;
export const MAX_LOG_KINDS = 100; // kinds told apart in one period
export const MAX_LOGGED_CAUSE_CHARACTERS = 300;

// Event streams
export const MAX_EVENT_STREAMS = 2000; // streams in all: each is an open connection
export const MAX_EVENT_STREAMS_PER_USER = 16; // of one user: as many windows in sight
/** how often a room server that says nothing by itself is asked, for each user who has a stream open */
export const EVENTS_POLL_MS = 5000;
/** how often one that tells of changes is asked all the same; less than CONNECTION_IDLE_MS keeps its connection open */
export const EVENTS_CHECK_MS = 45_000;
export const EVENTS_RETRY_MS = 1000; // after the connection that told of changes was lost
/** what is known of a user's rooms is kept that long without a stream: reloads and other rooms begin a new one */
export const EVENTS_LINGER_MS = 10_000;
/** silence after which a comment tells proxies that the stream is alive; many give up after 30 s */
export const EVENTS_KEEP_ALIVE_MS = 25_000;
export const EVENTS_RECONNECT_MS = 3000; // told to the client: when it connects again after it has lost the stream
export const MAX_EVENT_NUMBERS = 1000; // message numbers in one event, and numbers kept for each room that is watched

// Embedded room server
/** for each way in, so that strangers on a public address cannot use up what the gateway needs */
export const BACKEND_MAX_SESSIONS = 1000;
/** of one client on a TCP address: a gateway elsewhere has MAX_CONNECTIONS, and people some beside it */
export const BACKEND_MAX_SESSIONS_PER_ADDRESS = 300;
export const BACKEND_IDLE_MS = 900_000; // spec: sessions without a command are closed after 900 s
/** one session runs commands for this long before others have their turn, however many it has sent ahead */
export const BACKEND_TURN_MS = 10;
/** passwords looked at together: each keeps one of the four threads that also serve the files of the gateway */
export const MAX_PASSWORD_CHECKS = 2;
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
export const MAX_ROOM_PASSWORD_BYTES = 63;
export const MAX_ROOMS_PER_USER = 1000; // rooms that one user has made or administers; administrators may have more
export const MAX_FLOOR_NAME_BYTES = 255;
export const MAX_FLOORS = 16;
export const MAX_SUBJECT_BYTES = 4000;
export const MAX_EUID_BYTES = 1000;
export const MAX_INFO_TEXT_BYTES = 256 * KIB;
export const MAX_INSTANT_MESSAGES = 100;
/** text of one instant message; a session may hold MAX_INSTANT_MESSAGES of them */
export const MAX_INSTANT_MESSAGE_BYTES = 16 * KIB;
export const MAX_CACHED_VISITORS = 2000; // users whose read marks are kept in memory
export const MAX_SEEN_RANGES = 10_000; // separate ranges of read messages in one room; each change writes the whole set
export const MIN_PICTURE_BYTES = 20; // smaller pictures are refused, as by a real server
/** format 0 text is broken at the first blank behind this many bytes (what a real server does) */
export const WRAP_AFTER_BYTES = 73;
export const UNBROKEN_LINE_BYTES = 1001; // format 0 text without a blank is broken here
export const FIXED_LINE_BYTES = 250; // format 1 lines are broken at a blank before this
/** file name, type, Content-ID … of a part as they are stored: every listing of a message shows those of all its parts */
export const MAX_PART_FIELD_CHARACTERS = 512;
/** rows of a message list that are made in one go; longer lists are streamed in pages of this size */
export const BACKEND_LIST_PAGE_ROWS = 1000;
/** text of a message that is looked at for the full-text index, the marks of HTML included */
export const MAX_INDEXED_TEXT_BYTES = MIB;
/** what goes into the index of it, some 40,000 words: all others wait while it does */
export const MAX_INDEXED_WORDS_BYTES = 256 * KIB;
export const MAX_OBJECT_BYTES = MIB; // an event, card or note whose properties are read when it is stored
export const MAX_SEARCH_WORDS = 32; // words of one search: each costs an index look-up
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
export const MAX_LIST_TEXT_BYTES = 64 * KIB; // bytes of a `text` column of MSGS mode 8, which is collected in memory
/** lines of one room's chat that are kept, each for CHAT_LINE_SECONDS */
export const MAX_CHAT_LINES = 500;
export const MAX_CHAT_LINE_BYTES = 1023;
/** lines of all chats together, in memory: beyond, the longest chats lose their oldest */
export const MAX_CHATTED_LINES = 20_000;
export const CHAT_LINE_SECONDS = 300; // spec: what is said in a chat is kept for five minutes
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
/** characters that the patterns of one user's rules compare for one mail, some milliseconds; beyond, it stays in the inbox */
export const MAX_RULE_STEPS = 1_000_000;
/** components of one ICAL putics, and bytes of the whole calendar */
export const MAX_CALENDAR_COMPONENTS = 4000;
export const MAX_CALENDAR_BYTES = 4 * MIB;
export const MAX_WRITE_BYTES = 100_000; // bytes one WRIT takes at most; a real server takes no more either
export const MAX_ROOM_FILES = 10_000; // files of one directory room, all of which RDIR lists
export const MAX_DIRECTORY_BYTES = 64 * 1024 * MIB; // files of all directory rooms together: beyond, no upload begins
export const MAX_FILE_FIELD_BYTES = 255; // name, type or comment of such a file
/** head of a message, or read marks, that `vestibule copy` brings in one text: the marks of one visit are below 256 KiB */
export const MAX_TRANSFER_TEXT_BYTES = MIB;
/** ids of what a copied message answers to, the nearest ones: they share a command line with its subject and UID */
export const MAX_REFERENCES_BYTES = 2000;
export const MAX_COPY_SESSIONS = 8; // users of an ordinary room server that `vestibule copy` is logged in as at a time
/** single read marks of one user in one room that are sent to an ordinary room server; beyond, its sets break (quirk Q17) */
export const MAX_COPIED_MARKS = 500;
export const MAX_READ_BYTES = 4096; // bytes one READ answers at most; a real server sends no more either
