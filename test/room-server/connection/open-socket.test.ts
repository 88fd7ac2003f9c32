// A socket to a room server: open, or an error that says why not, and how long it is tried.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { openSocket } from '../../../src/room-server/connection/socket.ts';
import { listenOnUnixSocket } from '../../support/unix-listener.ts';

const FOREVER_MS = 3_600_000;

/** A port of the loopback interface on which nobody listens any more. */
async function freePort(t: TestContext): Promise<{ target: { host: string; port: number }; server: Server }> {
  const server = createServer((socket) => socket.on('error', () => {}));
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return { target: { host: '127.0.0.1', port }, server };
}

it('opens a unix socket', async (t) => {
  const greeted = Promise.withResolvers<void>();
  const listener = await listenOnUnixSocket((socket) => void socket.write('hello', () => greeted.resolve()));
  t.after(() => listener.close());
  const socket = await openSocket({ path: listener.path });
  t.after(() => socket.destroy());
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  assert.equal(String(bytes), 'hello');
});

it('says that nobody is there, at once where it is not to be patient', async (t) => {
  const { target } = await freePort(t);
  await assert.rejects(openSocket(target), { code: 'backend_unreachable' });
  await assert.rejects(openSocket({ path: join('/nonexistent', 'socket') }), { code: 'backend_unreachable' });
});

it('tries again while somebody may be listening soon', async (t) => {
  const { target, server } = await freePort(t);
  const { signal } = new AbortController();
  const opening = openSocket(target, { fullMs: 0, refusedMs: FOREVER_MS, signal });
  server.listen(target.port, target.host);
  const socket = await opening;
  socket.destroy();
});

it('does not try again where there is no such socket at all, however patient', async () => {
  const { signal } = new AbortController();
  const patience = { fullMs: FOREVER_MS, refusedMs: FOREVER_MS, signal };
  await assert.rejects(openSocket({ path: '/nonexistent/socket' }, patience), { code: 'backend_unreachable' });
});

it('gives up when it is told to', async (t) => {
  const { target } = await freePort(t);
  const stop = new AbortController();
  const opening = openSocket(target, { fullMs: 0, refusedMs: FOREVER_MS, signal: stop.signal });
  stop.abort();
  await assert.rejects(opening, { code: 'busy' });
});

it('an error that comes before anybody listens for it ends nothing but the socket', async (t) => {
  const listener = await listenOnUnixSocket(() => {});
  t.after(() => listener.close());
  const socket = await openSocket({ path: listener.path });
  socket.destroy(new Error('lost'));
  await new Promise((resolve) => socket.once('close', resolve));
  assert.ok(socket.destroyed);
});
