import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  hashPassword,
  isHashOutdated,
  PASSWORD_COST,
  verifyPassword,
} from '../../../../src/backend/store/credentials/passwords.ts';

describe('passwords', () => {
  it('are kept as scrypt hashes that carry their parameters', async () => {
    const cheap = await hashPassword('secret', 16);
    assert.match(cheap, /^scrypt\$16\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    assert.notEqual(await hashPassword('secret', 16), cheap);
    assert.equal(await verifyPassword(cheap, 'secret'), true);
    assert.equal(await verifyPassword(cheap, 'Secret'), false);
    assert.equal(await verifyPassword(cheap, ''), false);
    assert.equal(await verifyPassword(await hashPassword('secret', PASSWORD_COST), 'secret'), true);
  });

  it('cost as much work as OWASP wants of scrypt, and older hashes are told', async () => {
    const [, n, r, p] = (await hashPassword('secret', PASSWORD_COST)).split('$').map(Number);
    // N r p: 2^17 8 1, 2^16 8 2, 2^15 8 3, 2^14 8 5, 2^13 8 10
    assert.ok([131_072, 65_536, 32_768, 16_384, 8192].some((least, i) => n! >= least && p! >= [1, 2, 3, 5, 10][i]!));
    assert.equal(r, 8);
    const before = 'scrypt$32768$8$1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    assert.equal(isHashOutdated(before), true);
    assert.equal(isHashOutdated(before.replace('8$1', '8$3')), false);
    assert.equal(isHashOutdated(before.replace('8$1', '8$4')), false);
    assert.equal(isHashOutdated(null), false);
  });

  it('that are not set open the account to an empty password only', async () => {
    assert.equal(await verifyPassword(null, ''), true);
    assert.equal(await verifyPassword(null, 'anything'), false);
  });
});
