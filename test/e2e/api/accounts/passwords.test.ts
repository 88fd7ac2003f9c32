// The own password.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_PASSWORD_BYTES } from '../../../../src/limits/backend.ts';
import { ADMIN_PASSWORD, type Api, cookieOf, startBoth, withCookie } from '../../../support/gateway.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const gateways = await startBoth({ after }, { demo: true });

for (const [index, [name, gateway]] of gateways.entries()) {
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const nobody = gateway.api;
  let count = 0;
  /** an account whose password is its name */
  const make = async (): Promise<string> => {
    const username = `user${index}x${++count}`;
    assert.equal(await status(admin, 'POST', 'u/', { username, password: username }), 201);
    return username;
  };

  describe(`the own password on ${name}`, () => {
    it('is changed by who knows the old one; this session goes on, others end', async () => {
      const user = await make();
      const here = await withCookie(gateway, user);
      const elsewhere = await withCookie(gateway, user);
      for (const api of [here, elsewhere]) assert.equal((await api('r/')).status, 200);
      const changed = await send(here, 'POST', 'a/password', { old: user, new: 'Brand new: pÄss' });
      assert.equal(changed.status, 204);
      const cookie = cookieOf(changed);
      assert.equal((await nobody('r/', { headers: { cookie } })).status, 200);
      assert.equal((await json((path) => nobody(path, { headers: { cookie } }), 'a/whoami')).username, user);
      const other = await elsewhere('r/');
      assert.deepEqual([other.status, cookieOf(other)], [401, 'vestibule='], 'cleared');
      const late = await here('r/');
      assert.deepEqual([late.status, cookieOf(late)], [401, ''], 'the cookie of before clears not the new one');
      assert.equal((await gateway.as(user)('r/')).status, 401);
      assert.equal((await gateway.as(user, 'Brand new: pÄss')('r/')).status, 200);
    });

    it('is changed with HTTP Basic as well', async () => {
      const user = await make();
      const response = await send(gateway.as(user), 'POST', 'a/password', { old: user, new: 'next' });
      assert.deepEqual([response.status, response.headers.has('set-cookie')], [204, false]);
      assert.equal((await gateway.as(user, 'next')('r/')).status, 200);
    });

    it('stays when the old one is wrong', async () => {
      const user = await make();
      const own = gateway.as(user);
      assert.equal(await status(own, 'POST', 'a/password', { old: 'wrong', new: 'next' }), 403);
      assert.equal((await own('r/')).status, 200);
      assert.equal((await gateway.as(user, 'next')('r/')).status, 401);
    });

    it('stays when the new one could not be typed again', async () => {
      const user = await make();
      const own = gateway.as(user);
      const wrong = ['', ' ', ' a', 'a ', 'a|b', 'a\nb', 'a\0b', 'GENERATE_RANDOM_PASSWORD', 7, null, '\udc00'];
      for (const password of [...wrong, 'p'.repeat(MAX_PASSWORD_BYTES + 1), undefined]) {
        const fields = { old: user, new: password };
        assert.equal(await status(own, 'POST', 'a/password', fields), 400, JSON.stringify(fields));
      }
      assert.equal(await status(own, 'POST', 'a/password', { new: 'x' }), 400);
      assert.equal((await own('r/')).status, 200);
      const longest = 'p'.repeat(MAX_PASSWORD_BYTES);
      assert.equal(await status(own, 'POST', 'a/password', { old: user, new: longest }), 204);
      assert.equal((await gateway.as(user, longest)('r/')).status, 200);
    });

    it('needs a log-in, and is changed from no other site', async () => {
      assert.equal(await status(nobody, 'POST', 'a/password', { old: 'a', new: 'b' }), 401);
      const browser = await withCookie(gateway, 'alice');
      const foreign = (path: string, init = {}) =>
        browser(path, { ...init, headers: { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' } });
      assert.equal(await status(foreign, 'POST', 'a/password', { old: 'alice', new: 'b' }), 403);
    });
  });

  it(`nothing of it was a fault on ${name}`, () => assert.deepEqual(gateway.faults, []));
}

function send(api: Api, method: string, path: string, fields?: unknown): Promise<Response> {
  if (fields === undefined) return api(path, { method });
  return api(path, { method, headers: JSON_TYPE, body: JSON.stringify(fields) });
}

async function status(api: Api, method: string, path: string, fields?: unknown): Promise<number> {
  return (await send(api, method, path, fields)).status;
}

async function json(api: Api, path: string): Promise<Record<string, unknown>> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Record<string, unknown>;
}
