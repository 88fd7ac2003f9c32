// One connection: to a real redis-server, and to peers that do not behave.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { createSecureContext } from 'node:tls';
import type { AppError } from '../../../../src/errors.ts';
import { type ConnectionSettings, RespConnection } from '../../../../src/extra/resp/connection.ts';
import { ReplyError } from '../../../../src/extra/resp/reply.ts';
import { MAX_COMMAND_BYTES_WAITING, MAX_COMMANDS_WAITING, STORE_REPLY_MS } from '../../../../src/limits/processes.ts';
import { Authority } from '../../../support/certificates.ts';
import { freePort, startRedis } from '../../../support/redis-server.ts';

const PLAIN: ConnectionSettings = { user: undefined, password: undefined, database: 0, tls: undefined };

/** Somebody who takes connections and does what is said. */
async function startPeer(t: TestContext, onSocket: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

const isAway = (reason: RegExp) => (error: AppError) => {
  assert.equal(error.code, 'shared_unreachable');
  assert.ok(error.retryAfterSeconds! > 0);
  assert.match((error.cause as Error).message, reason);
  assert.doesNotMatch(error.message, /127\.0\.0\.1/, 'the client is not told where');
  return true;
};

describe('a connection to a store', async () => {
  const store = await startRedis({ after }, { password: 'se cret' });
  const at = { host: '127.0.0.1', port: store.port };

  it('has its replies in order, and errors of the server as values', async () => {
    const connection = await RespConnection.open(at, { ...PLAIN, password: 'se cret', database: 3 });
    const asked = Array.from({ length: 1000 }, (_, i) => connection.ask(['ECHO', `${i}`]));
    assert.deepEqual(
      (await Promise.all(asked)).map(String),
      Array.from({ length: 1000 }, (_, i) => `${i}`),
    );
    assert.ok((await connection.ask(['NO-SUCH-COMMAND'])) instanceof ReplyError);
    assert.match(String(await connection.ask(['CLIENT', 'INFO'])), / db=3 /);
    connection.close();
    await assert.rejects(connection.ask(['PING']), isAway(/closed by us/));
  });

  it('logs in by name, and says who was refused', async () => {
    await store.ask('ACL', 'SETUSER', 'ann', 'on', '>pass', '~*', '+@all');
    (await RespConnection.open(at, { ...PLAIN, user: 'ann', password: 'pass' })).close();
    await assert.rejects(RespConnection.open(at, { ...PLAIN, user: 'ann', password: 'no' }), isAway(/WRONGPASS/));
    await assert.rejects(RespConnection.open(at, { ...PLAIN, password: 'se cret', database: 99 }), isAway(/DB index/));
  });

  it('is over TLS where that is wanted, with whom is trusted alone', async (t) => {
    const authority = new Authority(t);
    const { certificateFile, keyFile } = authority.issue();
    const tlsPort = await freePort();
    const words = ['--tls-port', `${tlsPort}`, '--tls-cert-file', certificateFile, '--tls-key-file', keyFile];
    await startRedis(t, { words: [...words, '--tls-ca-cert-file', authority.caFile, '--tls-auth-clients', 'no'] });
    const where = { host: 'localhost', port: tlsPort };
    const trusting = (file: string) => ({ ...PLAIN, tls: createSecureContext({ ca: readFileSync(file) }) });
    const connection = await RespConnection.open(where, trusting(authority.caFile));
    assert.equal(await connection.ask(['PING']), 'PONG');
    connection.close();
    await assert.rejects(
      RespConnection.open(where, trusting(new Authority(t).caFile)),
      isAway(/certificate|signature/),
    );
  });

  it('takes as many commands as may wait, and says that it is busy for one more', async (t) => {
    const silent = await startPeer(t, () => {});
    const connection = await RespConnection.open(silent, PLAIN);
    const asked = Array.from({ length: MAX_COMMANDS_WAITING }, () => connection.ask(['PING']));
    await assert.rejects(connection.ask(['PING']), { code: 'busy' });
    connection.close();
    for (const end of await Promise.allSettled(asked)) assert.equal(end.status, 'rejected');
  });

  it('takes no more bytes than may wait for a peer that reads nothing', async (t) => {
    const deaf = await startPeer(t, (socket) => socket.pause());
    const connection = await RespConnection.open(deaf, PLAIN);
    const chunk = Buffer.alloc(1024 * 1024);
    const asked: Promise<unknown>[] = [];
    let isBusy = false;
    while (!isBusy && asked.length < 1000) {
      const one = connection.ask(['SET', 'a', chunk]);
      asked.push(one);
      one.catch((error: AppError) => (isBusy ||= error.code === 'busy'));
      await Promise.resolve();
      await Promise.resolve();
    }
    assert.ok(isBusy);
    assert.ok(asked.length * chunk.length < 2 * MAX_COMMAND_BYTES_WAITING + 64 * chunk.length);
    connection.close();
    await Promise.allSettled(asked);
  });

  it('is given up where a reply does not come', async (t) => {
    const silent = await startPeer(t, () => {});
    const connection = await RespConnection.open(silent, PLAIN);
    const started = performance.now();
    await assert.rejects(connection.ask(['PING']), isAway(/does not respond/));
    assert.ok(performance.now() - started >= STORE_REPLY_MS);
    assert.ok(connection.isClosed);
  });

  it('is given up where what comes is no reply, or was not asked for', async (t) => {
    for (const [text, reason] of [
      ['HTTP/1.1 400 Bad Request\r\n\r\n', /malformed reply/],
      ['+OK\r\n+OK\r\n', /unsolicited reply/],
    ] as const) {
      const odd = await startPeer(t, (socket) => void socket.once('data', () => socket.write(text)));
      const connection = await RespConnection.open(odd, PLAIN);
      const closed = new Promise<void>((resolve) => (connection.onClose = resolve));
      await connection.ask(['PING']).catch(isAway(reason));
      await closed;
      await assert.rejects(connection.ask(['PING']), isAway(reason));
    }
  });

  it('is refused where nobody listens', async () => {
    await assert.rejects(RespConnection.open({ host: '127.0.0.1', port: await freePort() }, PLAIN), isAway(/REFUSED/));
  });
});
