// Five addresses take all connections with bodies that never end: how long until somebody else is served.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_HTTP_CONNECTIONS, MAX_HTTP_CONNECTIONS_PER_ADDRESS } from '../../src/limits/http.ts';
import { spawnGateway } from '../support/gateway.ts';

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

it('does not take long although they come back at once', { timeout: 600_000 }, async (t) => {
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
