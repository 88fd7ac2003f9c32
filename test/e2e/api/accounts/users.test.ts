// Users: lists and profiles.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ADMIN_PASSWORD, type Api, startBoth } from '../../../support/gateway.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const gateways = await startBoth({ after }, { demo: true });

for (const [index, [name, gateway]] of gateways.entries()) {
  const alice = gateway.as('alice');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const nobody = gateway.api;
  let count = 0;
  /** an account whose password is its name */
  const make = async (): Promise<string> => {
    const username = `user${index}x${++count}`;
    assert.equal(await status(admin, 'POST', 'u/', { username, password: username }), 201);
    return username;
  };

  describe(`users on ${name}`, () => {
    it('are listed, all or by a part of the name', async () => {
      const users = (await json(alice, 'u/')) as unknown as Record<string, unknown>[];
      const entry = users.find((user) => user.name === 'bob')!;
      assert.deepEqual(Object.keys(entry).sort(), ['axlevel', 'last_call', 'name', 'usernum']);
      assert.equal(entry.axlevel, 4);
      const found = (await json(alice, 'u/?q=LIC')) as unknown as { name: string }[];
      assert.deepEqual(
        found.map((user) => user.name),
        ['alice'],
      );
      assert.deepEqual(await json(alice, 'u/?q=nothing%20like%20that'), []);
      assert.equal((await alice('u/?q=a%7Cb')).status, 400);
      assert.equal((await alice('u')).status, 308);
    });

    it('have no last call before they were ever here', async () => {
      const username = await make();
      const lastCall = async () => (await json(alice, `u/${username}/`)).last_call;
      assert.equal(await lastCall(), 0);
      assert.equal((await gateway.as(username)('a/whoami')).status, 200);
      assert.ok(Number(await lastCall()) > 0);
    });

    it('have a profile that they write themselves', async () => {
      const user = await make();
      const own = gateway.as(user);
      const { usernum, ...profile } = await json(own, `u/${user}/`);
      assert.deepEqual(
        { ...profile, last_call: 0 },
        { name: user, axlevel: 4, last_call: 0, bio: '', has_picture: false },
      );
      assert.equal(typeof usernum, 'number');
      assert.equal((await alice(`u/${user}/bio`)).status, 404);
      const put = (api: Api, body: string) => api(`u/${user}/bio`, { method: 'PUT', body });
      assert.equal((await put(own, 'Ich heiße Ö.\nZwei\n')).status, 204);
      const response = await alice(`u/${user.toUpperCase()}/bio`);
      assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
      assert.equal(await response.text(), 'Ich heiße Ö.\nZwei\n');
      assert.equal((await json(alice, `u/${user}`)).bio, 'Ich heiße Ö.\nZwei\n');
      assert.equal((await put(alice, 'not mine')).status, 403);
      const inCapitals = await own(`u/${user.toUpperCase()}/bio`, { method: 'PUT', body: 'Ich heiße Ö.\nZwei\n' });
      assert.equal(inCapitals.status, 204, 'it is the same name');
      assert.equal((await put(own, 'x\n000\nQUIT\n')).status, 400);
      assert.equal((await alice(`u/${user}/bio`)).status, 200, 'unchanged');
      assert.equal(await status(own, 'DELETE', `u/${user}/bio`), 204);
      assert.equal((await alice(`u/${user}/bio`)).status, 404);
      assert.equal(await status(own, 'DELETE', `u/${user}/bio`), 404);
    });

    it('are known to those who have logged in', async () => {
      for (const path of ['u/', 'u/alice/', 'u/alice/bio']) assert.equal((await nobody(path)).status, 401, path);
      for (const path of ['u/no%20such%20user/', 'u/a%7Cb/', 'u/no%20such%20user/bio']) {
        assert.equal((await alice(path)).status, 404, path);
      }
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
