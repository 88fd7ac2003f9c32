import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ChangeCounts, KeptWhileUnchanged, placesOf } from '../../src/system/change-counts.ts';

it('keeps a value until something changes that it depends on', () => {
  const changes = new ChangeCounts();
  const kept = new KeptWhileUnchanged<string>(changes, 100);
  kept.set('lobby', 'a', { places: placesOf({ rooms: ['lobby'] }), size: 1, since: kept.moment });
  kept.set('all', 'b', { places: undefined, size: 1, since: kept.moment });
  assert.deepEqual([kept.get('lobby'), kept.get('all'), kept.get('none')], ['a', 'b', undefined]);
  changes.count({ rooms: ['other'] });
  assert.deepEqual([kept.get('lobby'), kept.get('all')], ['a', undefined]);
  changes.count({ rooms: ['lobby'] });
  assert.equal(kept.get('lobby'), undefined);
});

it('keeps nothing where anything has changed since it was asked for', () => {
  const changes = new ChangeCounts();
  const kept = new KeptWhileUnchanged<string>(changes, 100);
  const since = kept.moment;
  changes.count({ rooms: ['other'] });
  kept.set('lobby', 'a', { places: placesOf({ rooms: ['lobby'] }), size: 1, since });
  assert.equal(kept.get('lobby'), undefined);
});

it('keeps no more than its bytes', () => {
  const kept = new KeptWhileUnchanged<string>(new ChangeCounts(), 10);
  for (const name of ['a', 'b', 'c']) kept.set(name, name, { places: [], size: 5, since: kept.moment });
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => kept.get(name)),
    [undefined, 'b', 'c'],
  );
});
