import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashPassword, PASSWORD_COST, verifyPassword } from '../../../../src/backend/store/credentials/passwords.ts';

describe('passwords', () => {
  it('are kept as scrypt hashes that carry their parameters', async () => {
    const cheap = await hashPassword('secret', 16);
    assert.match(cheap, /^scrypt\$16\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    assert.notEqual(await hashPassword('secret', 16), cheap);
    assert.equal(await verifyPassword(cheap, 'secret'), true);
    assert.equal(await verifyPassword(cheap, 'Secret'), false);
    assert.equal(await verifyPassword(cheap, ''), false);
    assert.equal(await verifyPassword(await hashPassword('secret', PASSWORD_COST), 'secret'), true);
  });

  it('that are not set open the account to an empty password only', async () => {
    assert.equal(await verifyPassword(null, ''), true);
    assert.equal(await verifyPassword(null, 'anything'), false);
  });
});
