// How a room is shown that a newer room server has.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { shownView } from '../../src/api/rooms.ts';
import { VIEW } from '../../src/model.ts';

it('a view that is not known is shown as a board, any other as it is', () => {
  assert.deepEqual([VIEW.board, VIEW.wiki, VIEW.files, 13, -1].map(shownView), [0, 6, 12, 0, 0]);
});
