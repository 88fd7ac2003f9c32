import assert from 'node:assert/strict';
import { it } from 'node:test';
import { copyKey, KEY_PREFIX } from '../../../src/extra/redis/keys.ts';

it('names what each gateway has a copy of, all in one slot of a cluster', () => {
  assert.equal(copyKey(KEY_PREFIX, 'count'), 'vestibule:{fleet}:count');
  assert.equal(copyKey('other', 'log'), 'other:{fleet}:log');
});
