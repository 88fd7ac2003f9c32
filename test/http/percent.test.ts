// Percent-decoding: once, as UTF-8, and nothing comes out of it that could end a line.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodePercent, decodePercentText } from '../../src/http/query.ts';

const both = [decodePercent, decodePercentText];
const isBad = { code: 'bad_request' };

describe('percent-decoding', () => {
  it('decodes once, and leaves a plus sign alone', () => {
    for (const decode of both) {
      assert.equal(decode('a%20b%2Fc'), 'a b/c');
      assert.equal(decode('%2541'), '%41');
      assert.equal(decode('a+b'), 'a+b');
      assert.equal(decode('%C3%AB%e2%98%95'), 'ë☕');
      assert.equal(decode(''), '');
    }
  });

  it('takes raw UTF-8 bytes, which come as Latin-1, for what they are', () => {
    for (const decode of both) assert.equal(decode('Zo\xc3\xab%20x'), 'Zoë x');
  });

  it('refuses what is malformed', () => {
    for (const text of ['%', '%4', '%zz', '%ff', '%C3', '%C0%AF', '%ED%A0%80', '\xff', 'a\xc3']) {
      for (const decode of both) assert.throws(() => decode(text), isBad, JSON.stringify(text));
    }
  });

  it('refuses NUL everywhere, and line breaks in an address but not in the text of a form', () => {
    for (const decode of both) assert.throws(() => decode('a%00'), isBad);
    for (const text of ['a%0Ab', 'a%0db']) {
      assert.throws(() => decodePercent(text), isBad);
      assert.match(decodePercentText(text), /^a[\r\n]b$/);
    }
    assert.throws(() => decodePercentText('a\0'), isBad);
  });
});
