import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addFloor, floorExists } from '../../../src/backend/store/rooms.ts';
import { messageWorld } from '../../support/message-session.ts';

it('a floor is there by its number, and its name is not given twice, in any case', (t) => {
  const { store } = messageWorld(t);
  assert.deepEqual([floorExists(store, 0), floorExists(store, 7)], [true, false]);
  addFloor(store, 7, 'Attic');
  assert.equal(floorExists(store, 7), true);
  assert.throws(() => addFloor(store, 8, 'ATTIC'));
  assert.throws(() => addFloor(store, 7, 'Roof'));
  assert.equal(floorExists(store, 8), false);
});
