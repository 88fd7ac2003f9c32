// Who has not logged in is not told which accounts there are: not by what an answer says, by its headers or its length,
// and not by what it costs the room server.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { after, describe, it } from 'node:test';
import { MAX_LOGIN_FAILURES } from '../../src/limits/sessions.ts';
import { type Api, basic, startBoth, startGateway } from '../support/gateway.ts';
import { startRoomServer } from '../support/room-server.ts';
import { WireClient } from '../support/wire-client.ts';

/** Status, header fields and body, without what differs from request to request. */
async function whole(response: Response) {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name)));
  const body = (await response.text()).replace(/[0-9a-f]{12}/g, 'REQUEST-ID');
  return { status: response.status, headers, body };
}

async function assertAlike(answers: Promise<Response>[], status: number): Promise<void> {
  const [first, ...others] = await Promise.all(answers.map(async (answer) => whole(await answer)));
  assert.equal(first!.status, status);
  for (const other of others) assert.deepEqual(other, first);
}

const logIn = (api: Api, username: string, headers: Record<string, string> = {}) =>
  api('a/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ username, password: 'wrong' }),
  });

for (const [name, gateway] of await startBoth({ after }, { demo: true })) {
  describe(`an account that is not there, on ${name}`, () => {
    it('is answered as a wrong password is', async () => {
      await assertAlike([logIn(gateway.api, 'alice'), logIn(gateway.api, 'nobody')], 401);
      for (const accept of ['*/*', 'text/html']) {
        const withBasic = (user: string) =>
          gateway.api('a/whoami', { headers: { accept, authorization: basic(user, 'wrong') } });
        await assertAlike([withBasic('alice'), withBasic('nobody')], 401);
      }
    });
  });
}

describe('an account that is not there', () => {
  it('is throttled as one that is', async (t) => {
    const gateway = await startGateway(t, { demo: true, options: ['--trust-proxy'] });
    let clients = 0;
    const guess = (user: string) => logIn(gateway.api, user, { 'x-forwarded-for': `192.0.2.${++clients}` });
    for (const user of ['alice', 'nobody']) {
      const guesses = await Promise.all(Array.from({ length: MAX_LOGIN_FAILURES }, () => guess(user)));
      assert.deepEqual(new Set(guesses.map(({ status }) => status)), new Set([401]));
    }
    const [one, other] = [await whole(await guess('alice')), await whole(await guess('nobody'))];
    assert.equal(one.status, 429);
    delete one.headers['retry-after'];
    delete other.headers['retry-after'];
    assert.deepEqual(one, other);
  });

  it('has as little of a picture as one without, for guests', async (t) => {
    const gateway = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const admin = await WireClient.connect(`${gateway.dataFolder}/citadel-admin.socket`);
    await admin.expect('CONF PUTVAL|c_guest_logins|1', 200);
    admin.close();
    await assertAlike([gateway.api('u/bob/userpic'), gateway.api('u/nobody/userpic')], 404);
  });

  it('costs the room server a look at the password, too', async (t) => {
    const looks = t.mock.method(crypto, 'scrypt');
    t.after(syncBuiltinESMExports);
    syncBuiltinESMExports();
    const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
    const client = await WireClient.connect(socketPath);
    for (const [name, password, code] of [
      ['ann', 'wrong', 540],
      ['ann', '', 540],
      ['nobody', 'wrong', 542],
      ['nobody', '', 542],
    ] as const) {
      looks.mock.resetCalls();
      await client.ask(`USER ${name}`);
      await client.expect(`PASS ${password}`, code);
      assert.equal(looks.mock.callCount(), 1, `${name} ${password}`);
    }
  });
});
