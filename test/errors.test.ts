// The one error class: what every layer tells the next.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError, ERROR_CODES, isNotFound, unlessGone } from '../src/errors.ts';

describe('an AppError', () => {
  it('has its code, its text, and what it was told of the room server', () => {
    const cause = new Error('below');
    const condition = { name: 'lock-token-submitted', hrefs: ['/dav/a'] };
    const error = new AppError('busy', 'Later.', { backendCode: 541, retryAfterSeconds: 3, condition, cause });
    assert.ok(error instanceof Error);
    const { name, code, message, backendCode, retryAfterSeconds } = error;
    assert.deepEqual([name, code, message, backendCode, retryAfterSeconds], ['AppError', 'busy', 'Later.', 541, 3]);
    assert.deepEqual([error.condition, error.cause], [condition, cause]);
  });

  it('has no cause where none is given: a log would show an empty one', () => {
    const error = new AppError('not_found', 'x');
    assert.equal('cause' in error, false);
    assert.deepEqual([error.backendCode, error.retryAfterSeconds, error.condition], [undefined, undefined, undefined]);
  });
});

it('no code stands twice in the list', () => {
  assert.equal(new Set(ERROR_CODES).size, ERROR_CODES.length);
});

it('what is there is given, what is not found is nothing', async () => {
  assert.equal(await unlessGone(Promise.resolve(7)), 7);
  assert.equal(await unlessGone(Promise.reject(new AppError('not_found', 'gone'))), undefined);
});

it('other faults are thrown', async () => {
  for (const fault of [new AppError('forbidden', 'x'), new Error('not_found'), { code: 'not_found' }, undefined]) {
    await assert.rejects(unlessGone(Promise.reject(fault)), (error: unknown) => error === fault);
    assert.equal(isNotFound(fault), false);
  }
});
