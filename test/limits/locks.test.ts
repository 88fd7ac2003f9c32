// Bounds of locks that rely on one another.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as locks from '../../src/limits/dav.ts';
import { MAX_FOLDER_DEPTH } from '../../src/limits/dav.ts';
import { MAX_HEADER_BYTES } from '../../src/limits/http.ts';

const TOKEN = '(<urn:uuid:00000000-0000-0000-0000-000000000000>)';

it('who asks for no time gets no more than who asks for all', () => {
  assert.ok(locks.DEFAULT_LOCK_SECONDS <= locks.MAX_LOCK_SECONDS);
});

it('no account can have all locks', () => assert.ok(locks.MAX_LOCKS_PER_USER < locks.MAX_LOCKS));

it('an If header has a condition for each folder on the way, and fits a request', () => {
  assert.ok(locks.MAX_IF_CONDITIONS > MAX_FOLDER_DEPTH);
  assert.ok(locks.MAX_IF_CONDITIONS * TOKEN.length < MAX_HEADER_BYTES);
  assert.ok(locks.MAX_IF_RESOURCES <= locks.MAX_IF_CONDITIONS);
});
