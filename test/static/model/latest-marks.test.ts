// Which marks are sent when the page is left.

import assert from 'node:assert/strict';
import { it } from 'node:test';
// @ts-expect-error: the web client has no types
import { latestMarks } from '../../../static/model/latest-marks.js';

it('keeps of each message the latest mark alone', () => {
  const marks = (room: string, msgnums: number[], seen: boolean) => ({ room, msgnums, seen, isMany: true });
  const made = [marks('a', [1, 2], true), marks('b', [1], true), marks('a', [2], false), marks('a', [2], true)];
  assert.deepEqual(latestMarks(made), [marks('a', [2], true), marks('b', [1], true), marks('a', [1], true)]);
});
