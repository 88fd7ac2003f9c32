// Bounds of WebDAV that rely on those of the room server and of the line protocol.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_OBJECT_BYTES, MAX_ROOM_NAME_BYTES } from '../../src/limits/backend.ts';
import * as dav from '../../src/limits/dav.ts';
import { MAX_PATH_SEGMENTS, MAX_URL_BYTES } from '../../src/limits/http.ts';
import { MAX_COMMAND_BYTES, REPLY_TIMEOUT_MS } from '../../src/limits/protocol.ts';

/** of one message, in decimal digits */
const NUMBER_BYTES = 15;

describe('names of members', () => {
  it('fit a stored header line of a real server, percent-encoded', () => {
    assert.ok('X-Vestibule-Name: '.length + 3 * dav.MAX_FILE_PATH_BYTES < 4095);
  });

  it('fit an address', () => {
    assert.ok(3 * (dav.MAX_FILE_PATH_BYTES + MAX_ROOM_NAME_BYTES) + 100 < MAX_URL_BYTES);
    assert.ok(dav.MAX_FOLDER_DEPTH + 10 < MAX_PATH_SEGMENTS);
    assert.ok(dav.MAX_MESSAGE_NAME_BYTES <= dav.MAX_FILE_PATH_BYTES);
  });
});

describe('what is asked for at once', () => {
  it('fits a command line where it is one', () => {
    assert.ok(dav.MAX_COPIED_AT_ONCE * (NUMBER_BYTES + 1) + MAX_ROOM_NAME_BYTES + 20 <= MAX_COMMAND_BYTES);
  });

  it('holds at least one object of the largest size', () => {
    assert.ok(dav.MAX_READ_AHEAD_BYTES >= MAX_OBJECT_BYTES);
    assert.ok(dav.MAX_KEPT_OBJECT_BYTES >= MAX_OBJECT_BYTES);
    assert.ok(dav.ASSUMED_OBJECT_BYTES <= dav.MAX_READ_AHEAD_BYTES);
  });

  it('takes what a list is made of', () => {
    assert.ok(dav.MEMBERS_AT_ONCE <= dav.BATCH_MESSAGES);
    assert.ok(dav.BATCH_MESSAGES <= dav.MAX_STORED_TRAITS, 'else a list would forget what it has just learnt');
    assert.ok(dav.MAX_ORIGINAL_TIMES_PER_LIST <= dav.MAX_ORIGINAL_TIMES);
    assert.ok(dav.MAX_SYNC_TOKEN_BYTES <= dav.MAX_UNPACKED_TOKEN_BYTES);
  });
});

it('rivals for a name are waited for no longer than the room server itself', () => {
  assert.ok(dav.LOOKS_AT_RIVALS * dav.RIVALS_WAIT_MS < REPLY_TIMEOUT_MS);
});
