import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashMessageId } from '../../src/protocol/lookup3.ts';

describe('hash of message ids', () => {
  const seenOnARealServer: [string, number][] = [
    ['first-ref@x', -1889379161],
    ['second-ref@y', 1311078934],
    ['6B00E136-00000005@vm', 1281455905],
    ['6B00E80D-00000005@vm', -2094944762],
    ['6B00E80E-00000006@vm', -424025798],
  ];
  for (const [id, hash] of seenOnARealServer) {
    it(`is that of a real server for ${id}`, () => assert.equal(hashMessageId(id), hash));
  }

  it('takes ids of any length as bytes', () => {
    const hashes = new Set(Array.from({ length: 40 }, (_, i) => hashMessageId('ü'.repeat(i))));
    assert.equal(hashes.size, 40);
  });
});
