// A plain text that replaces another one.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sendableText } from '../../src/api/request-body.ts';

it('A text has LF line ends, whatever it came with', () => {
  assert.equal(sendableText('a\r\nb\rc\n', 10), 'a\nb\nc\n');
  assert.equal(sendableText('', 10), '');
});

it('A line has as many bytes as a room server takes, and not one more', () => {
  assert.equal(sendableText('äö\nabcd\r\nabcd', 4), 'äö\nabcd\nabcd');
  for (const text of ['abcde', 'äöx', 'a\nabcde', 'abcde\r\na']) {
    assert.throws(() => sendableText(text, 4), { code: 'bad_request' }, text);
  }
});

it('A text holds no NUL', () => {
  assert.throws(() => sendableText('a\0b', 10), { code: 'bad_request' });
});
