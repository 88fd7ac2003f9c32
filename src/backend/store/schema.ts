// The database of the embedded room server: one entry per schema version, each the SQL that leads to it.
// A released entry is never edited; a change of the schema is a new entry at the end.

/**
 * Column `complete` of bodies (blob) and files (room_file). What is still arriving when the server ends is removed at
 * the next start; what is removed goes in pieces, in the background.
 */
export const CONTENT_STATE = { arriving: 0, complete: 1, removed: 2 } as const;

/**
 * Column `dropped` of room. A removed room is no longer there for anybody; its messages go in pieces. A staged one
 * never was there for anybody: it is filled until its messages are moved to a room.
 */
export const ROOM_STATE = { there: 0, removed: 1, staged: 2 } as const;

/**
 * Properties go along; the names themselves are learnt when the room is asked for (content/learning.ts). What has
 * changed is not known then, so clients list these rooms anew.
 */
export const NAMES_WITH_ENDINGS = `
  DROP INDEX room_message_folder;
  CREATE INDEX room_message_folder ON room_message (room, folder, message);
  UPDATE dead_property SET member = member || (SELECT iif(view = 2, '.vcf', '.ics') FROM room WHERE id = room)
  WHERE EXISTS (
    SELECT 1 FROM room_message rm JOIN room r ON r.id = rm.room
    WHERE rm.room = dead_property.room AND rm.name = dead_property.member AND rm.name <> '' AND rm.exti = rm.name
      AND r.view IN (2, 3, 4) AND rm.name NOT GLOB iif(r.view = 2, '*.vcf', '*.ics')
  );
  UPDATE room_message SET name = '', folder = '', component = NULL
  WHERE name IN ('', exti) AND room IN (SELECT id FROM room WHERE view IN (2, 3, 4));
  UPDATE room SET sequence = sequence + 1, changes_from = sequence + 1 WHERE view IN (2, 3, 4);
`;

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE config (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE user (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- the user number, never reused
    name TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE,             -- letters and digits of the name, lower case: how names are compared
    password TEXT,                        -- scrypt hash; NULL: an empty password opens the account
    level INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    created INTEGER NOT NULL,
    last_call INTEGER NOT NULL,
    calls INTEGER NOT NULL DEFAULT 0,
    posted INTEGER NOT NULL DEFAULT 0,
    purge_days INTEGER NOT NULL DEFAULT 0,
    profile TEXT NOT NULL DEFAULT '',
    registration TEXT NOT NULL DEFAULT '', -- the lines of REGI
    rules TEXT NOT NULL DEFAULT '',       -- inbox rules, lines of PIBR
    picture BLOB,
    picture_type TEXT
  ) STRICT;

  CREATE TABLE user_address (             -- of users who have others than the one made from their name
    address TEXT PRIMARY KEY,             -- lower case
    user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
    position INTEGER NOT NULL             -- the main one first
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX user_address_user ON user_address (user);

  CREATE TABLE floor (
    num INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE,
    expire_mode INTEGER NOT NULL DEFAULT 0,
    expire_value INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE room (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,                   -- short name for personal rooms
    key TEXT NOT NULL UNIQUE,             -- full name ('0000000002.mail' for personal rooms), ASCII lower case
    owner INTEGER REFERENCES user ON DELETE CASCADE,
    admin INTEGER REFERENCES user ON DELETE SET NULL,
    flags INTEGER NOT NULL,
    flags2 INTEGER NOT NULL DEFAULT 0,
    floor INTEGER NOT NULL REFERENCES floor,
    sort_order INTEGER NOT NULL,
    view INTEGER NOT NULL,                -- default view
    password TEXT NOT NULL DEFAULT '',
    directory TEXT NOT NULL DEFAULT '',
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    highest INTEGER NOT NULL DEFAULT 0,   -- highest message number in the room, 0 when empty
    total INTEGER NOT NULL DEFAULT 0,     -- messages in the room
    info TEXT NOT NULL DEFAULT '',
    info_message INTEGER NOT NULL DEFAULT 0, -- message number the server would have given next when info changed
    picture BLOB,
    picture_type TEXT,
    expire_mode INTEGER NOT NULL DEFAULT 0, -- 0 as the next level says, 1 never, 2 keep so many messages, 3 days
    expire_value INTEGER NOT NULL DEFAULT 0,
    dropped INTEGER NOT NULL DEFAULT 0    -- 1: deleted, and no longer there for anybody; its messages are being removed
                                          -- 2: never there for anybody; filled until its messages are moved to a room
  ) STRICT;
  -- used where a question says dropped <> 0 in these words
  CREATE INDEX room_dropped ON room (dropped) WHERE dropped <> 0;

  CREATE TABLE visit (                    -- what one user has to do with one room
    user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
    room INTEGER NOT NULL REFERENCES room ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('none', 'known', 'forgotten', 'locked_out')),
    seen TEXT NOT NULL DEFAULT '*:0',     -- sequence set of read messages
    last_read INTEGER NOT NULL DEFAULT 0,
    view INTEGER,                         -- own choice of view
    PRIMARY KEY (user, room)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX visit_room ON visit (room);

  CREATE TABLE room_file (                -- files of directory rooms
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    room INTEGER NOT NULL REFERENCES room ON DELETE CASCADE,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    comment TEXT NOT NULL,
    time INTEGER NOT NULL,
    size INTEGER NOT NULL,
    complete INTEGER NOT NULL             -- 0 while it is uploaded, they go at the next start; 1; 2: being removed
  ) STRICT;
  CREATE UNIQUE INDEX room_file_name ON room_file (room, name) WHERE complete = 1;
  CREATE INDEX room_file_room ON room_file (room);
  CREATE INDEX room_file_removed ON room_file (id) WHERE complete = 2;

  CREATE TABLE room_file_chunk (
    file INTEGER NOT NULL REFERENCES room_file ON DELETE CASCADE,
    seq INTEGER NOT NULL,                 -- the chunk begins at seq * BACKEND_CHUNK_BYTES
    data BLOB NOT NULL,
    PRIMARY KEY (file, seq)
  ) STRICT;

  CREATE TABLE blob (                     -- bodies; messages with the same bytes share one
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    size INTEGER NOT NULL,
    complete INTEGER NOT NULL,            -- 0 while it is written: such blobs go at the next start; 1; 2: being removed
    hash BLOB                             -- SHA-256 of a complete one
  ) STRICT;
  CREATE UNIQUE INDEX blob_hash ON blob (hash) WHERE complete = 1;
  -- used where a question says complete <> 1 in these words; any other reads the whole table
  CREATE INDEX blob_incomplete ON blob (complete) WHERE complete <> 1;

  CREATE TABLE chunk (
    blob INTEGER NOT NULL REFERENCES blob ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (blob, seq)
  ) STRICT;

  CREATE TABLE message (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- the message number, never reused
    msgid TEXT NOT NULL,                  -- message id without angle brackets
    time INTEGER NOT NULL,
    format INTEGER NOT NULL,              -- 0 variable, 1 fixed, 4 MIME
    author TEXT NOT NULL,                 -- display name, RFC 2047 encoded if not ASCII
    author_user INTEGER,                  -- user number; no foreign key: messages outlive their authors
    path TEXT NOT NULL,
    address TEXT NOT NULL DEFAULT '',
    anonymous TEXT NOT NULL DEFAULT 'no' CHECK (anonymous IN ('no', 'only', 'option')),
    room TEXT NOT NULL,                   -- full name of the room where it was posted
    recipients TEXT NOT NULL DEFAULT '',
    cc TEXT NOT NULL DEFAULT '',
    exti TEXT NOT NULL DEFAULT '',        -- exclusive id (UID)
    refs TEXT NOT NULL DEFAULT '',        -- message ids, bars between
    subject TEXT NOT NULL DEFAULT '',     -- RFC 2047 encoded if not ASCII
    blob INTEGER NOT NULL REFERENCES blob,
    parts TEXT NOT NULL                   -- JSON: MIME structure with offsets into the blob
  ) STRICT;
  -- whoever deletes a blob makes SQLite look for messages that refer to it: without an index, through all of them
  CREATE INDEX message_blob ON message (blob);
  -- whoever answers to a message names its id
  CREATE INDEX message_msgid ON message (msgid);
  -- whoever looks for a subject, as gateways do for a name, must not read a whole room
  CREATE INDEX message_subject ON message (subject COLLATE NOCASE) WHERE subject <> '';

  CREATE TABLE room_message (
    room INTEGER NOT NULL REFERENCES room ON DELETE CASCADE,
    message INTEGER NOT NULL REFERENCES message,
    exti TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (room, message)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX room_message_message ON room_message (message);
  CREATE INDEX room_message_exti ON room_message (room, exti) WHERE exti <> '';

  CREATE TABLE wiki_revision (            -- every version of every page that a room has had, later ones with higher ids
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    room INTEGER NOT NULL REFERENCES room ON DELETE CASCADE,
    page TEXT NOT NULL,                   -- its exclusive id
    uuid TEXT NOT NULL,
    message INTEGER NOT NULL REFERENCES message,
    UNIQUE (room, page, uuid)
  ) STRICT;
  CREATE INDEX wiki_revision_message ON wiki_revision (message);

  CREATE VIRTUAL TABLE message_text USING fts5 (
    body, subject, author,                -- the first, most of all, needs no mark in the lists of where words are
    rooms,                                -- r12 r45: where it is, perhaps also where it was
    content = '', contentless_delete = 1, tokenize = 'unicode61'
  );
  -- What is deleted leaves the index when its parts are merged as it grows, or when the database is compacted: to merge
  -- them for that reason alone would now and then take a tenth of a second.
  INSERT INTO message_text (message_text, rank) VALUES ('deletemerge', 0);
  `,
  `
  CREATE TABLE session_key (              -- what gateways log users in with instead of their passwords (SKEY)
    hash TEXT NOT NULL UNIQUE,            -- SHA-256 of the key, base64url; the key itself is nowhere
    user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
    used INTEGER NOT NULL                 -- when it was made, or last noted to be used
  ) STRICT;
  CREATE INDEX session_key_user ON session_key (user, used);
  CREATE INDEX session_key_used ON session_key (used);
  `,
  // kept_password, look_key and user_look_key are functions of this program, see store.ts
  `
  UPDATE room SET password = kept_password(password) WHERE password <> ''; -- from now on a scrypt hash, or empty

  ALTER TABLE room ADD COLUMN look_key TEXT NOT NULL DEFAULT ''; -- the same for names that look alike
  UPDATE room SET look_key = look_key(name);
  CREATE INDEX room_look_key ON room (look_key) WHERE owner IS NULL;

  ALTER TABLE user ADD COLUMN look_key TEXT NOT NULL DEFAULT ''; -- of the letters and digits of the name
  UPDATE user SET look_key = user_look_key(name);
  CREATE INDEX user_look_key ON user (look_key);
  `,
  `
  -- What \`vestibule copy\` has brought: what people have deleted or renamed since does not come again, so these rows
  -- name things that need not be there any more.
  CREATE TABLE brought (
    kind TEXT NOT NULL CHECK (kind IN ('floor', 'user', 'room')),
    key TEXT NOT NULL,                    -- of the name, as such names are compared
    step TEXT NOT NULL CHECK (step IN ('made', 'done')), -- made: a copy makes it, and has not ended yet
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE brought_message (
    room TEXT NOT NULL,                   -- key of the room
    id TEXT NOT NULL,                     -- exclusive id, the message id where it has none
    times INTEGER NOT NULL CHECK (times > 0), -- several messages of a room may have the same
    PRIMARY KEY (room, id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- DAV: a room as a collection. Columns of room_message are what its questions choose by; message_fact is the rest of
  -- what they list.
  ALTER TABLE room ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0; -- grows with every message that comes or goes
  ALTER TABLE room ADD COLUMN changes_from INTEGER NOT NULL DEFAULT 0; -- all that has changed since then is known

  ALTER TABLE room_message ADD COLUMN name TEXT NOT NULL DEFAULT ''; -- of the member; empty: its number
  ALTER TABLE room_message ADD COLUMN folder TEXT NOT NULL DEFAULT ''; -- of the name: up to the last slash inside it
  ALTER TABLE room_message ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0; -- of the room, when it came or was renamed
  ALTER TABLE room_message ADD COLUMN component TEXT; -- VEVENT …; NULL: not looked at, and the name not either
  ALTER TABLE room_message ADD COLUMN starts INTEGER; -- extent of a calendar object
  ALTER TABLE room_message ADD COLUMN ends INTEGER;
  CREATE UNIQUE INDEX room_message_name ON room_message (room, name) WHERE name <> '';
  CREATE INDEX room_message_folder ON room_message (room, folder, message) WHERE folder <> '';
  CREATE INDEX room_message_sequence ON room_message (room, sequence, message) WHERE sequence > 0;
  CREATE INDEX room_message_ends ON room_message (room, ends, message) WHERE ends IS NOT NULL;
  CREATE INDEX room_message_unknown ON room_message (room) WHERE component IS NULL;

  CREATE TABLE message_fact (             -- follows from the message alone, and so never changes
    message INTEGER PRIMARY KEY REFERENCES message ON DELETE CASCADE,
    name TEXT NOT NULL,                   -- under which it was PUT, or empty
    component TEXT NOT NULL,              -- or empty
    starts INTEGER,
    ends INTEGER,
    line TEXT                             -- the fields of a listing behind number, name and euid; NULL: not measured
  ) STRICT;
  CREATE INDEX message_fact_name ON message_fact (name) WHERE name <> '';

  CREATE TABLE removed_member (           -- for those who ask what has changed
    room INTEGER NOT NULL REFERENCES room ON DELETE CASCADE,
    sequence INTEGER NOT NULL,            -- of the room, when it went or got another name
    message INTEGER NOT NULL,
    name TEXT NOT NULL,                   -- or its number
    time INTEGER NOT NULL,
    PRIMARY KEY (room, sequence, message)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX removed_member_time ON removed_member (time);

  CREATE TABLE dead_property (            -- of rooms and members (RFC 4918 section 4)
    room INTEGER NOT NULL REFERENCES room ON DELETE CASCADE,
    member TEXT NOT NULL,                 -- its name, or its number; empty: the room itself
    name TEXT NOT NULL,                   -- {namespace}name, or whatever a client calls it
    value TEXT NOT NULL,                  -- XML
    PRIMARY KEY (room, member, name)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE schedule_tag (             -- of messages that are scheduling objects (RFC 6638 section 3.2.10)
    message INTEGER PRIMARY KEY REFERENCES message ON DELETE CASCADE,
    tag INTEGER NOT NULL                  -- the message that had it first
  ) STRICT;

  CREATE TABLE scheduling_message (       -- on its way to inboxes and calendars
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sender INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
    is_refresh INTEGER NOT NULL,          -- 1: only tells what others have answered; it comes to no inbox
    text TEXT NOT NULL                    -- iCalendar, with METHOD
  ) STRICT;
  CREATE INDEX scheduling_message_sender ON scheduling_message (sender);

  CREATE TABLE scheduling_delivery (
    message INTEGER NOT NULL REFERENCES scheduling_message ON DELETE CASCADE,
    recipient INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
    PRIMARY KEY (message, recipient)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX scheduling_delivery_recipient ON scheduling_delivery (recipient);
  `,
  // Where invitations of a user go who has chosen a calendar for them (RFC 6638 section 9.2).
  `
  CREATE TABLE default_calendar (
    user INTEGER PRIMARY KEY REFERENCES user ON DELETE CASCADE,
    room INTEGER NOT NULL                 -- it may be gone by now
  ) STRICT;
  `,
  NAMES_WITH_ENDINGS,
  `
  CREATE TABLE app_password (             -- what programs log in with instead of their user's own password (APPW)
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused: who ends one must not end another
    user INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
    name TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('read', 'dav', 'all', 'feed')),
    room INTEGER REFERENCES room ON DELETE CASCADE, -- the only one, of a feed
    hash TEXT NOT NULL UNIQUE,            -- SHA-256 of the secret, base64url; the secret itself is nowhere
    created INTEGER NOT NULL,
    used INTEGER NOT NULL DEFAULT 0       -- when it was last noted to be used; 0: never
  ) STRICT;
  CREATE INDEX app_password_user ON app_password (user);
  CREATE INDEX app_password_room ON app_password (room) WHERE room IS NOT NULL;
  `,
  // Nothing goes through the addresses, or the rooms, of all others. account_name: see store.ts.
  `
  ALTER TABLE user_address ADD COLUMN account TEXT NOT NULL DEFAULT ''; -- the key of the name that it would stand for
  UPDATE user_address SET account = account_name(address);
  CREATE INDEX user_address_account ON user_address (account);
  -- whoever deletes a user makes SQLite look for rooms that refer to him
  CREATE INDEX room_owner ON room (owner) WHERE owner IS NOT NULL;
  CREATE INDEX room_admin ON room (admin) WHERE admin IS NOT NULL;
  `,
  `
  -- Unix time; 0: from before it was noted
  ALTER TABLE room_message ADD COLUMN stored INTEGER NOT NULL DEFAULT 0; -- when this version came, or got its name
  ALTER TABLE room_message ADD COLUMN created INTEGER NOT NULL DEFAULT 0; -- when the first version of it came
  `,
  `
  ALTER TABLE room ADD COLUMN maker INTEGER REFERENCES user ON DELETE SET NULL; -- whose quota it counts for
  UPDATE room SET maker = coalesce(owner, admin);
  CREATE INDEX room_maker ON room (maker) WHERE maker IS NOT NULL; -- for the deletion of a user
  `,
];
