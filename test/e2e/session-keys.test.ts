// What a session cookie is worth: on a room server of ours a key for this one session, which ends with it at every
// gateway; on any other the password, sealed.

import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { loadOrCreateKey, Sealer } from '../../src/gateway/seal.ts';
import { openEvents } from '../support/event-stream.ts';
import { faultServer } from '../support/fault-server.ts';
import {
  type Api,
  apiAt,
  cookieOf,
  runVestibule,
  spawnGateway,
  startGateway,
  type TestGateway,
} from '../support/gateway.ts';
import { startRelay } from '../support/relay.ts';
import { WireClient } from '../support/wire-client.ts';

const USERS = [{ name: 'alice', password: 'open sesame' }];
const JSON_TYPE = { 'content-type': 'application/json' };
const POST = { method: 'POST', headers: JSON_TYPE };

/** The cookie of a new session. */
async function logIn(api: Api, username = 'alice', password = 'open sesame'): Promise<string> {
  const response = await api('a/login', { ...POST, body: JSON.stringify({ username, password }) });
  assert.equal(response.status, 200);
  return cookieOf(response);
}

const logOut = (api: Api, cookie: string) => api('a/logout', { method: 'POST', headers: { cookie } });
const rooms = (api: Api, cookie: string) => api('r/', { headers: { cookie } });

/** What somebody reads who has got hold of the key of the cookies, and of a cookie. */
async function unseal({ dataFolder }: { dataFolder: string }, cookie: string): Promise<Record<string, unknown>> {
  const sealer = new Sealer(await loadOrCreateKey(join(dataFolder, 'session-key')));
  return { ...sealer.open(cookie.slice(cookie.indexOf('=') + 1)) };
}

/** A further gateway with the key of the first one's cookies in front of its room server. */
async function another(t: TestContext, first: TestGateway, backend: string): Promise<TestGateway> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'vestibule-'));
  await copyFile(join(first.dataFolder, 'session-key'), join(dataFolder, 'session-key'));
  return startGateway(t, { backend, dataFolder });
}

/** How the room server answers who brings this session key himself. */
async function tryKey(gateway: TestGateway, key: unknown): Promise<number> {
  const client = await WireClient.connect(join(gateway.dataFolder, 'citadel.socket'));
  const { code } = await client.ask(`SKEY login|${key}`);
  client.close();
  return code;
}

describe('a stolen cookie, with the key that sealed it', () => {
  it('holds no password, and nothing that is good for longer than the session', async (t) => {
    const gateway = await startGateway(t, { users: USERS });
    const { api } = gateway;
    const [one, two, three] = [await logIn(api), await logIn(api), await logIn(api)];
    const { key, ...rest } = await unseal(gateway, one);
    assert.match(String(key), /^[\w-]{43}$/);
    assert.deepEqual(Object.keys(rest).sort(), ['expires', 'id', 'inbox', 'issued', 'user', 'usernum']);
    assert.ok(!JSON.stringify(rest).includes('sesame'));

    assert.equal(await tryKey(gateway, key), 200, 'until the session ends');
    assert.equal((await logOut(api, one)).status, 204);
    assert.equal(await tryKey(gateway, key), 540);

    const body = JSON.stringify({ old: 'open sesame', new: 'close sesame' });
    const changed = await api('a/password', { ...POST, headers: { ...JSON_TYPE, cookie: two }, body });
    assert.equal(changed.status, 204);
    for (const cookie of [two, three]) assert.equal(await tryKey(gateway, (await unseal(gateway, cookie)).key), 540);
    const next = await unseal(gateway, cookieOf(changed));
    assert.equal(await tryKey(gateway, next.key), 200, 'the session that changed it goes on, with another key');
    assert.ok(!JSON.stringify(next).includes('sesame'));
    assert.equal((await rooms(api, cookieOf(changed))).status, 200);
  });

  it('is no password: not for Basic, a log-in or another password', async (t) => {
    const gateway = await startGateway(t, { users: USERS });
    const cookie = await logIn(gateway.api);
    assert.equal((await rooms(gateway.api, cookie)).status, 200, 'its connection is open');
    const key = String((await unseal(gateway, cookie)).key);
    assert.equal((await gateway.as('alice', key)('r/')).status, 401);
    const body = JSON.stringify({ username: 'alice', password: key });
    assert.equal((await gateway.api('a/login', { ...POST, body })).status, 401);
    const change = JSON.stringify({ old: key, new: 'stolen' });
    const headers = { ...JSON_TYPE, cookie };
    assert.equal((await gateway.api('a/password', { ...POST, headers, body: change })).status, 403);
    assert.equal((await gateway.as('alice', 'open sesame')('r/')).status, 200);
  });
});

describe('a session', () => {
  it('goes on at every gateway of a fleet, and ends at every one, with its event streams', async (t) => {
    const first = await startGateway(t, { users: USERS, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const second = await another(t, first, first.lineUrl!);
    for (const [here, there] of [
      [first, second],
      [second, first],
    ] as const) {
      const [cookie, kept] = [await logIn(here.api), await logIn(here.api)];
      for (const each of [here, there]) {
        for (const one of [cookie, kept]) assert.equal((await rooms(each.api, one)).status, 200);
      }
      const streams = await Promise.all([
        openEvents(here.api, 'a/events', { cookie }),
        openEvents(there.api, 'a/events', { cookie }),
      ]);
      assert.equal((await logOut(here.api, cookie)).status, 204);
      assert.equal((await rooms(here.api, cookie)).status, 401);
      const refused = await rooms(there.api, cookie);
      assert.equal(refused.status, 401);
      assert.match(refused.headers.getSetCookie()[0] ?? '', /^vestibule=; .*Max-Age=0/);
      for (const stream of streams) while (await stream.block());
      for (const each of [here, there]) assert.equal((await rooms(each.api, kept)).status, 200);
    }
  });

  it('that was begun is there after a kill, and one that was ended is not', async (t) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'vestibule-'));
    t.after(() => rm(dataFolder, { recursive: true, force: true }));
    const start = () => spawnGateway(t, ['--data', dataFolder, '--demo']);
    let gateway = await start();
    const api: Api = (path, init) => apiAt(gateway.url)(path, init);
    const cookie = await logIn(api, 'alice', 'alice');
    await gateway.kill();
    gateway = await start();
    assert.equal((await rooms(api, cookie)).status, 200);
    assert.equal((await logOut(api, cookie)).status, 204);
    await gateway.kill();
    // what the gateway itself remembers; the room server does, too
    await rm(join(dataFolder, 'fleet', 'revocations'));
    gateway = await start();
    assert.equal((await rooms(api, cookie)).status, 401);
  });

  it('ends with `vestibule user passwd` and `remove`, whether the server runs or not', async (t) => {
    const users = [...USERS, { name: 'bob', password: 'bob' }];
    for (const isRunning of [true, false]) {
      const gateway = await startGateway(t, { users });
      const cookies = [await logIn(gateway.api), await logIn(gateway.api, 'bob', 'bob')];
      const admin = await logIn(gateway.api, 'admin', 'secret');
      for (const cookie of cookies) assert.equal((await rooms(gateway.api, cookie)).status, 200);
      if (!isRunning) await gateway.close();
      for (const words of [
        ['passwd', 'alice'],
        ['remove', 'bob'],
      ]) {
        const env = { VESTIBULE_PASSWORD: 'another' };
        assert.equal((await runVestibule(['user', ...words, '--data', gateway.dataFolder], env)).code, 0);
      }
      if (!isRunning) await gateway.restart();
      for (const cookie of cookies) assert.equal((await rooms(gateway.api, cookie)).status, 401);
      assert.equal((await rooms(gateway.api, admin)).status, 200);
    }
  });

  it('that cannot be ended while the room server does not answer is nobody here, and ends when it does', async (t) => {
    const first = await startGateway(t, { users: USERS });
    const relay = await startRelay(join(first.dataFolder, 'citadel.socket'));
    t.after(() => relay.close());
    const second = await another(t, first, `unix:${relay.path}`);
    const cookie = await logIn(second.api);
    const { key } = await unseal(second, cookie);
    relay.isDown = true;
    relay.drop();
    assert.equal((await logOut(second.api, cookie)).status, 502);
    assert.equal((await second.api('a/biff', { headers: { cookie } })).status, 401);
    assert.equal(await tryKey(first, key), 200);
    relay.isDown = false;
    for (let times = 0; times < 2; times++) assert.equal((await logOut(second.api, cookie)).status, 204);
    assert.equal(await tryKey(first, key), 540);
  });

  it('in front of any other room server is kept with the password, which the cookie holds sealed', async (t) => {
    const peer = await faultServer({ GOTO: '200 Mail|0|1|0|0|9|9|0|0|0|0|0|0|0|0|0|\n', MSGS: '100 none\n000\n' }, []);
    t.after(() => peer.close());
    const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
    const cookie = await logIn(gateway.api, 'ann', 'pw');
    const { user, password, key } = await unseal(gateway, cookie);
    assert.deepEqual([user, password, key], ['ann', 'pw', undefined]);
    assert.equal((await gateway.api('a/biff', { headers: { cookie } })).status, 200);
    assert.equal((await logOut(gateway.api, cookie)).status, 204);
    assert.equal((await gateway.api('a/biff', { headers: { cookie } })).status, 401);
    const asked = peer.received.flat().filter((line) => line.startsWith('SKEY'));
    assert.deepEqual(asked, [], 'a verb that it does not know');
  });
});
