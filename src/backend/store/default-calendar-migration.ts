// A migration of schema.ts: where invitations of a user go who has chosen a calendar for them (RFC 6638 section 9.2).

export const DEFAULT_CALENDAR = `
  CREATE TABLE default_calendar (
    user INTEGER PRIMARY KEY REFERENCES user ON DELETE CASCADE,
    room INTEGER NOT NULL                 -- it may be gone by now
  ) STRICT;
`;
