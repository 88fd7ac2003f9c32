// Floors: making, naming, removing.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ADMIN_PASSWORD, type Api, startBoth } from '../../support/gateway.ts';

const gateways = await startBoth({ after }, { demo: true, users: [{ name: 'carol', password: 'carol' }] });

for (const [name, gateway] of gateways) {
  const alice = gateway.as('alice');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const nobody = gateway.api;
  let count = 0;
  /** a room that alice has made */
  const make = async (fields: object = {}): Promise<string> => {
    const room = `Room ${++count} of ${name}`;
    assert.equal(await status(alice, 'POST', 'r/', { name: room, ...fields }), 201);
    return `r/${encodeURIComponent(room)}/`;
  };

  describe(`floors on ${name}`, () => {
    it('are made, named and removed by administrators', async () => {
      const response = await send(admin, 'POST', 'f/', { name: `Floor of ${name}` });
      assert.equal(response.status, 201);
      const path = response.headers.get('location')!;
      const { num } = await json(alice, path);
      assert.equal(path, `/svc/f/${num}`);
      assert.deepEqual(await json(alice, path), { num, name: `Floor of ${name}`, refcount: 0 });
      assert.equal(await status(admin, 'PATCH', path, { name: `Attic of ${name}` }), 204);
      assert.equal((await json(alice, path)).name, `Attic of ${name}`);

      const room = await make({ floor: num });
      assert.equal(await status(admin, 'DELETE', path), 409, 'it holds a room');
      assert.equal(await status(alice, 'DELETE', room), 204);
      assert.equal(await status(admin, 'DELETE', path), 204);
      assert.equal((await alice(path)).status, 404);
      assert.equal(await status(admin, 'DELETE', path), 404);
    });

    it('are not for everybody', async () => {
      assert.equal(await status(alice, 'POST', 'f/', { name: 'Mine' }), 403);
      assert.equal(await status(alice, 'PATCH', 'f/1', { name: 'Mine' }), 403);
      assert.equal(await status(alice, 'DELETE', 'f/1'), 403);
      assert.equal(await status(nobody, 'POST', 'f/', { name: 'Mine' }), 401);
    });

    it('refuse a name that is taken or none, and numbers that there are not', async () => {
      assert.equal(await status(admin, 'POST', 'f/', { name: 'Community' }), 409);
      assert.equal(await status(admin, 'PATCH', 'f/1', { name: 'Main Floor' }), 409);
      for (const fields of [{}, { name: '' }, { name: 'a|b' }, { name: 'x'.repeat(256) }, { num: 3 }]) {
        assert.equal(await status(admin, 'POST', 'f/', fields), 400, JSON.stringify(fields));
      }
      for (const num of ['9', '16', '99', '-1', 'x', '1.0', '01']) {
        assert.equal(await status(admin, 'PATCH', `f/${num}`, { name: 'N' }), 404, num);
        assert.equal(await status(admin, 'DELETE', `f/${num}`), 404, num);
        assert.equal((await admin(`f/${num}`)).status, 404, num);
      }
      assert.equal(await status(admin, 'DELETE', 'f/0'), 409);
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

async function json(api: Api, path: string): Promise<Record<string, unknown>> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Record<string, unknown>;
}
