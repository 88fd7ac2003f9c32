import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  hashPassword,
  isHashOutdated,
  PASSWORD_COST,
  verifyPassword,
} from '../../../../src/backend/store/passwords.ts';
import { Refusal } from '../../../../src/backend/store/refusal.ts';
import { MAX_WAITING_PASSWORD_CHECKS_PER_ASKER } from '../../../../src/limits/backend.ts';
import { STATUS } from '../../../../src/protocol/status.ts';

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

describe('hashes have turns', () => {
  const open = new AbortController().signal;

  it('40 of one user and 60 of an address hold up somebody else by a turn each', async () => {
    const done: string[] = [];
    const hash = async (turnKey: string) => {
      await hashPassword('secret', 16, { turnKey, gone: open });
      done.push(turnKey);
    };
    const many = [...Array(40).fill('user 2'), ...Array(60).fill('address 192.0.2.1'), 'account 3'].map(hash);
    await many.at(-1);
    assert.ok(done.length <= 2 * 3, done.join(', '));
    await Promise.all(many);
  });

  it('those of who has left are not made, and one asker has a bounded number that wait', async () => {
    const leaving = new AbortController();
    const asker = { turnKey: 'user 2', gone: leaving.signal };
    const tried = Array.from({ length: MAX_WAITING_PASSWORD_CHECKS_PER_ASKER + 2 }, () => hashPassword('x', 16, asker));
    const settled = Promise.allSettled(tried);
    const refused = await Promise.race(tried).catch((error: unknown) => error);
    assert.equal((refused as Refusal).code, STATUS.busy);
    leaving.abort(new Refusal('busy', 'gone'));
    const made = (await settled).filter(({ status }) => status === 'fulfilled');
    assert.ok(made.length <= 2, 'what was under way');
  });

  it('equal checks of one asker are one, also when who came first leaves', async () => {
    const stored = await hashPassword('secret', 16);
    const leaving = new AbortController();
    const before = hashPassword('x', 2 ** 12, { turnKey: 'user 2', gone: open });
    const first = verifyPassword(stored, 'secret', { turnKey: 'user 2', gone: leaving.signal });
    const many = Array.from({ length: MAX_WAITING_PASSWORD_CHECKS_PER_ASKER + 2 }, () =>
      verifyPassword(stored, 'secret', { turnKey: 'user 2', gone: open }),
    );
    const wrong = verifyPassword(stored, 'Secret', { turnKey: 'user 2', gone: open });
    leaving.abort(new Refusal('busy', 'gone'));
    await assert.rejects(first, { message: 'gone' });
    assert.deepEqual([...new Set(await Promise.all(many))], [true]);
    assert.equal(await wrong, false);
    await before;
  });
});
