import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppError, NO_DISK_SPACE } from '../../src/errors.ts';
import { storageFault } from '../../src/system/operator-errors.ts';

it('tells a client what the system says of disk and descriptors, and passes on all else', () => {
  const failed = (code: string) => Object.assign(new Error(code), { code });
  for (const code of ['ENOSPC', 'EDQUOT']) {
    const told = storageFault(failed(code)) as AppError;
    assert.deepEqual([told.code, told.condition], ['insufficient_storage', NO_DISK_SPACE]);
  }
  for (const code of ['EMFILE', 'ENFILE']) {
    const told = storageFault(failed(code)) as AppError;
    assert.deepEqual([told.code, told.retryAfterSeconds, (told.cause as Error).message], ['busy', 5, code]);
  }
  for (const other of [failed('EIO'), new AppError('too_large', 'x'), undefined]) {
    assert.equal(storageFault(other), other);
  }
});
