// The table of app passwords and feeds, an entry of the schema.

export const APP_PASSWORDS = `
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
`;
