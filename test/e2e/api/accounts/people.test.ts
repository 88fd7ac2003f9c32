// Who is online.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ADMIN_PASSWORD, type Api, startBoth, type TestGateway } from '../../../support/gateway.ts';
import { WireClient } from '../../../support/wire-client.ts';

type Rows = Record<string, unknown>[];

const users = [0, 1].map((i) => ({ name: `carol${i}`, password: `carol${i}` }));
const gateways = await startBoth({ after }, { demo: true, users });
const [[, first]] = gateways as [[string, TestGateway]];

for (const [index, [name, gateway]] of gateways.entries()) {
  const bob = gateway.as('bob');
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  const nobody = gateway.api;
  const carol = `carol${index}`;
  const wire = (user: string, password = user) =>
    WireClient.login(join(first.dataFolder, 'citadel.socket'), user, password);

  describe(`who is online on ${name}`, () => {
    it('is told by user, and hosts only to oneself and to administrators', async () => {
      const client = await wire(carol);
      await client.expect('IDEN 0|1|1|Text client|home.example', 200);
      await client.expect('GOTO Town Square', 200);
      const seenBy = async (api: Api) => {
        const people = (await json(api, 'a/who')) as Rows;
        const found = people.find((person) => person.username === carol) as { sessions: Rows; last_activity: number };
        assert.equal(typeof found.last_activity, 'number');
        return found.sessions.find((session) => session.client === 'Text client')!;
      };
      const { session, last_activity: lastActivity, ...rest } = await seenBy(bob);
      assert.deepEqual(rest, { room: 'Town Square', client: 'Text client' });
      assert.deepEqual([typeof session, typeof lastActivity], ['number', 'number']);
      assert.equal((await seenBy(admin)).host, 'home.example');
      assert.equal((await seenBy(gateway.as(carol))).host, 'home.example');
      await client.expect('GOTO Mail', 200);
      assert.equal((await seenBy(bob)).room, '', 'a room that bob may not know');
      client.close();
      const everybody = (await json(bob, 'a/who')) as Rows;
      assert.equal(everybody.filter((person) => person.username === 'bob').length, 1, 'once, whatever he has open');
      assert.equal((await nobody('a/who')).status, 401);
    });
  });

  it(`nothing of it was a fault on ${name}`, () => assert.deepEqual(gateway.faults, []));
}

async function json(api: Api, path: string): Promise<unknown> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return response.json();
}
