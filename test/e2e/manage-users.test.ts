// Users: lists, profiles, pictures, passwords, and accounts as administrators see them.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_PASSWORD_BYTES, MAX_USER_NAME_BYTES } from '../../src/limits/backend.ts';
import { ADMIN_PASSWORD, type Api, basic, cookieOf, startBoth, withCookie } from '../support/gateway.ts';

const PICTURE = Buffer.alloc(64, 3);
const OTHER_PICTURE = Buffer.alloc(100_000, 4); // too large to be kept in memory
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
      assert.equal((await gateway.as(username, username)('a/whoami')).status, 200);
      assert.ok(Number(await lastCall()) > 0);
    });

    it('have a profile that they write themselves', async () => {
      const user = await make();
      const own = gateway.as(user);
      const { usernum, ...profile } = await json(own, `u/${user}/`);
      assert.deepEqual({ ...profile, last_call: 0 }, { name: user, axlevel: 4, last_call: 0, bio: '' });
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

    it('remove their picture', async () => {
      const path = `u/${await make()}/userpic`;
      const own = gateway.as(path.split('/')[1]!);
      const put = { method: 'PUT', headers: { 'content-type': 'image/png' }, body: PICTURE };
      assert.equal((await own(path, put)).status, 204);
      assert.equal(await status(alice, 'DELETE', path), 403);
      assert.equal((await alice(path)).status, 200);
      assert.equal(await status(own, 'DELETE', path), 204);
      assert.equal((await alice(path)).status, 404);
      assert.equal(await status(own, 'DELETE', path), 404);
    });

    it('have a picture that is sent again only when it has changed', async () => {
      const path = `u/${await make()}/userpic`;
      const own = gateway.as(path.split('/')[1]!);
      const put = async (body: Buffer, type = 'image/png') => {
        const answer = await own(path, { method: 'PUT', headers: { 'content-type': type }, body });
        assert.equal(answer.status, 204);
      };
      const etagOf = async () => {
        const { headers } = await alice(path, { method: 'HEAD' });
        assert.equal(headers.get('cache-control'), 'private, no-cache');
        return headers.get('etag')!;
      };
      await put(PICTURE);
      const etag = await etagOf();
      assert.match(etag, /^"[^"]+"$/);
      const headers = { 'if-none-match': etag };
      assert.equal((await alice(path, { headers })).status, 304);
      assert.equal((await alice(path, { headers: { 'if-match': '"another"' } })).status, 412);
      const range = await alice(path, { headers: { range: 'bytes=60-', 'if-range': etag } });
      assert.deepEqual([range.status, (await range.arrayBuffer()).byteLength], [206, 4]);
      await put(OTHER_PICTURE);
      const changed = await alice(path, { headers });
      assert.equal(changed.status, 200);
      assert.deepEqual(Buffer.from(await changed.arrayBuffer()), OTHER_PICTURE);
      await put(PICTURE, 'image/gif');
      assert.notEqual(await etagOf(), etag, 'of another type');
      await put(PICTURE);
      assert.equal(await etagOf(), etag);
    });

    it('are known to those who have logged in', async () => {
      for (const path of ['u/', 'u/alice/', 'u/alice/bio']) assert.equal((await nobody(path)).status, 401, path);
      for (const path of ['u/no%20such%20user/', 'u/a%7Cb/', 'u/no%20such%20user/bio']) {
        assert.equal((await alice(path)).status, 404, path);
      }
    });
  });

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
