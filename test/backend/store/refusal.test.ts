import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Refusal } from '../../../src/backend/store/refusal.ts';

it('a refusal has the number and the text of its reply', () => {
  const refusal = new Refusal(550, 'Higher access required.');
  assert.ok(refusal instanceof Error);
  assert.deepEqual([refusal.code, refusal.message], [550, 'Higher access required.']);
});
