// The database of the embedded room server: one entry per schema version, each the SQL that leads to it.
// A released entry is never edited; a change of the schema is a new entry at the end.

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
    picture BLOB,
    picture_type TEXT
  ) STRICT;

  CREATE TABLE floor (
    num INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE
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
    picture_type TEXT
  ) STRICT;

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

  CREATE TABLE blob (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    size INTEGER NOT NULL,
    complete INTEGER NOT NULL             -- 0 while it is being written; such blobs are dropped at the next start
  ) STRICT;

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

  CREATE TABLE room_message (
    room INTEGER NOT NULL REFERENCES room ON DELETE CASCADE,
    message INTEGER NOT NULL REFERENCES message,
    exti TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (room, message)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX room_message_message ON room_message (message);
  CREATE INDEX room_message_exti ON room_message (room, exti) WHERE exti <> '';

  CREATE VIRTUAL TABLE message_text USING fts5 (
    subject, author, body, content = '', contentless_delete = 1, tokenize = 'unicode61'
  );
  `,
];
