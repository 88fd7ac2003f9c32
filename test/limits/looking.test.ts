// Bounds of the gateway's own search that rely on one another, and on those of the connection it uses.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_SEARCH_RESULTS } from '../../src/limits/backend.ts';
import { REQUEST_TURN_MS } from '../../src/limits/http.ts';
import * as looking from '../../src/limits/looking.ts';
import { MAX_LISTING_BYTES, MAX_LISTING_LINES, REPLY_TIMEOUT_MS } from '../../src/limits/protocol.ts';

it('a message that is looked at is no more than all of them may have', () => {
  assert.ok(looking.MAX_LOOKED_MESSAGE_BYTES <= looking.MAX_LOOKED_BYTES);
  assert.ok(looking.MAX_LOOKED_CARD_BYTES <= looking.MAX_LOOKED_BYTES);
  assert.ok(looking.LOOKED_AT_ONCE <= Math.min(looking.MAX_LOOKED_MESSAGES, looking.MAX_LOOKED_CARDS));
});

it('what is asked for in one write can be collected', () => {
  assert.ok(looking.LOOKED_AT_ONCE * looking.MAX_LOOKED_MESSAGE_BYTES <= MAX_LISTING_BYTES);
  assert.ok(looking.MAX_LISTED_AT_ONCE <= MAX_LISTING_LINES);
});

it('a search adds no more than it answers with', () => {
  assert.ok(looking.MAX_LOOKED_MESSAGES <= MAX_SEARCH_RESULTS);
});

it('others have their turn many times before it ends, and it ends before the room server is given up', () => {
  assert.ok(10 * REQUEST_TURN_MS <= looking.LOOK_AT_CARDS_MS);
  assert.ok(looking.LOOK_AT_CARDS_MS <= looking.LOOK_MS && looking.LOOK_MS < REPLY_TIMEOUT_MS);
});

it('the books of one user do not push each other out', () => {
  assert.ok(looking.MAX_LOOKED_BOOKS <= looking.MAX_KEPT_BOOKS);
});
