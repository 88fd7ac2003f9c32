// --workers: several processes behind one port. The system deals out connections, so what is to hold at each of them is
// asked on many: that all of these reach the same one of three happens once in a billion runs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { openEvents } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import {
  ADMIN_PASSWORD,
  type Api,
  basic,
  cookieOf,
  type Ending,
  runVestibule,
  type SpawnedGateway,
  spawnGateway,
} from '../support/gateway.ts';
import { type Init, sendHttp } from '../support/raw-http.ts';

const MANY = 20;

/** `api` with a new connection for each request. */
function apart(gateway: SpawnedGateway, authorization = ''): Api {
  const headers = { connection: 'close', ...(authorization !== '' && { authorization }) };
  return (path, init = {}) =>
    sendHttp(gateway.url, `/svc/${path}`, { ...init, headers: { ...headers, ...init.headers } });
}

async function start(t: Ending, workers: number, words: string[] = []): Promise<SpawnedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'workers-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return spawnGateway(t, ['--data', folder, '--demo', '--workers', String(workers), ...words]);
}

/** The different answers to a request that is made on many connections. */
async function answersOnMany<T>(api: Api, path: string, read: (answer: Response) => Promise<T>, init: Init = {}) {
  const values = new Set<T>();
  for (let i = 0; i < MANY; i++) values.add(await read(await api(path, init)));
  return [...values];
}

const status = async (answer: Response) => {
  await answer.arrayBuffer();
  return answer.status;
};

async function workersOf({ child }: SpawnedGateway): Promise<number[]> {
  const words = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return words.trim().split(' ').filter(Boolean).map(Number);
}

/** Connections that stay open, each with an answer behind it; `isOpen` tells which still are. */
async function keepOpen(t: TestContext, { url }: SpawnedGateway, count: number) {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    t.after(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write('GET /svc/c/info HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
  }
  return sockets;
}

const logIn = (username: string, password: string): Init => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username, password }),
});

describe('a server of three processes', async () => {
  const gateway = await start({ after }, 3, ['--admin-listen', 'tcp://127.0.0.1:0']);
  const nobody = apart(gateway);
  const alice = apart(gateway, basic('alice'));

  it('has one session everywhere, from the log-in to the log-out', async () => {
    const cookie = cookieOf(await nobody('a/login', logIn('alice', 'alice')));
    const asSession = { headers: { cookie } };
    const who = async (answer: Response) => ((await answer.json()) as { username: string }).username;
    assert.deepEqual(await answersOnMany(nobody, 'a/whoami', who, asSession), ['alice']);
    assert.equal(await status(await nobody('a/logout', { method: 'POST', ...asSession })), 204);
    assert.deepEqual(await answersOnMany(nobody, 'a/whoami', who, asSession), ['']);
  });

  it('has an upload everywhere, to be read, attached and removed', async () => {
    const sent = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'some text' };
    const [{ ref }] = (await (await alice('p?filename=a.txt', sent)).json()) as [{ ref: string }];
    assert.deepEqual(await answersOnMany(alice, `p/${ref}`, (answer) => answer.text()), ['some text']);
    const bob = apart(gateway, basic('bob'));
    assert.deepEqual(await answersOnMany(bob, `p/${ref}`, status), [404]);
    const post = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'text' };
    assert.deepEqual(await answersOnMany(alice, `r/Lobby/new?att=${ref}`, status, post), [201]);
    assert.equal(await status(await alice(`p/${ref}`, { method: 'DELETE' })), 204);
    assert.deepEqual(await answersOnMany(alice, `p/${ref}`, status), [404]);
  });

  it('tells event streams at all what is posted at one', async () => {
    const streams = await Promise.all(Array.from({ length: 12 }, () => openEvents(alice, 'a/events?rooms=Lobby')));
    const post = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'text' };
    assert.equal(await status(await apart(gateway, basic('bob'))('r/Lobby/new', post)), 201);
    for (const stream of streams) {
      assert.equal(((await stream.next('message')).data as { room: string }).room, 'Lobby');
      stream.close();
    }
  });

  it('keeps a write lock against all', async () => {
    const put = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'text' };
    assert.equal(await status(await alice('r/Lobby/locked.txt', put)), 201);
    const body =
      '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>';
    const lock = await alice('r/Lobby/locked.txt', { method: 'LOCK', body });
    const token = lock.headers.get('lock-token')!;
    assert.equal(await status(lock), 200);
    assert.deepEqual(await answersOnMany(alice, 'r/Lobby/locked.txt', status, put), [423]);
    const unlock = { method: 'UNLOCK', headers: { 'lock-token': token } };
    assert.equal(await status(await alice('r/Lobby/locked.txt', unlock)), 204);
    assert.deepEqual(await answersOnMany(alice, 'r/Lobby/locked.txt', status, put), [204]);
  });

  it('refuses an old password everywhere as soon as there is a new one', async () => {
    const bob = apart(gateway, basic('bob'));
    assert.deepEqual(await answersOnMany(bob, 'a/whoami', status), [200]);
    const change = { ...logIn('', ''), body: JSON.stringify({ old: 'bob', new: 'another one' }) };
    assert.equal(await status(await bob('a/password', change)), 204);
    assert.deepEqual(await answersOnMany(apart(gateway, basic('bob', 'another one')), 'a/whoami', status), [200]);
    // fewer than the throttle allows
    const refused = await Promise.all(Array.from({ length: 8 }, () => bob('a/whoami').then(status)));
    assert.deepEqual([...new Set(refused)], [401]);
  });

  it('has the metrics of all on one address', async () => {
    const adminUrl = /Health and metrics on (\S+)/.exec(gateway.said.err)![1]!;
    const count = async () => {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      const pattern = /^vestibule_http_requests_total\{route="\/svc\/c\/info",method="GET",status="200"\} (\d+)$/m;
      return Number(pattern.exec(text)?.[1] ?? 0);
    };
    const before = await count();
    await answersOnMany(nobody, 'c/info', status);
    assert.equal(await count(), before + MANY);
  });

  it('starts a process again that was killed; the others go on', async (t) => {
    const sockets = await keepOpen(t, gateway, MANY);
    const before = await workersOf(gateway);
    assert.equal(before.length, 2);
    process.kill(before[0]!, 'SIGKILL');
    await eventually(async () => gateway.said.err, /Worker \d has ended \(SIGKILL\) and is started again\./);
    await eventually(async () => (await workersOf(gateway)).filter((pid) => !before.includes(pid)).length, 1);
    const closed = sockets.filter((socket) => socket.destroyed || socket.readableEnded).length;
    assert.ok(closed > 0 && closed < MANY, `${closed} of ${MANY} connections were its own`);
    assert.deepEqual(await answersOnMany(nobody, 'c/info', status), [200]);
  });
});

describe('the end of a server of several processes', () => {
  it('lets requests finish that run at any of them, and leaves none behind', async (t) => {
    const gateway = await start(t, 3);
    const workers = await workersOf(gateway);
    const headers = {
      authorization: basic('admin', ADMIN_PASSWORD),
      'content-length': '10',
      'content-type': 'text/plain',
    };
    const puts = Array.from({ length: MANY }, (_, i) => {
      const put = request(`${gateway.url}svc/r/Lobby/slow${i}.txt`, {
        method: 'PUT',
        agent: false,
        headers: { ...headers, expect: '100-continue' },
      });
      put.flushHeaders();
      return { put, begun: once(put, 'continue'), answered: once(put, 'response') };
    });
    await Promise.all(puts.map(({ begun }) => begun));
    const ended = once(gateway.child, 'exit');
    gateway.child.kill('SIGTERM');
    for (const { put } of puts) put.end('Dear Ann,\n');
    for (const { answered } of puts) {
      const [response] = await answered;
      response.resume();
      assert.equal(response.statusCode, 201);
    }
    assert.deepEqual(await ended, [0, null]);
    for (const pid of workers) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });

  it('comes to the workers when the first process is killed', async (t) => {
    const gateway = await start(t, 2);
    const [worker] = await workersOf(gateway);
    await gateway.kill();
    await eventually(async () => {
      try {
        return process.kill(worker!, 0);
      } catch {
        return false;
      }
    }, false);
  });
});

it('several processes are refused where there is no port to share', async () => {
  const { code, err } = await runVestibule(['--workers', '2', '--host', 'unix:/nowhere/socket']);
  assert.equal(code, 2);
  assert.match(err, /--workers shares a port/);
});
