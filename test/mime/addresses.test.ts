// Address lines, split and read in one pass, whatever they hold.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { senderOf, splitAddresses } from '../../src/mime/addresses.ts';

describe('an address line', () => {
  it('is parted at commas outside of quotes', () => {
    assert.deepEqual(splitAddresses('"Smith, \\"B,\\" Bob" <b@x>, ann;; c'), [
      '"Smith, \\"B,\\" Bob" <b@x>',
      'ann',
      'c',
    ]);
    assert.deepEqual(splitAddresses(' , ;'), []);
  });

  it('is one address from a quote on that does not end', () => {
    assert.deepEqual(splitAddresses('ann, "b, c\\'), ['ann', '"b, c\\']);
    const quotes = `"${'\\"'.repeat(500_000)}`;
    assert.deepEqual(splitAddresses(quotes), [quotes]);
  });
});

describe('the sender of a message inside a message', () => {
  it('is a name and an address, in all the ways of writing them', () => {
    for (const [field, name, address] of [
      ['Bob <b@x>', 'Bob', 'b@x'],
      ['"Bob, the first" <b@x>, ann@x', 'Bob, the first', 'b@x'],
      ['b@x', '', 'b@x'],
      ['b@x (Bob)', 'Bob', 'b@x'],
      ['Bob', 'Bob', undefined],
      ['a@b@c', 'a@b@c', undefined],
    ] as const) {
      assert.deepEqual(senderOf(field), { name, address }, field);
    }
  });

  it('is read in one pass', () => {
    for (const piece of ['@', 'a@', '<', '<>', '(', 'a ']) {
      const field = `${piece.repeat(300_000)}\0`;
      assert.equal(senderOf(field).address || undefined, undefined, piece);
    }
  });
});
