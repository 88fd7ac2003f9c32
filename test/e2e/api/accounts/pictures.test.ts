// Pictures of users and rooms.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ADMIN_PASSWORD, type Api, startBoth } from '../../../support/gateway.ts';

const PICTURE = Buffer.from(Array.from({ length: 300 }, (_, i) => i % 256));

const OTHER_PICTURE = Buffer.alloc(100_000, 4); // too large to be kept in memory

const gateways = await startBoth({ after }, { demo: true });

for (const [index, [name, gateway]] of gateways.entries()) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  let count = 0;
  /** a room that alice has made */
  const make = async (): Promise<string> => {
    const room = `Room ${++count} of ${name}`;
    assert.equal(await status(alice, 'POST', 'r/', { name: room }), 201);
    return `r/${encodeURIComponent(room)}/`;
  };

  /** an account whose password is its name */
  const makeUser = async (): Promise<string> => {
    const username = `user${index}x${++count}`;
    assert.equal(await status(admin, 'POST', 'u/', { username, password: username }), 201);
    return username;
  };

  describe(`the picture of a room on ${name}`, () => {
    it('is set, shown and removed', async () => {
      const path = `${await make()}roompic`;
      const put = (api: Api, body: Buffer | string, type = 'image/png') =>
        api(path, { method: 'PUT', headers: { 'content-type': type }, body });
      assert.equal((await alice(path)).status, 404);
      assert.equal((await put(bob, PICTURE)).status, 403);
      assert.equal((await put(alice, PICTURE, 'text/html')).status, 415);
      assert.equal((await put(alice, 'tiny')).status, 400);
      assert.equal((await put(alice, PICTURE)).status, 204);
      const shown = await bob(path);
      assert.equal(shown.headers.get('content-type'), 'image/png');
      assert.deepEqual(Buffer.from(await shown.arrayBuffer()), PICTURE);
      const headers = { 'if-none-match': shown.headers.get('etag')! };
      assert.equal((await bob(path, { headers })).status, 304);
      assert.equal((await bob(path, { method: 'DELETE' })).status, 403);
      assert.equal((await alice(path, { method: 'DELETE' })).status, 204);
      assert.equal((await alice(path)).status, 404);
      assert.equal((await alice(path, { method: 'DELETE' })).status, 404);
    });
  });

  describe(`the picture of a user on ${name}`, () => {
    it('remove their picture', async () => {
      const path = `u/${await makeUser()}/userpic`;
      const own = gateway.as(path.split('/')[1]!);
      const isPictured = async () => {
        const { has_picture } = (await (await alice(path.replace('userpic', ''))).json()) as { has_picture: boolean };
        return has_picture;
      };
      assert.equal(await isPictured(), false);
      const put = { method: 'PUT', headers: { 'content-type': 'image/png' }, body: PICTURE };
      assert.equal((await own(path, put)).status, 204);
      assert.equal(await isPictured(), true);
      assert.equal(await status(alice, 'DELETE', path), 403);
      assert.equal((await alice(path)).status, 200);
      assert.equal(await status(own, 'DELETE', path), 204);
      assert.equal((await alice(path)).status, 404);
      assert.equal(await status(own, 'DELETE', path), 404);
    });

    it('have a picture that is sent again only when it has changed', async () => {
      const path = `u/${await makeUser()}/userpic`;
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
      const range = await alice(path, { headers: { range: 'bytes=296-', 'if-range': etag } });
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
  });

  it(`nothing of it was a fault on ${name}`, () => assert.deepEqual(gateway.faults, []));
}

function send(api: Api, method: string, path: string, fields?: unknown): Promise<Response> {
  if (fields === undefined) return api(path, { method });
  return api(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) });
}

async function status(api: Api, method: string, path: string, fields?: unknown): Promise<number> {
  return (await send(api, method, path, fields)).status;
}
