// What a client prefers, read from its header field (RFC 7240 section 2).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePrefer } from '../../src/http/prefer.ts';

describe('preferences', () => {
  it('are names with values, whatever their case and the space around them', () => {
    const found = parsePrefer('Return = Minimal, depth-noroot;x=1 , wait=10; foo="a,b", handling="lenient"');
    assert.deepEqual(
      [...found],
      [
        ['return', 'minimal'],
        ['depth-noroot', ''],
        ['wait', '10'],
        ['handling', 'lenient'],
      ],
    );
  });

  it('have the first value that is given', () => {
    assert.equal(parsePrefer('return=representation, return=minimal').get('return'), 'representation');
  });

  it('are not found within others', () => {
    assert.deepEqual([...parsePrefer('x-return=minimal, y="a, return=minimal"').keys()], ['x-return', 'y']);
    assert.equal(parsePrefer(undefined).size, 0);
    assert.deepEqual([...parsePrefer(',, ;,="').entries()], []);
  });
});
