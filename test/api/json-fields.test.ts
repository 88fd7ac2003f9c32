// What the fields of a JSON object may hold.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Check,
  flag,
  line,
  lineOrNone,
  oneOf,
  required,
  unicodeText,
  viewNumber,
  wholeNumber,
} from '../../src/api/request-body.ts';
import { VIEW } from '../../src/model.ts';

function refuses(check: Check<unknown>, ...values: unknown[]): void {
  for (const value of values) {
    assert.throws(() => check(value, 'field'), { code: 'bad_request', message: /field/ }, JSON.stringify(value));
  }
}

describe('a line', () => {
  it('is text of at most so many bytes, without the blanks around it', () => {
    const check = line(4);
    assert.equal(check(' ab ', 'field'), 'ab');
    assert.equal(check('äö', 'field'), 'äö');
    assert.equal(check('abcd', 'field'), 'abcd');
    refuses(check, 'abcde', 'äöx', '', ' \t');
  });

  it('breaks no field and no line of a command', () => {
    refuses(line(99), 'a|b', 'a\nb', 'a\rb', 'a\0b', 'a\x1bb', 'a\x85b', '\ud800', 1, null, ['a'], undefined);
  });

  it('may be nothing where that is allowed', () => {
    const check = lineOrNone(4);
    assert.equal(check('', 'field'), '');
    assert.equal(check('a', 'field'), 'a');
    refuses(check, ' ', 'abcde', null);
  });
});

describe('text', () => {
  it('is any that is Unicode', () => {
    for (const text of ['', ' a\n|\0', '😀']) assert.equal(unicodeText(text, 'field'), text);
    refuses(unicodeText, '\ud83d', 'a\udc00', 1, null);
  });
});

describe('a number', () => {
  it('is whole, and in its range', () => {
    const check = wholeNumber(1, 3);
    assert.deepEqual([check(1, 'field'), check(3, 'field')], [1, 3]);
    refuses(check, 0, 4, 1.5, '2', null, Number.NaN, true);
  });

  it('of a view is one that there is', () => {
    assert.equal(viewNumber(VIEW.board, 'field'), VIEW.board);
    assert.equal(viewNumber(VIEW.files, 'field'), VIEW.files);
    refuses(viewNumber, VIEW.board - 1, VIEW.files + 1);
  });
});

describe('a word and a flag', () => {
  it('are one of those that there are', () => {
    const check = oneOf('public', 'personal');
    assert.equal(check('public', 'field'), 'public');
    refuses(check, 'Public', '', 'constructor', 0, null);
    assert.deepEqual([flag(true, 'field'), flag(false, 'field')], [true, false]);
    refuses(flag, 0, 'true', null);
  });
});

describe('a field that is needed', () => {
  it('was sent, be it false or empty', () => {
    assert.deepEqual([required('', 'a'), required(0, 'a'), required(false, 'a')], ['', 0, false]);
    assert.throws(() => required(undefined, 'name'), { code: 'bad_request', message: 'The field name is missing.' });
  });
});
