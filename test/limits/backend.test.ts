// Bounds of the room server that rely on one another, or on those of the gateway in front of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as backend from '../../src/limits/backend.ts';
import { MAX_FILE_PATH_BYTES } from '../../src/limits/dav.ts';
import {
  EMBEDDED_MAX_CONNECTIONS,
  MAX_COLLECTED_BYTES,
  MAX_COMMAND_BYTES,
  MAX_LINE_BYTES,
  MAX_LISTING_BYTES,
  MAX_LISTING_LINES,
} from '../../src/limits/protocol.ts';

describe('what is sent on one command line', () => {
  it('fits it, be it the longest', () => {
    const { MAX_EUID_BYTES, MAX_HEADER_TEXT_BYTES, MAX_MEMBER_NAME_BYTES, MAX_PROPERTY_NAME_BYTES } = backend;
    for (const bytes of [MAX_EUID_BYTES, MAX_MEMBER_NAME_BYTES, MAX_PROPERTY_NAME_BYTES, MAX_HEADER_TEXT_BYTES]) {
      assert.ok('MEMB find|'.length + bytes < MAX_COMMAND_BYTES, String(bytes));
    }
    const rename = backend.MAX_ROOM_NAME_BYTES + backend.MAX_ROOM_PASSWORD_BYTES;
    assert.ok(rename + 100 < MAX_COMMAND_BYTES);
  });

  it('has room for a UID and for ids of what is answered beside each other', () => {
    assert.ok(backend.MAX_EUID_BYTES + backend.MAX_REFERENCES_BYTES + 250 < MAX_COMMAND_BYTES);
  });
});

describe('what a client collects of one answer', () => {
  it('is no more than it takes', () => {
    assert.ok(backend.BACKEND_CONTENTS_BYTES <= MAX_COLLECTED_BYTES);
    assert.ok(backend.MAX_OBJECT_BYTES <= MAX_COLLECTED_BYTES, 'a single object, which is sent however large it is');
    for (const lines of [backend.MAX_SEARCH_HITS, backend.MAX_LISTED_REVISIONS, backend.MAX_MEMBERS_AT_ONCE]) {
      assert.ok(lines <= MAX_LISTING_LINES);
    }
    assert.ok(backend.MAX_INFO_TEXT_BYTES <= MAX_LISTING_BYTES);
    // a packed property at its worst has two bytes for one, and a name
    assert.ok(backend.MAX_PROPERTIES_AT_ONCE * 2 * (backend.MAX_PROPERTY_BYTES + 1000) <= MAX_LISTING_BYTES);
    assert.ok(backend.MAX_LIST_TEXT_BYTES <= MAX_LINE_BYTES);
  });
});

describe('bounds of the room server', () => {
  it('leave a gateway that uses all its connections a session, and others beside it', () => {
    assert.ok(EMBEDDED_MAX_CONNECTIONS < backend.BACKEND_MAX_SESSIONS);
    assert.ok(backend.BACKEND_MAX_SESSIONS_PER_ADDRESS < backend.BACKEND_MAX_SESSIONS);
  });

  it('keep names and passwords that a real server keeps, and more', () => {
    assert.ok(backend.REAL_SERVER_PASSWORD_BYTES <= backend.MAX_PASSWORD_BYTES);
    assert.ok(backend.REAL_SERVER_ROOM_PASSWORD_BYTES <= backend.MAX_ROOM_PASSWORD_BYTES);
    // ten digits and a dot stand before the name of a personal room
    assert.equal(backend.MAX_PERSONAL_ROOM_NAME_BYTES + 11, backend.MAX_ROOM_NAME_BYTES);
  });

  it('take every path that a gateway takes', () => assert.ok(MAX_FILE_PATH_BYTES <= backend.MAX_MEMBER_NAME_BYTES));

  it('remove and move in pieces that hold at least one body which is kept in memory', () => {
    assert.ok(backend.BACKEND_CHUNK_BYTES <= backend.BACKEND_INLINE_BYTES);
    assert.ok(backend.BACKEND_CHUNK_BYTES <= backend.BACKEND_SWEEP_BYTES);
    assert.ok(backend.MOVED_MESSAGE_BYTES <= backend.BACKEND_MOVE_BYTES);
  });

  it('index no more words than text that is looked at', () => {
    assert.ok(backend.MAX_INDEXED_WORDS_BYTES <= backend.MAX_INDEXED_TEXT_BYTES);
    assert.ok(backend.SEARCHED_ROOMS_AT_ONCE <= backend.MAX_SEARCHED_ROOMS);
    assert.ok(backend.DEFAULT_SYNC_DAYS <= backend.MAX_SYNC_DAYS);
  });
});
