// Who belongs to a room: the list, letting in, putting out.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ADMIN_PASSWORD, type Api, startBoth } from '../../support/gateway.ts';

const gateways = await startBoth({ after }, { demo: true, users: [{ name: 'carol', password: 'carol' }] });

for (const [name, gateway] of gateways) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const nobody = gateway.api;
  let count = 0;
  /** a room that alice has made */
  const make = async (fields: object = {}): Promise<string> => {
    const room = `Room ${++count} of ${name}`;
    assert.equal(await status(alice, 'POST', 'r/', { name: room, ...fields }), 201);
    return `r/${encodeURIComponent(room)}/`;
  };

  describe(`the members of a room on ${name}`, () => {
    it('are listed, let in and put out', async () => {
      const path = await make({ kind: 'invitation' });
      const names = async () =>
        ((await json(alice, `${path}members`)) as unknown as { name: string }[]).map((m) => m.name);
      assert.ok(!(await names()).includes('bob'));
      assert.equal((await bob(path)).status, 404);
      assert.equal(await status(alice, 'PUT', `${path}members/BOB`), 204);
      assert.ok((await names()).includes('bob'));
      assert.equal((await bob(path)).status, 200);
      assert.equal(await status(alice, 'DELETE', `${path}members/bob`), 204);
      assert.ok(!(await names()).includes('bob'));
      assert.equal((await bob(path)).status, 404);
    });

    it('are the business of who administers it', async () => {
      const path = await make();
      assert.equal(await status(bob, 'PUT', `${path}members/carol`), 403);
      assert.equal(await status(bob, 'DELETE', `${path}members/carol`), 403);
      assert.equal(await status(nobody, 'PUT', `${path}members/carol`), 401);
      assert.equal((await nobody(`${path}members`)).status, 401);
      assert.equal(await status(alice, 'PUT', `${path}members/nobody%20here`), 404);
      assert.equal(await status(alice, 'PUT', `${path}members/a%7Cb`), 404);
      assert.equal(await status(admin, 'PUT', 'r/Lobby/members/carol'), 409);
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
