// Accounts, as administrators make, change and remove them.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_USER_NAME_BYTES } from '../../../../src/limits/backend.ts';
import { ADMIN_PASSWORD, type Api, basic, startBoth, withCookie } from '../../../support/gateway.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const gateways = await startBoth({ after }, { demo: true });

for (const [index, [name, gateway]] of gateways.entries()) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const nobody = gateway.api;
  let count = 0;
  /** an account whose password is its name */
  const make = async (): Promise<string> => {
    const username = `user${index}x${++count}`;
    assert.equal(await status(admin, 'POST', 'u/', { username, password: username }), 201);
    return username;
  };

  describe(`accounts on ${name}`, () => {
    it('are made by administrators', async () => {
      const username = `Anna B ${index}`;
      const response = await send(admin, 'POST', 'u/', { username, password: 'geheim ß' });
      assert.equal(response.status, 201);
      assert.equal(response.headers.get('location'), `/svc/u/Anna%20B%20${index}/`);
      assert.equal((await json(admin, response.headers.get('location')!)).name, username);
      assert.equal((await gateway.as(username, 'geheim ß')('r/')).status, 200);
      assert.equal(await status(admin, 'POST', 'u/', { username: username.toLowerCase(), password: 'x' }), 409);
      assert.equal(await status(alice, 'POST', 'u/', { username: 'mallory', password: 'x' }), 403);
      assert.equal(await status(nobody, 'POST', 'u/', { username: 'mallory', password: 'x' }), 401);
    });

    it('are refused with a name that would not stay as it is, and with no password', async () => {
      const before = await json(admin, 'u/');
      for (const username of ['', 'Zoë', 'a@b', 'a_b', 'a,b', 'a%b', 'a!b', 'a|b', 'a  b', '...', 'a\nb', 'sysop']) {
        assert.equal(await status(admin, 'POST', 'u/', { username, password: 'x' }), 400, username);
      }
      const long = 'n'.repeat(MAX_USER_NAME_BYTES + 1);
      assert.equal(await status(admin, 'POST', 'u/', { username: long, password: 'x' }), 400);
      for (const fields of [{ username: 'mallory' }, { username: 'mallory', password: '' }, { password: 'x' }]) {
        assert.equal(await status(admin, 'POST', 'u/', fields), 400, JSON.stringify(fields));
      }
      assert.deepEqual(await json(admin, 'u/'), before);
      const longest = `${index}`.padEnd(MAX_USER_NAME_BYTES, 'n');
      assert.equal(await status(admin, 'POST', 'u/', { username: longest, password: 'x' }), 201);
    });

    it('get another level, at once', async () => {
      const user = await make();
      const own = gateway.as(user);
      assert.equal((await json(own, 'a/whoami')).axlevel, 4);
      assert.equal(await status(admin, 'PATCH', `u/${user}/`, { axlevel: 6 }), 204);
      assert.equal((await json(own, 'a/whoami')).axlevel, 6);
      assert.equal((await json(own, `u/${user}/`)).axlevel, 6);
      for (const axlevel of [0, 7, -1, 1.5, '6', null]) {
        assert.equal(await status(admin, 'PATCH', `u/${user}/`, { axlevel }), 400, String(axlevel));
      }
      assert.equal((await json(own, 'a/whoami')).axlevel, 6);
    });

    it('get another password, which ends their sessions', async () => {
      const user = await make();
      const session = await withCookie(gateway, user);
      assert.equal((await session('r/')).status, 200);
      assert.equal(await status(admin, 'PATCH', `u/${user}`, { password: 'reset' }), 204);
      assert.equal((await session('r/')).status, 401);
      assert.equal((await gateway.as(user, 'reset')('r/')).status, 200);
      assert.equal((await json(admin, `u/${user}`)).axlevel, 4, 'the rest stays');
    });

    it('are removed', async () => {
      const user = await make();
      const session = await withCookie(gateway, user);
      assert.equal((await session('r/')).status, 200);
      assert.equal(await status(bob, 'DELETE', `u/${user}/`), 403);
      assert.equal(await status(admin, 'DELETE', `u/${user}/`), 204);
      assert.equal((await admin(`u/${user}/`)).status, 404);
      const left = (await json(admin, `u/?q=${user}`)) as unknown as { name: string }[];
      assert.ok(left.every((other) => other.name !== user));
      assert.equal((await session('r/')).status, 401);
      assert.equal((await nobody('r/', { headers: { authorization: basic(user) } })).status, 401);
      assert.equal(await status(admin, 'DELETE', `u/${user}/`), 404);
    });

    it('are not changed by others, nor by the administrator whose own it is', async () => {
      for (const method of ['PATCH', 'DELETE']) {
        const fields = method === 'PATCH' ? { axlevel: 2 } : undefined;
        assert.equal(await status(alice, method, 'u/bob/', fields), 403);
        assert.equal(await status(alice, method, 'u/alice/', fields), 403);
        assert.equal(await status(nobody, method, 'u/bob/', fields), 401);
        assert.equal(await status(admin, method, 'u/admin/', fields), 409);
        assert.equal(await status(admin, method, 'u/no%20such%20user/', fields), 404);
      }
      assert.equal((await json(admin, 'a/whoami')).axlevel, 6);
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
