// Migrations of schema.ts about users.

/** Where invitations of a user go who has chosen a calendar for them (RFC 6638 section 9.2). */
export const DEFAULT_CALENDAR = `
  CREATE TABLE default_calendar (
    user INTEGER PRIMARY KEY REFERENCES user ON DELETE CASCADE,
    room INTEGER NOT NULL                 -- it may be gone by now
  ) STRICT;
`;

/** Nothing goes through the addresses, or the rooms, of all others. account_name: see store.ts. */
export const USER_LOOK_UPS = `
  ALTER TABLE user_address ADD COLUMN account TEXT NOT NULL DEFAULT ''; -- the key of the name that it would stand for
  UPDATE user_address SET account = account_name(address);
  CREATE INDEX user_address_account ON user_address (account);
  -- whoever deletes a user makes SQLite look for rooms that refer to him
  CREATE INDEX room_owner ON room (owner) WHERE owner IS NOT NULL;
  CREATE INDEX room_admin ON room (admin) WHERE admin IS NOT NULL;
`;
