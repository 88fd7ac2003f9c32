// Whether something is there already.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { exists } from '../../src/dav/mkcol.ts';
import { AppError } from '../../src/errors.ts';

it('What is found is there, and what a password protects', async () => {
  assert.equal(await exists(Promise.resolve(undefined)), true);
  assert.equal(await exists(Promise.reject(new AppError('forbidden', 'a password'))), true);
});

it('What is not found is not there', async () => {
  assert.equal(await exists(Promise.reject(new AppError('not_found', 'no such room'))), false);
});

it('Another fault says nothing of it', async () => {
  await assert.rejects(exists(Promise.reject(new AppError('busy', 'later'))), { code: 'busy' });
  await assert.rejects(exists(Promise.reject(new Error('broken'))), /broken/);
});
