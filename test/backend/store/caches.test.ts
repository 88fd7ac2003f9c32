// What a store keeps in memory has a bound where it grows with what people do, and does not outlive the store.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { StoreCaches } from '../../../src/backend/store/records.ts';
import { MAX_CACHED_VISITORS, MAX_COMPLETION_BOOKS } from '../../../src/limits/backend.ts';

it('read marks of MAX_CACHED_VISITORS users are kept, those used last', () => {
  const { visits } = new StoreCaches();
  for (let user = 0; user < MAX_CACHED_VISITORS; user++) visits.set(user, new Map());
  assert.ok(visits.get(0));
  visits.set(MAX_CACHED_VISITORS, new Map());
  assert.deepEqual([visits.get(0) !== undefined, visits.get(1)], [true, undefined]);
});

it('cards of MAX_COMPLETION_BOOKS rooms are kept', () => {
  const { addressBooks } = new StoreCaches();
  for (let room = 0; room <= MAX_COMPLETION_BOOKS; room++) addressBooks.set(room, { generation: 0, people: [] });
  assert.deepEqual([addressBooks.get(0), addressBooks.get(1) !== undefined], [undefined, true]);
});

it('two stores share nothing', () => {
  const [one, other] = [new StoreCaches(), new StoreCaches()];
  one.visits.set(1, new Map());
  assert.equal(other.visits.get(1), undefined);
  assert.notEqual(one.users.byId, other.users.byId);
});
