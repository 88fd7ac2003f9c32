// Errors of the system and of SQLite, in words.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { forOperator, systemWords } from '../../src/system/operator-errors.ts';

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  assert.fail('nothing was thrown');
}

describe('an error of the system', () => {
  it('has words for who runs the server', () => {
    assert.equal(systemWords(thrown(() => readFileSync('/no/such/file'))), 'no such file or folder');
    assert.equal(systemWords(thrown(() => readFileSync('/'))), 'it is a folder');
    assert.equal(systemWords(Object.assign(new Error(), { code: 'ENOSPC' })), 'the disk is full');
  });

  it('of the database is told by its primary code, whatever stands in the higher bits', (t) => {
    assert.equal(systemWords(thrown(() => new DatabaseSync('/no/such/file'))), 'it cannot be opened');
    const db = new DatabaseSync(':memory:');
    t.after(() => db.close());
    assert.equal(systemWords(thrown(() => db.exec('SELECT'))), undefined);
    assert.equal(systemWords({ code: 'ERR_SQLITE_ERROR', errcode: 13 | (7 << 8) }), 'the disk is full');
  });

  it('that nobody knows has none, whatever was thrown', () => {
    for (const error of [undefined, null, 'ENOENT', 5, new Error('x'), { code: 5 }, { code: 'EWHATEVER' }]) {
      assert.equal(systemWords(error), undefined);
    }
  });

  it('has none by the name of what every object has', () => {
    for (const code of ['constructor', 'toString', '__proto__', 'valueOf']) {
      assert.equal(systemWords({ code }), undefined, code);
    }
  });
});

describe('for the operator an error', () => {
  it('is one sentence, with what can be done, and the error behind it', () => {
    const cause = thrown(() => readFileSync('/no/such/file'));
    const told = forOperator(cause, 'The key cannot be read', 'choose another one');
    assert.ok(told instanceof AppError);
    assert.equal(told.message, 'The key cannot be read: no such file or folder; choose another one.');
    assert.deepEqual([told.code, told.cause], ['internal', cause]);
    assert.equal(
      (forOperator(cause, 'The key cannot be read') as Error).message,
      'The key cannot be read: no such file or folder.',
    );
  });

  it('without words stays as it is', () => {
    const error = new Error('a fault of ours');
    assert.equal(forOperator(error, 'The key cannot be read'), error);
  });
});
