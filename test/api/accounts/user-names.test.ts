// The user that a path names.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { requireOwnName, userNameOf } from '../../../src/api/accounts/users.ts';
import type { App } from '../../../src/gateway/app.ts';
import type { Exchange } from '../../../src/http/exchange.ts';

const at = (user: string) => ({ params: { user } }) as Partial<Exchange> as Exchange;
const APP = { pool: { identify: async () => ({ name: 'Anna B' }) } } as unknown as App;
const OWN = { user: 'anna b', password: '' };

it('A name is that of the path; what no command could carry is nobody', () => {
  assert.equal(userNameOf(at('Anna B')), 'Anna B');
  for (const name of ['a|b', 'a\nb', 'a\0b']) assert.throws(() => userNameOf(at(name)), { code: 'not_found' }, name);
});

it('What is one’s own goes by one’s name in any spelling, and is told as the room server spells it', async () => {
  for (const name of ['Anna B', 'ANNA B', 'anna b']) assert.equal(await requireOwnName(at(name), APP, OWN), 'Anna B');
});

it('What is another’s is forbidden, and what is nobody’s is not there', async () => {
  for (const name of ['Anna', 'Anna Bx', '']) {
    await assert.rejects(requireOwnName(at(name), APP, OWN), { code: 'forbidden' }, name);
  }
  await assert.rejects(requireOwnName(at('a|b'), APP, OWN), { code: 'not_found' });
});
