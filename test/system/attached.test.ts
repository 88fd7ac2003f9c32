// Values that are kept on the objects that they were made of.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Attached } from '../../src/system/attached.ts';

it('an object has the value that was attached last, others have none', () => {
  const attached = new Attached<object, number>();
  const other = new Attached<object, number>();
  const key = {};
  attached.set(key, 1);
  attached.set(key, 2);
  assert.deepEqual([attached.get(key), attached.get({}), other.get(key)], [2, undefined, undefined]);
});

it('a value is made once, also of nothing; what fails is made again', () => {
  const attached = new Attached<object, undefined>();
  const key = {};
  let count = 0;
  const make = () => {
    if (++count === 1) throw new Error('broken');
    return undefined;
  };
  assert.throws(() => attached.getOrInsertComputed(key, make), /broken/);
  for (let i = 0; i < 2; i++) attached.getOrInsertComputed(key, make);
  assert.equal(count, 2);
});

// an answer with other rows must not be sent as the one before
it('a copy of the object has nothing of it, nor has its JSON', () => {
  const attached = new Attached<object, number>();
  const key = { a: 1 };
  attached.set(key, 2);
  assert.equal(attached.get({ ...key }), undefined);
  assert.equal(attached.get(Object.assign({}, key)), undefined);
  assert.deepEqual(key, { a: 1 });
  assert.equal(JSON.stringify(key), '{"a":1}');
});

it('the list of a room is copied with its elements alone', () => {
  const attached = new Attached<readonly number[], number>();
  const key = [1, 2];
  attached.set(key, 2);
  assert.deepEqual([attached.get(key.slice()), attached.get([...key]), key], [undefined, undefined, [1, 2]]);
});
