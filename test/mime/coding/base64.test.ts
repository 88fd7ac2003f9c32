// Base64 (RFC 2045 section 6.8), read leniently.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_TEXT_LINE_BYTES } from '../../../src/limits/mime.ts';
import { base64Decoder, base64Encoder } from '../../../src/mime/coding/transfer.ts';
import { runCoder, runOnText } from './run-coder.ts';

const decode64 = (text: string) => runOnText(base64Decoder(), text);

describe('base64', () => {
  it('writes lines of 76 characters', () => {
    const lines = runCoder(base64Encoder(), [Buffer.alloc(58)])
      .toString()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => line.length),
      [76, 4, 0],
    );
  });
  it('ignores white space and rubbish', () => {
    assert.equal(decode64(' Y\r\nW!\0-_J\tj\xff'), 'abc');
  });
  it('goes on after padding, where programs have encoded in pieces', () => {
    for (const text of ['YQ==YWJj', 'YQ==\nYWJj', 'YQ=\n=\r\n\r\nYWJj\n', 'YQ==\nYWI=\nYw==', 'YQ==YWJjYQ==\n'])
      assert.equal(decode64(text), text.endsWith('YQ==\n') ? 'aabca' : 'aabc', text);
    assert.equal(decode64('YQ==\nYWJj\nYWJj\n'), 'aabcabc');
    assert.equal(
      runCoder(base64Decoder(), [Buffer.from('YQ='), Buffer.from('=YW'), Buffer.from('Jj')]).toString(),
      'aabc',
    );
  });
  it('stops after padding at a line that is no base64, such as the text of a mailing list', () => {
    assert.equal(decode64('YQ==\n--\nlist\nlist'), 'a');
    assert.equal(decode64('YQ==\nMailing list\nYWJj'), 'a');
    assert.equal(
      decode64(`YQ==\n${'YWJj'.repeat(MAX_TEXT_LINE_BYTES / 4)}`),
      `a${'abc'.repeat(MAX_TEXT_LINE_BYTES / 4)}`,
    );
    assert.equal(decode64(`YQ==\n${'YWJj'.repeat(MAX_TEXT_LINE_BYTES / 4 + 1)}`), 'a');
  });
  it('tolerates missing padding and drops a lonely last character', () => {
    assert.equal(decode64('YQ'), 'a');
    assert.equal(decode64('YWI'), 'ab');
    assert.equal(decode64('YWJjY'), 'abc');
  });
});
