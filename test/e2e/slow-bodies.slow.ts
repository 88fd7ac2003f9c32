// Clients that are slow on purpose, and those that cannot help it, before a whole gateway: bodies that never end on all
// connections, bodies of those who have logged in and of those who only say so, readers that take nothing.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ANONYMOUS_BODY_WAIT_MS,
  MAX_HTTP_CONNECTIONS,
  MAX_HTTP_CONNECTIONS_PER_ADDRESS,
  STALL_TIMEOUT_MS,
} from '../../src/limits/http.ts';
import { basic, cookieOf, postedNumber, spawnGateway } from '../support/gateway.ts';

const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'];
const BYTE_MS = 30_000;
/** a normal user's patience */
const MAX_WAIT_MS = 15_000;
const GIVE_UP_MS = 120_000;

const folder = await mkdtemp(join(tmpdir(), 'slow-bodies-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Holds a connection with a log-in that comes byte by byte, and another one when that is closed. */
function hold(localAddress: string, port: number, held: Set<Socket>, closed: { count: number }): void {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  held.add(socket);
  const drip = setInterval(() => socket.write('x'), BYTE_MS);
  socket.on('connect', () => {
    socket.write('POST /svc/a/login HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\nx');
  });
  socket.on('error', () => {});
  socket.resume().on('close', () => {
    clearInterval(drip);
    if (!held.delete(socket)) return;
    closed.count++;
    setTimeout(() => held.size > 0 && hold(localAddress, port, held, closed), 100).unref();
  });
}

it('five addresses with all connections hold nobody up for long, although they come back at once', {
  timeout: 600_000,
}, async (t) => {
  const gateway = await spawnGateway(t, ['--demo', '--data', join(folder, 'data')]);
  const port = Number(new URL(gateway.url).port);
  const held = new Set<Socket>();
  const closed = { count: 0 };
  t.after(() => {
    const all = [...held];
    held.clear();
    for (const socket of all) socket.destroy();
  });
  for (const address of ADDRESSES) {
    for (let i = 0; i < MAX_HTTP_CONNECTIONS_PER_ADDRESS; i++) hold(address, port, held, closed);
  }
  await sleep(10_000);
  t.diagnostic(`${held.size} of ${MAX_HTTP_CONNECTIONS} connections are held`);
  for (const round of [1, 2, 3]) {
    const started = performance.now();
    let tries = 0;
    for (;;) {
      tries++;
      const body = { method: 'POST', body: 'alice|alice', headers: { 'content-type': 'text/plain' } };
      const status = await fetch(`${gateway.url}svc/a/login`, {
        ...body,
        headers: { ...body.headers, connection: 'close' },
      }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200 || performance.now() - started > GIVE_UP_MS) break;
      await sleep(500);
    }
    const waited = performance.now() - started;
    t.diagnostic(`round ${round}: served after ${Math.round(waited)} ms, ${tries} tries; ${closed.count} were closed`);
    assert.ok(waited < MAX_WAIT_MS, `${Math.round(waited)} ms`);
    await sleep(5000);
  }
});

it('a body may pause for longer once its caller has been checked, and not because he sends credentials', {
  timeout: 300_000,
}, async (t) => {
  const gateway = await spawnGateway(t, ['--demo', '--data', join(folder, 'checked')]);
  const alice = gateway.as('alice');
  const session = await alice('a/login', { method: 'POST', body: 'alice|alice' });
  const cookie = `Cookie: ${cookieOf(session)}`;
  const authorization = `Authorization: ${basic('alice')}`;
  const send = (line: string, field: string) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    const started = performance.now();
    socket.write(
      `${line} HTTP/1.1\r\nHost: x\r\n${field}\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\nalice|`,
    );
    const answered = new Promise<{ status: number; ms: number }>((resolve) => {
      socket.once('data', (bytes) =>
        resolve({ status: Number(bytes.toString().slice(9, 12)), ms: performance.now() - started }),
      );
    });
    return { socket, answered };
  };
  const logIns = [authorization, cookie, 'X-Other: x'].map((field) => send('POST /svc/a/login', field));
  const puts = [authorization, cookie].map((field) => send('PUT /svc/r/Lobby/new', field));
  t.after(() => {
    for (const { socket } of [...logIns, ...puts]) socket.destroy();
  });
  for (const { answered } of logIns) {
    const { status, ms } = await answered;
    assert.equal(status, 408);
    assert.ok(ms >= ANONYMOUS_BODY_WAIT_MS - 1000, `${ms}`);
  }
  await sleep(ANONYMOUS_BODY_WAIT_MS);
  for (const { socket, answered } of puts) {
    socket.write('alice');
    assert.equal((await answered).status, 201);
  }
});

it('who takes nothing of a static file, a part or an upload is cut, and who takes it slowly is not', {
  timeout: 10 * STALL_TIMEOUT_MS,
}, async (t) => {
  const size = 24 * 1024 * 1024; // more than the buffers of a connection hold
  const site = await mkdtemp(join(tmpdir(), 'site-'));
  t.after(() => rm(site, { recursive: true, force: true }));
  const bytes = Buffer.alloc(size, 'x\n');
  await writeFile(join(site, 'large.bin'), bytes);
  const gateway = await spawnGateway(t, ['--demo', '--data', join(folder, 'readers'), '--static', site]);
  const alice = gateway.as('alice');
  const headers = { 'content-type': 'application/octet-stream' };
  const msgnum = postedNumber(await alice('r/Lobby/new', { method: 'PUT', headers, body: bytes }));
  const [upload] = (await (await alice('p?filename=a', { method: 'POST', headers, body: bytes })).json()) as {
    ref: string;
  }[];
  const take = (path: string) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.write(`GET /svc/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic('alice')}\r\n\r\n`);
    return socket;
  };
  const paths = ['s/large.bin', `r/Lobby/${msgnum}`, `r/Lobby/${msgnum}/1`, `p/${upload!.ref}`];
  const idle = paths.map((path) => take(path).pause());
  const slow = paths.map((path) => {
    const socket = take(path);
    let count = 0;
    // some 50 KiB a second
    socket.on('data', (piece) => {
      count += piece.length;
      socket.pause();
      setTimeout(() => socket.resume(), piece.length / 50).unref();
    });
    return { socket, count: () => count };
  });
  await sleep(2 * STALL_TIMEOUT_MS + 10_000);
  const counts = slow.map(({ count }) => count());
  for (const [i, { socket }] of slow.entries()) assert.equal(socket.destroyed, false, `${paths[i]}`);
  for (const [i, socket] of idle.entries()) {
    let count = 0;
    socket.on('data', (piece) => (count += piece.length)).resume();
    await once(socket, 'close');
    assert.ok(count < size, `${paths[i]}: ${count} bytes`);
  }
  await sleep(3000);
  for (const [i, { count }] of slow.entries()) assert.ok(count() > counts[i]!, `${paths[i]} goes on`);
});
