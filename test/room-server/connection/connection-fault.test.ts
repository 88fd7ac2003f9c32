// Why a connection cannot be used any more, as errors.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import {
  type Fault,
  faultError,
  isLost,
  stopping,
  tooMany,
} from '../../../src/room-server/connection/server-errors.ts';

it('a fault has its own code, and keeps what caused it out of the message', () => {
  for (const fault of ['backend_lost', 'backend_protocol', 'backend_timeout'] satisfies Fault[]) {
    const cause = new Error('secret detail');
    const error = faultError(fault, cause);
    assert.deepEqual([error.code, error.cause], [fault, cause]);
    assert.doesNotMatch(error.message, /secret/);
  }
});

it('a cause that says more is the error', () => {
  const cause = new AppError('too_large', 'a line is too long');
  assert.equal(faultError('backend_protocol', cause), cause);
});

it('only a lost connection is lost: then, and then only, a read may be sent again', () => {
  assert.ok(isLost(faultError('backend_lost', 'closed')));
  for (const error of [faultError('backend_protocol', 'x'), faultError('backend_timeout', 'x'), new Error('x'), null]) {
    assert.ok(!isLost(error));
  }
});

it('who comes while there is no place is told when to come again', () => {
  for (const error of [stopping(), tooMany()]) {
    assert.equal(error.code, 'busy');
    assert.ok(Number(error.retryAfterSeconds) > 0);
  }
});
