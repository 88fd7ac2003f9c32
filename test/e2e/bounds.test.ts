// Bounds that an operator sets: what is asked for is what holds, at n and n + 1.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MIB } from '../../src/limits/units.ts';
import { VIEW } from '../../src/model.ts';
import { openEvents } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { basic, spawnGateway, startGateway } from '../support/gateway.ts';
import { rawRequest, sendHttp, sendRaw } from '../support/raw-http.ts';

describe('--max-body 1', async () => {
  const gateway = await startGateway({ after }, { demo: true, options: ['--max-body', '1'] });
  const alice = gateway.as('alice');
  const headers = { 'Content-Type': 'application/octet-stream' };
  const sent = (size: number) => ({ method: 'POST', headers, body: Buffer.alloc(size) });
  const put = (size: number) => ({ ...sent(size), method: 'PUT' });

  it('is the size of the largest upload, and of the largest message', async () => {
    for (const [path, init] of [
      ['p?filename=x', sent],
      ['r/Town%20Square/new?subj=x', put],
    ] as const) {
      assert.equal((await alice(path, init(MIB))).status, 201, path);
      assert.equal((await alice(path, init(MIB + 1))).status, 413, path);
    }
  });

  it('is told to those who ask', async () => {
    const { max_message_bytes } = (await (await alice('a/start')).json()) as { max_message_bytes: number };
    assert.equal(max_message_bytes, MIB);
  });
});

describe('what one account has on the disk', async () => {
  const options = ['--max-body', '1', '--max-spool', '1', '--max-upload-space', '1', '--max-uploads-at-once', '1'];
  const gateway = await startGateway({ after }, { demo: true, options });
  const { hostname, port } = new URL(gateway.url);
  const begin = (method: string, path: string, size: number) => {
    const socket = connect(Number(port), hostname);
    after(() => void socket.destroy());
    const answer = once(socket, 'data').then(([head]) => (head as Buffer).toString('latin1').slice(9, 12));
    const fields = [`Authorization: ${basic('alice')}`, `Content-Length: ${MIB}`, 'Content-Type: text/plain'];
    socket.write(rawRequest(method, path, fields));
    socket.write(Buffer.alloc(size, 'x'));
    return { answer, end: () => void socket.write(Buffer.alloc(MIB - size, 'x')) };
  };
  const sizesIn = async (folder: string) => {
    const entries = await readdir(join(gateway.dataFolder, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  };

  it('are so many bytes on their way to the room server as --max-spool says', async () => {
    const path = '/svc/r/Town%20Square/new?subj=x';
    const half = MIB / 2;
    const first = begin('PUT', path, half);
    await eventually(async () => (await sizesIn('spool')).some((size) => size === half), true);
    const second = begin('PUT', path, half + 1);
    assert.equal(await second.answer, '429');
    first.end();
    assert.equal(await first.answer, '201');
  });

  it('are so many uploads under way as --max-uploads-at-once says', async () => {
    const first = begin('POST', '/svc/p?filename=x', 1000);
    await eventually(async () => (await sizesIn('fleet/uploads')).length, 1);
    const second = begin('POST', '/svc/p?filename=x', 1000);
    assert.equal(await second.answer, '503');
    first.end();
    assert.equal(await first.answer, '201');
  });

  it('are so many bytes of uploads as --max-upload-space says', async () => {
    const send = (size: number) => gateway.as('alice')('p?filename=y', { method: 'POST', body: Buffer.alloc(size) });
    const bob = (size: number) => gateway.as('bob')('p?filename=y', { method: 'POST', body: Buffer.alloc(size) });
    assert.equal((await send(1)).status, 507);
    assert.equal((await bob(MIB - 10)).status, 201);
    assert.equal((await bob(11)).status, 413);
    assert.equal((await bob(10)).status, 201);
    assert.equal((await bob(1)).status, 507);
  });
});

describe('--max-event-streams 1', async () => {
  const gateway = await startGateway({ after }, { demo: true, options: ['--max-event-streams', '1'] });

  it('lets in one, and tells the next when to come again', async () => {
    const one = await openEvents(gateway.as('alice'), 'a/events');
    const next = await gateway.as('bob')('a/events');
    assert.deepEqual([next.status, next.headers.get('retry-after')], [503, '60']);
    one.close();
  });
});

describe('connections of clients', () => {
  async function answers(options: string[], count: number): Promise<string[]> {
    const gateway = await startGateway({ after }, { options });
    const { hostname, port } = new URL(gateway.url);
    const found: string[] = [];
    for (let i = 0; i < count; i++) {
      const socket = connect(Number(port), hostname);
      after(() => void socket.destroy());
      socket.write(`GET /svc/a/whoami HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
      const [head] = (await once(socket, 'data')) as [Buffer];
      found.push(head.toString('latin1').slice(9, 12));
    }
    return found;
  }

  it('are so many as --max-connections says', async () => {
    assert.deepEqual(await answers(['--max-connections', '2'], 3), ['200', '200', '503']);
  });

  it('are so many of one address as --max-per-address says', async () => {
    assert.deepEqual(await answers(['--max-per-address', '2'], 3), ['200', '200', '429']);
  });
});

describe('--bound', () => {
  const BOUNDS = [
    'locks-of-user=2',
    'rooms-of-user=40',
    'uploads-of-user=1',
    'app-passwords-of-user=1',
    'event-streams-of-user=1',
    'failed-logins=3',
    'pipelined-requests=2',
  ];
  const LOCK = `<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>`;
  const json = (value: unknown) => {
    return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
  };

  for (const workers of ['1', '2']) {
    it(`is what holds, in each of the processes (${workers}) and in the room server`, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'bounds-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      const words = ['--demo', '--data', join(folder, 'data'), '--workers', workers, '--bound', 'locks=100'];
      const gateway = await spawnGateway(t, [...words, ...BOUNDS.flatMap((bound) => ['--bound', bound])]);
      const alice = gateway.as('alice');
      const statusesOf = async (count: number, ask: (i: number) => Promise<Response>) => {
        const statuses: number[] = [];
        for (let i = 0; i < count; i++) {
          const answer = await ask(i);
          statuses.push(answer.status);
          await answer.arrayBuffer();
        }
        return statuses;
      };
      assert.equal((await alice('r/', json({ name: 'Locks', kind: 'personal', view: VIEW.files }))).status, 201);
      const lock = (i: number) => alice(`r/Locks/lock-${i}`, { method: 'LOCK', body: LOCK });
      assert.deepEqual(await statusesOf(3, lock), [201, 201, 507]);
      const rooms = await statusesOf(40, (i) => alice('r/', json({ name: `Room ${i}`, kind: 'personal' })));
      assert.deepEqual([rooms[0], rooms.at(-1)], [201, 507]);
      assert.deepEqual(await statusesOf(2, () => alice('p?filename=x', { method: 'POST', body: 'x' })), [201, 507]);
      const reader = json({ name: 'Reader', scope: 'all' });
      assert.deepEqual(await statusesOf(2, () => alice('a/app-passwords', reader)), [201, 409]);
      const wrong = () => gateway.as('bob', 'wrong')('a/whoami');
      assert.deepEqual(await statusesOf(4, wrong), [401, 401, 401, 429]);
    });
  }

  it('has times, too: how long a cookie lasts, and how long a body may pause', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'bounds-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const bounds = ['--bound', 'session-days=2,anonymous-body-seconds=1'];
    const gateway = await spawnGateway(t, ['--demo', '--data', folder, ...bounds]);
    const answer = await sendHttp(gateway.url, '/svc/a/login', json({ username: 'alice', password: 'alice' }));
    assert.match(answer.headers.get('set-cookie')!, /; Max-Age=172800(?:;|$)/);
    const late = await sendRaw(gateway.url, rawRequest('POST', '/svc/a/login', ['Content-Length: 10']));
    assert.equal(late.status, 408);
  });

  it('that nobody knows, or with a count that makes no sense, is refused at the start', async (t) => {
    for (const bound of ['nothing=1', 'locks=0', 'locks']) {
      await assert.rejects(spawnGateway(t, ['--bound', bound]), /--bound takes pipelined-requests, .*, not "/);
    }
  });
});
