// The server's end of a handshake: what had come before it began is its beginning, and what fails closes the socket.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { acceptTls, readCertificatePair, serverContext } from '../../src/system/tls.ts';
import { Authority } from '../support/certificates.ts';

/** Each connection is upgraded when `ready` says so; the encrypted end echoes. */
async function serve(t: TestContext, ready: (socket: Socket) => Promise<unknown>, timeoutMs = 10_000) {
  const authority = new Authority(t);
  const context = serverContext(readCertificatePair(authority.issue()));
  const closed = Promise.withResolvers<void>();
  const sockets: TLSSocket[] = [];
  const server = createServer(async (raw) => {
    raw.once('close', () => closed.resolve());
    await ready(raw);
    const secured = (socket: TLSSocket) => {
      sockets.push(socket);
      socket.pipe(socket);
    };
    acceptTls(raw, { context, timeoutMs, secured });
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, ca: readFileSync(authority.caFile), sockets, closed: closed.promise };
}

const someBytes = (raw: Socket) => once(raw, 'readable');

it('a handshake whose first bytes were received already goes on, and what comes is decrypted', async (t) => {
  const { port, ca, closed } = await serve(t, someBytes);
  const socket = connectTls({ port, host: '127.0.0.1', ca });
  socket.write('hello');
  const [echo] = (await once(socket, 'data')) as [Buffer];
  assert.equal(String(echo), 'hello');
  socket.end();
  await closed;
});

it('garbage, and a peer that goes away, close the socket and do no more', async (t) => {
  for (const bytes of ['\x16\x03\x01\x00\x05hello', 'QUIT\n', '']) {
    const { port, sockets, closed } = await serve(t, async () => {});
    const peer = connect(port, '127.0.0.1');
    peer.on('error', () => {}).resume();
    if (bytes === '') peer.once('connect', () => peer.resetAndDestroy());
    else peer.write(Buffer.from(bytes, 'latin1'));
    await closed;
    assert.deepEqual(sockets, [], JSON.stringify(bytes));
    peer.destroy();
  }
});

it('a peer that says nothing has only so much time', async (t) => {
  const { port, closed } = await serve(t, async () => {}, 50);
  const peer = connect(port, '127.0.0.1');
  await closed;
  peer.destroy();
});
