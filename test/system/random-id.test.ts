// Ids have the length that is asked for, and none comes twice, also where the pool runs out between.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { randomId } from '../../src/system/random-id.ts';

it('makes ids that differ, of any length', () => {
  const ids = Array.from({ length: 5000 }, (_, i) => randomId(6 + (i % 11)));
  assert.ok(ids.every((id, i) => id.length === 2 * (6 + (i % 11)) && /^[0-9a-f]+$/.test(id)));
  assert.equal(new Set(ids.map((id) => id.slice(0, 12))).size, ids.length);
  assert.match(randomId(4096), /^[0-9a-f]{8192}$/);
});
