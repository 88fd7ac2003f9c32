// Command lines and field lists: nothing from outside may end a line or a field.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { MAX_COMMAND_BYTES } from '../../src/limits/protocol.ts';
import { command, isFieldSafe, splitFields, toInt, wholeLineCommand } from '../../src/protocol/fields.ts';

const isBadRequest = (error: unknown) => error instanceof AppError && error.code === 'bad_request';

describe('a command line', () => {
  it('has its fields parted by bars', () => {
    assert.equal(command('GOTO', 'Größe', '', 1), 'GOTO Größe||1\n');
    assert.equal(command('LFLR'), 'LFLR\n');
  });

  it('refuses a field that would end the line or the field', () => {
    for (const evil of ['a\nQUIT', 'a\rb', 'a\0b', 'a|b']) {
      assert.throws(() => command('GOTO', evil), isBadRequest);
      assert.equal(isFieldSafe(evil), false);
    }
  });

  it('may take the rest of the line as one argument, bars included, but no line break', () => {
    assert.equal(wholeLineCommand('ECHO', 'a|b'), 'ECHO a|b\n');
    for (const evil of ['a\nQUIT', 'a\rb', 'a\0b']) assert.throws(() => wholeLineCommand('ECHO', evil), isBadRequest);
  });

  it('is at most MAX_COMMAND_BYTES long, counted in bytes', () => {
    const room = MAX_COMMAND_BYTES - 'ECHO '.length;
    assert.equal(wholeLineCommand('ECHO', 'x'.repeat(room)).length, MAX_COMMAND_BYTES + 1);
    assert.throws(() => wholeLineCommand('ECHO', 'x'.repeat(room + 1)), isBadRequest);
    assert.throws(() => wholeLineCommand('ECHO', 'ü'.repeat(room / 2 + 1)), isBadRequest);
  });
});

describe('a field list', () => {
  it('keeps empty fields', () => assert.deepEqual(splitFields('a||b|'), ['a', '', 'b', '']));

  it('has numbers that are read as far as they go', () => {
    const cases: [string | undefined, number][] = [
      ['12', 12],
      [' -3x', -3],
      ['+7', 7],
      ['abc', 0],
      ['', 0],
      [undefined, 0],
      ['0x10', 0],
      ['-0', 0],
      ['999999999999999', 999_999_999_999_999],
      ['1000000000000000', 999_999_999_999_999],
      ['-1000000000000000', -999_999_999_999_999],
    ];
    for (const [text, number] of cases) assert.equal(toInt(text), number);
  });
});
