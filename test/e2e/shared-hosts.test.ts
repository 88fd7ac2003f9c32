// A fleet for several hosts, each with a room server of its own, and one Redis for all of it: nothing of one host is
// there for another, at any gateway, and a room server that hangs or is gone holds up nobody else.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { MAX_LOGIN_FAILURES } from '../../src/limits/sessions.ts';
import { openEvents } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { ADMIN_PASSWORD, basic, cookieOf, startGateway } from '../support/gateway.ts';
import { type Init, sendHttp } from '../support/raw-http.ts';
import { startRedis } from '../support/redis-server.ts';
import { listenOnUnixSocket } from '../support/unix-listener.ts';

const [A, B, MUTE, GONE] = ['a.example', 'b.example', 'mute.example', 'gone.example'] as const;
const JSON_TYPE = { 'content-type': 'application/json' };
const PLAIN = { 'content-type': 'text/plain' };

type Ask = (path: string, init?: Init) => Promise<Response>;

/** Two gateways that know all hosts; each is asked as a client that has the host in its address bar. */
async function startHosts(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'keys-'));
  t.after(() => rm(folder, { recursive: true }));
  const keys = join(folder, 'keys');
  await writeFile(keys, 'ab'.repeat(32), { mode: 0o600 });
  let connects = 0;
  const mute = await listenOnUnixSocket(() => void connects++);
  t.after(() => mute.close());
  const store = await startRedis(t);
  // the same names and numbers, and the same passwords
  const inner = { users: ['Ann', 'Bob'].map((name) => ({ name, password: name })) };
  const options = ['--line-listen', 'tcp://127.0.0.1:0'];
  const [a, b] = await Promise.all([startGateway(t, { ...inner, options }), startGateway(t, { ...inner, options })]);
  const servers = [
    `${A}=${a.lineUrl}`,
    `${B}=${b.lineUrl}`,
    `${MUTE}=unix:${mute.path}`,
    `${GONE}=unix:${folder}/none`,
  ];
  const front = () =>
    startGateway(t, { backend: servers.join(','), options: ['--shared', store.url, '--secret-file', keys] });
  const gateways = await Promise.all([front(), front()]);
  const [one, other] = gateways.map(({ url }) => {
    return (host: string): Ask =>
      (path, init = {}) =>
        sendHttp(url, `/svc/${path}`, { ...init, headers: { host, ...init.headers } });
  }) as [(host: string) => Ask, (host: string) => Ask];
  return { one, other, store, connects: () => connects };
}

function logIn(ask: Ask, username: string, password = username): Promise<Response> {
  return ask('a/login', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ username, password }) });
}

it('what a host has in the shared store counts at each gateway, and at no other host', async (t) => {
  const { one, other } = await startHosts(t);
  const cookie = cookieOf(await logIn(one(A), 'Ann'));
  const headers = { cookie };
  const asAnn = { authorization: basic('Ann') };
  const sent = await one(A)('p?filename=a.txt', { method: 'POST', headers: { ...PLAIN, cookie }, body: 'of A' });
  const [{ ref }] = (await sent.json()) as [{ ref: string }];
  assert.equal(await (await other(A)(`p/${ref}`, { headers })).text(), 'of A');
  for (const at of [one, other]) assert.equal((await at(B)(`p/${ref}`, { headers: asAnn })).status, 404);

  const kinds = '<D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>';
  const body = `<D:lockinfo xmlns:D="DAV:">${kinds}</D:lockinfo>`;
  const admin = { authorization: basic('admin', ADMIN_PASSWORD) };
  const lock = { method: 'LOCK', headers: { ...admin, 'content-type': 'application/xml' }, body };
  assert.equal((await one(A)('r/Lobby/x.txt', lock)).status, 201);
  const put = { method: 'PUT', headers: admin, body: 'x' };
  assert.deepEqual(
    [(await other(A)('r/Lobby/x.txt', put)).status, (await other(B)('r/Lobby/x.txt', put)).status],
    [423, 201],
  );

  // an instant message to Ann of the other host is none for this one
  const streams = await Promise.all([A, B].map((host) => openEvents(one(host), 'a/events', asAnn)));
  const message = JSON.stringify({ to: 'Ann', text: 'of A' });
  const from = { authorization: basic('Bob'), ...JSON_TYPE };
  assert.equal((await one(A)('a/im', { method: 'POST', headers: from, body: message })).status, 204);
  await streams[0]!.next('im');
  assert.deepEqual(await (await other(B)('a/im', { headers: asAnn })).json(), []);
  assert.equal(((await (await other(A)('a/im', { headers: asAnn })).json()) as unknown[]).length, 1);
  for (const stream of streams) stream.close();

  assert.equal((await other(A)('a/logout', { method: 'POST', headers })).status, 204);
  assert.equal((await one(A)('r/Lobby/y', { method: 'PUT', headers, body: 'x' })).status, 401);

  for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await logIn((i % 2 ? one : other)(B), 'Bob', 'wrong');
  for (const at of [one, other]) {
    assert.deepEqual([(await logIn(at(B), 'Bob')).status, (await logIn(at(A), 'Bob')).status], [429, 200]);
  }
});

it('a room server that hangs, and one that is gone, hold up no other host at any gateway', async (t) => {
  const { one, other, store, connects } = await startHosts(t);
  const leaving = new AbortController();
  const stuck = [one, other].flatMap((at) =>
    Array.from({ length: 100 }, (_, i) => {
      const headers = { authorization: basic(`user${i}`) };
      return at(MUTE)('r/', { headers, signal: leaving.signal }).catch(() => undefined);
    }),
  );
  await eventually(async () => connects() > 1, true);
  const cookie = cookieOf(await logIn(one(A), 'Ann'));
  const work = async () => {
    for (const at of [one, other, one, other]) {
      assert.equal((await at(A)('r/Lobby/msgs.all', { headers: { cookie } })).status, 200);
      const posted = await at(A)('r/Lobby/new', { method: 'PUT', headers: { ...PLAIN, cookie }, body: 'x' });
      assert.equal(posted.status, 201);
      const gone = await at(GONE)('r/', { headers: { authorization: basic('Ann') } });
      assert.equal(gone.status, 502);
      assert.match(await gone.text(), /room server/);
    }
  };
  await work();
  for (const at of [one, other]) {
    assert.equal((await logIn(at(B), 'Ann')).status, 200);
    const sent = await at(A)('p?filename=a', { method: 'POST', headers: { ...PLAIN, cookie }, body: 'x' });
    assert.equal(sent.status, 201);
  }
  await store.stop();
  await work();
  leaving.abort();
  await Promise.all(stuck);
});
