// Base64 (RFC 2045 section 6.8), read leniently.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
  it('ignores white space and rubbish, and stops at the padding', () => {
    assert.equal(decode64(' Y\r\nW!\0-_J\tj\xff'), 'abc');
    assert.equal(decode64('YQ==YWJj'), 'a');
    assert.equal(decode64('YQ=\n=\nYWJj'), 'a');
  });
  it('takes nothing behind the padding from a later chunk', () => {
    assert.equal(runCoder(base64Decoder(), [Buffer.from('YQ=='), Buffer.from('YWJj')]).toString(), 'a');
  });
  it('tolerates missing padding and drops a lonely last character', () => {
    assert.equal(decode64('YQ'), 'a');
    assert.equal(decode64('YWI'), 'ab');
    assert.equal(decode64('YWJjY'), 'abc');
  });
});
