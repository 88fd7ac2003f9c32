// Calendar objects and cards that are kept: which message they are of, and how many.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CachedObject, newObjectCache, objectBytes } from '../../../src/gateway/collection/objects.ts';

const of = { euid: 'a', time: 1 };

describe('a kept object', () => {
  it('is read when somebody asks, and undefined where it is none', () => {
    const card = new CachedObject(of, 'BEGIN:VCARD\r\nFN:x\r\nEND:VCARD\r\n');
    assert.equal(card.object?.name, 'VCARD');
    assert.equal(card.object, card.object);
    assert.equal(new CachedObject(of, 'hello').object, undefined);
  });

  it('is of one message, not of another that has got its number', () => {
    const kept = new CachedObject(of, '');
    assert.equal(kept.isOf({ euid: 'a', time: 1 }), true);
    assert.equal(kept.isOf({ euid: 'b', time: 1 }), false);
    assert.equal(kept.isOf({ euid: 'a', time: 2 }), false);
  });

  it('is dropped, the oldest first, when all together are too large', () => {
    const one = () => new CachedObject(of, 'x'.repeat(100));
    const room = 2 * objectBytes(one());
    for (const [maxBytes, expected] of [
      [room, [1, 2]],
      [room - 1, [2]],
    ] as const) {
      const kept = newObjectCache(maxBytes);
      for (const number of [1, 2]) kept.set(number, one());
      assert.deepEqual(
        [1, 2].filter((number) => kept.get(number)),
        expected,
      );
    }
  });
});
