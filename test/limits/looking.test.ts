// Bounds of the gateway's own search that rely on one another, and on those of the connection it uses.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_SEARCH_RESULTS } from '../../src/limits/backend.ts';
import { REQUEST_TURN_MS } from '../../src/limits/http.ts';
import * as looking from '../../src/limits/protocol.ts';
import { MAX_LISTING_BYTES, MAX_LISTING_LINES, REPLY_TIMEOUT_MS } from '../../src/limits/protocol.ts';

it('a message that is looked at is no more than all of them may have', () => {
  assert.ok(looking.MAX_SCANNED_MESSAGE_BYTES <= looking.MAX_SCANNED_BYTES);
  assert.ok(looking.MAX_SCANNED_CARD_BYTES <= looking.MAX_SCANNED_BYTES);
  assert.ok(looking.SCANNED_AT_ONCE <= Math.min(looking.MAX_SCANNED_MESSAGES, looking.MAX_SCANNED_CARDS));
});

it('what is asked for in one write can be collected', () => {
  assert.ok(looking.SCANNED_AT_ONCE * looking.MAX_SCANNED_MESSAGE_BYTES <= MAX_LISTING_BYTES);
  assert.ok(looking.MAX_LISTED_AT_ONCE <= MAX_LISTING_LINES);
});

it('a search adds no more than it answers with', () => {
  assert.ok(looking.MAX_SCANNED_MESSAGES <= MAX_SEARCH_RESULTS);
});

it('others have their turn many times before it ends, and it ends before the room server is given up', () => {
  assert.ok(10 * REQUEST_TURN_MS <= looking.SCAN_CARDS_MS);
  assert.ok(looking.SCAN_CARDS_MS <= looking.SCAN_MS && looking.SCAN_MS < REPLY_TIMEOUT_MS);
});

it('the books of one user do not push each other out', () => {
  assert.ok(looking.MAX_SCANNED_BOOKS <= looking.MAX_CACHED_BOOKS);
});
