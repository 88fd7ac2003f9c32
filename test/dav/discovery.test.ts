// What leads a client from a host name to its calendars, as resources.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findPrincipal,
  homeResource,
  principalResource,
  principalsResource,
  rootResource,
} from '../../src/dav/discovery.ts';
import type { App } from '../../src/gateway/app.ts';
import { PRIVILEGE } from '../../src/gateway/collection/properties.ts';
import { APP } from './asking.ts';

describe('places', () => {
  it('have addresses that end in a slash', () => {
    assert.deepEqual([rootResource('/svc').href, rootResource('/').href], ['/svc/', '/']);
    assert.deepEqual([homeResource(APP).href, principalsResource(APP).href], ['/svc/r/', '/svc/u/']);
  });

  it('tell that rooms are made in the home, and nothing elsewhere', () => {
    const mayMake = ({ privileges = 0 }: { privileges?: number | undefined }) => (privileges & PRIVILEGE.bind) !== 0;
    assert.deepEqual([rootResource('/'), homeResource(APP), principalsResource(APP)].map(mayMake), [
      false,
      true,
      false,
    ]);
  });
});

describe('a principal', () => {
  it('has its addresses where it is the caller’s own', () => {
    const own = principalResource('/svc/u/anna/', 'Anna', '/svc/u/anna/', ['anna@x']);
    assert.deepEqual([own.isOwn, own.addresses], [true, ['anna@x']]);
    const other = principalResource('/svc/u/ben/', 'Ben', '/svc/u/anna/', ['anna@x']);
    assert.deepEqual([other.isOwn, other.addresses, other.displayName], [undefined, undefined, 'Ben']);
  });

  const app = { ...APP, pool: { identify: async () => ({ name: 'Anna B' }) } } as unknown as App;
  const caller = { identity: { user: 'anna b', password: '' }, session: undefined, isGuest: false };

  it('is found under the name as it was asked for, which is called as it is spelt', async () => {
    const found = await findPrincipal(app, caller, 'ANNA B', new Set());
    assert.deepEqual([found.href, found.displayName, found.isOwn], ['/svc/u/ANNA%20B/', 'Anna B', true]);
  });

  it('is nobody where no command could carry the name', async () => {
    await assert.rejects(findPrincipal(app, caller, 'a|b', new Set()), { code: 'not_found' });
  });
});
