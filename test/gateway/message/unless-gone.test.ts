// What has gone is undefined; every other fault is one.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import { isNotFound, unlessGone } from '../../../src/gateway/message/unless-gone.ts';

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
