// X-Room-Password: tries at the password of a room through gateways, one with the embedded room server and one in front
// of another server, which counts nothing. Each caller comes from an address of his own, as a trusted proxy tells it.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_LOGIN_FAILURES } from '../../../src/limits/sessions.ts';
import { faultServer } from '../../support/fault-server.ts';
import { ADMIN_PASSWORD, startGateway, type TestGateway } from '../../support/gateway.ts';

const USERS = ['ann', 'bob', 'cal', 'dan', 'eve'].map((name) => ({ name, password: name }));
const PASSWORD = 'Sesame-17';
const VAULT = '200 Vault|0|0|0|14|0|0|0|0|0|0|0|0|0|8|1795221150|\n';

const embedded = await startGateway({ after }, { users: USERS, options: ['--trust-proxy'] });
const plain = await startGateway({ after }, { users: USERS });
const front = await startGateway(
  { after },
  {
    backend: `unix:${plain.dataFolder}/citadel.socket`,
    options: ['--trust-proxy'],
  },
);

let addresses = 0;
const address = () => `10.0.${addresses >> 8}.${addresses++ & 255}`;

for (const [name, gateway] of [
  ['the embedded room server', embedded],
  ['another server', front],
] as [string, TestGateway][]) {
  const admin = gateway.as('admin', ADMIN_PASSWORD);
  let count = 0;
  const makeRoom = async (kind = 'password'): Promise<string> => {
    const room = `${name} ${++count}`;
    const body = JSON.stringify({ name: room, kind, ...(kind === 'password' && { password: PASSWORD }) });
    assert.equal(
      (await admin('r/', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status,
      201,
    );
    return room;
  };
  const tryAs = (user: string | undefined, room: string, password?: string, from = address(), path = '') => {
    const api = user === undefined ? gateway.api : gateway.as(user);
    const headers = { 'x-forwarded-for': from, ...(password !== undefined && { 'x-room-password': password }) };
    return api(`r/${encodeURIComponent(room)}/${path}`, { headers });
  };
  const status = async (...args: Parameters<typeof tryAs>) => (await tryAs(...args)).status;
  const guess = async (user: string, room: string, times: number, from = address()) => {
    const tries = Array.from({ length: times }, (_, i) => status(user, room, `wrong ${i}`, from));
    assert.deepEqual(new Set(await Promise.all(tries)), new Set([403]));
  };

  describe(`tries at the password of a room of ${name}`, () => {
    it('end with 429 after as many as there may be failed log-ins, whatever asks, the right one too', async () => {
      const room = await makeRoom();
      await guess('ann', room, MAX_LOGIN_FAILURES);
      for (const path of ['', 'msgs.all', 'mailbox', 'info.txt', '1', '1/json', 'roompic']) {
        const refused = await tryAs('ann', room, PASSWORD, address(), path);
        assert.equal(refused.status, 429, path);
        assert.match(refused.headers.get('retry-after')!, /^[1-9]\d{0,2}$/);
      }
      assert.equal(
        (
          await gateway.as('ann')(`r/${encodeURIComponent(room)}/x`, {
            method: 'PUT',
            body: 'x',
            headers: { 'x-room-password': PASSWORD },
          })
        ).status,
        429,
      );
      assert.equal(
        (
          await gateway.as('ann')(`a/events?room=${encodeURIComponent(room)}`, {
            headers: { 'x-room-password': PASSWORD },
          })
        ).status,
        429,
      );
      assert.equal(await status('bob', room, PASSWORD), 429, 'the room has had too many');
      assert.equal(await status('ann', await makeRoom(), PASSWORD), 200, 'not this one');
      assert.equal(await status('ann', 'Lobby', PASSWORD), 200);
      assert.equal(await status('ann', room), 403, 'without one it only says that it needs one');
    });

    it('count for the address in all rooms, and for its log-ins', async () => {
      const from = address();
      for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await guess(i % 2 ? 'ann' : 'bob', await makeRoom(), 1, from);
      const room = await makeRoom();
      assert.equal(await status('cal', room, PASSWORD, from), 429);
      assert.equal(await status('eve', 'Lobby', undefined, from), 429);
      assert.equal(await status('eve', room, PASSWORD), 200);
    });

    it('count once for the same password in many requests, and each for its own when they come together', async () => {
      const room = await makeRoom();
      const same = await Promise.all(Array.from({ length: 3 * MAX_LOGIN_FAILURES }, () => status('ann', room, 'typo')));
      assert.deepEqual(new Set(same), new Set([403]));
      assert.equal(await status('ann', room, PASSWORD), 200);
      const other = await makeRoom();
      const burst = await Promise.all(Array.from({ length: 40 }, (_, i) => status('ann', other, `wrong ${i}`)));
      assert.equal(burst.filter((each) => each === 403).length, MAX_LOGIN_FAILURES);
      assert.equal(burst.filter((each) => each === 429).length, 40 - MAX_LOGIN_FAILURES);
    });

    it('stop nobody who has opened the room, or who knows it', async () => {
      const room = await makeRoom();
      assert.equal(await status('ann', room, PASSWORD), 200);
      assert.equal((await admin(`r/${encodeURIComponent(room)}/members/dan`, { method: 'PUT' })).status, 204);
      await guess('bob', room, MAX_LOGIN_FAILURES);
      assert.equal(await status('cal', room, PASSWORD), 429);
      assert.equal(await status('ann', room, PASSWORD), 200);
      assert.equal(await status('dan', room, PASSWORD), 200, 'who knows it need not give it, but may');
      assert.equal(await status('dan', room), 200);
    });

    it('count for the caller until he has the right one', async () => {
      const room = await makeRoom();
      await guess('ann', room, MAX_LOGIN_FAILURES - 1);
      assert.equal(await status('ann', room, PASSWORD), 200);
      assert.equal(await status('bob', room, 'wrong'), 403);
      assert.equal(await status('cal', room, PASSWORD), 429, 'the room still has ten');
    });

    it('are of no use where the password has another case', async () => {
      const room = await makeRoom();
      assert.equal(await status('ann', room, PASSWORD.toUpperCase()), 403);
      assert.equal(await status('ann', room, PASSWORD), 200);
      const path = `r/${encodeURIComponent(room)}/`;
      const patch = (fields: object) =>
        admin(path, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) });
      assert.equal((await patch({ rorder: 7 })).status, 204, 'what is not given stays');
      assert.equal(await status('bob', room, PASSWORD), 200);
      assert.equal((await patch({ password: 'Other-17' })).status, 204);
      assert.equal(await status('cal', room, PASSWORD), 403);
      assert.equal(await status('cal', room, 'Other-17'), 200);
    });
  });
}

it('tries of guests count for their address, where the room server lets guests in', async (t) => {
  const peer = await faultServer(
    { MSGS: '100 Messages\n000\n', GOTO: '540 wrong or missing passwd\n', [`GOTO Vault|${PASSWORD}|1`]: VAULT },
    [],
  );
  t.after(() => peer.close());
  const gateway = await startGateway(t, { backend: `unix:${peer.path}`, options: ['--trust-proxy'] });
  const status = async (password: string, from: string) => {
    const headers = { 'x-room-password': password, 'x-forwarded-for': from };
    return (await gateway.api('r/Vault/msgs.all', { headers })).status;
  };
  const [one, other] = [address(), address()];
  // five in the room, so that it has not had too many; the others elsewhere
  for (const from of [one, other]) {
    const tries = Array.from({ length: MAX_LOGIN_FAILURES / 2 - 1 }, (_, i) => status(`wrong ${i}`, from));
    assert.deepEqual(new Set(await Promise.all(tries)), new Set([403]));
  }
  assert.equal(await status(PASSWORD, one), 200);
  assert.deepEqual(
    [await status('wrong', one), await status('wrong', one), await status('more', other)],
    [403, 403, 403],
  );
  assert.equal(await status(PASSWORD, address()), 429);
  const sent = peer.received.flat().filter((line) => line.startsWith('GOTO Vault|wrong|'));
  assert.equal(sent.length, 1, 'the room server is not asked for the same one again');
});
