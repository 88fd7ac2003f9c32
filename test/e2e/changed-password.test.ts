// A password that is changed at one gateway ends what another one keeps open with the old one, whoever changes it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ADMIN_PASSWORD,
  type Api,
  behindGateway,
  startBoth,
  startGateway,
  type TestGateway,
  withCookie,
} from '../support/gateway.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const sendJson = (api: Api, method: string, path: string, body: unknown) =>
  api(path, { method, headers: JSON_TYPE, body: JSON.stringify(body) });
/** few: each one is a failed log-in, and after ten of them nobody gets in */
const READS = ['a/whoami', 'r/Lobby/'];

async function statuses(api: Api): Promise<number[]> {
  const answers: number[] = [];
  for (const path of READS) answers.push((await api(path)).status);
  return answers;
}

describe('a session that was begun with another password', () => {
  it('ends at every gateway, and the one that changed it goes on', async (t) => {
    const [[, first], [, second]] = (await startBoth(t, { demo: true })) as [
      [string, TestGateway],
      [string, TestGateway],
    ];
    for (const [here, there] of [
      [first, second],
      [second, first],
    ] as const) {
      const [old, password] = here === first ? ['alice', 'first'] : ['first', 'second'];
      const own = await withCookie(here, 'alice', old);
      const others = [
        await withCookie(there, 'alice', old),
        there.as('alice', old),
        await withCookie(here, 'alice', old),
      ];
      for (const api of others) assert.equal((await api('r/')).status, 200);
      const changed = await sendJson(own, 'POST', 'a/password', { old, new: password });
      assert.equal(changed.status, 204);
      for (const api of others)
        assert.deepEqual(
          await statuses(api),
          READS.map(() => 401),
        );
      const cookie = changed.headers.getSetCookie()[0]!.split(';')[0]!;
      assert.equal((await here.api('r/', { headers: { cookie } })).status, 200);
      assert.equal((await there.as('alice', password)('r/')).status, 200);
    }
  });

  it('ends when an administrator changes the password, or deletes the account', async (t) => {
    const first = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const second = await behindGateway(t, first);
    const admin = first.as('admin', ADMIN_PASSWORD);
    const alice = await withCookie(second, 'alice');
    assert.equal((await alice('r/')).status, 200);
    assert.equal((await sendJson(admin, 'PATCH', 'u/alice/', { password: 'another' })).status, 204);
    assert.deepEqual(
      await statuses(alice),
      READS.map(() => 401),
    );
    const bob = await withCookie(second, 'bob');
    assert.equal((await bob('r/')).status, 200);
    assert.equal((await admin('u/bob/', { method: 'DELETE' })).status, 204);
    assert.deepEqual(
      await statuses(bob),
      READS.map(() => 401),
    );
  });
});
