// Connecting to a room server that has no place at the moment, or is not there yet.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  FIRST_RETRY_MS,
  MAX_CONNECTING,
  MAX_FAILURES_IN_A_ROW,
  REFUSED_RETRY_MS,
} from '../../../src/limits/protocol.ts';
import { Connector } from '../../../src/room-server/connection/connector.ts';
import { openSocket } from '../../../src/room-server/connection/socket.ts';
import { eventually } from '../../support/eventually.ts';
import { startSlowFront } from '../../support/slow-front.ts';
import { listenOnUnixSocket } from '../../support/unix-listener.ts';

const NEVER = 3_600_000;
const signal = new AbortController().signal;

/** Connects until there is no place any more. */
async function fill(path: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let isFull = false; !isFull; ) {
    const socket = connect(path).on('error', () => {});
    sockets.push(socket);
    isFull = await once(socket, 'connect').then(
      () => false,
      () => true,
    );
  }
  return sockets;
}

describe('connects', () => {
  it('are under way a few at a time: the next one begins when the server has greeted', async (t) => {
    const sockets: Socket[] = [];
    const listener = await listenOnUnixSocket((socket) => void sockets.push(socket));
    t.after(() => listener.close());
    const connector = new Connector({ path: listener.path }, MAX_CONNECTING);
    const opening = Array.from({ length: MAX_CONNECTING + 2 }, () => connector.open());
    for (const each of opening) each.catch(() => {}); // awaited below
    await eventually(async () => sockets.length, MAX_CONNECTING);
    await sleep(50);
    assert.equal(sockets.length, MAX_CONNECTING);
    sockets[0]!.write('551 Too many users are already online (maximum is 1)\n');
    await assert.rejects(opening[0]!, { code: 'busy', backendCode: 551 });
    await eventually(async () => sockets.length, MAX_CONNECTING + 1);
    sockets[1]!.write('200 ready\n');
    await opening[1];
    await eventually(async () => sockets.length, MAX_CONNECTING + 2);
    for (const socket of sockets.slice(2)) socket.write('200 ready\n');
    for (const connection of await Promise.all(opening.slice(1))) connection.close();
  });

  it('are tried again while nobody listens yet, and fail when that lasts', async (t) => {
    const server = createServer((socket) => socket.on('error', () => {}).write('200 ready\n'));
    t.after(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const target = { host: '127.0.0.1', port };
    await assert.rejects(openSocket(target), { code: 'backend_unreachable' });
    const connector = new Connector(target, 1);
    const opening = connector.open();
    opening.catch(() => {}); // awaited below
    await sleep(REFUSED_RETRY_MS / 10);
    server.listen(port, '127.0.0.1');
    (await opening).close();
    await new Promise((resolve) => server.close(resolve));
    await assert.rejects(connector.open(), { code: 'backend_unreachable' });
  });

  it('that find no place in the backlog are tried again until there is one', async (t) => {
    const greeter = await listenOnUnixSocket((socket) => void socket.write('200 ready\n'));
    t.after(() => greeter.close());
    const path = await startSlowFront(t, greeter.path, { backlog: 1, acceptMs: 200 });
    const others = await fill(path);
    (await new Connector({ path }, 1).open()).close();
    for (const socket of others) socket.destroy();
  });

  it('that find none for the whole time end with 503', async (t) => {
    const accepted = Promise.withResolvers<void>();
    const path = await startSlowFront(t, '/nowhere', { backlog: 1, acceptMs: NEVER, onAccept: accepted.resolve });
    const first = connect(path).on('error', () => {});
    await accepted.promise; // whom it accepts later leaves a place in the backlog
    const others = [first, ...(await fill(path))];
    await assert.rejects(openSocket({ path }), { code: 'busy' });
    await assert.rejects(openSocket({ path }, { fullMs: FIRST_RETRY_MS, refusedMs: 0, signal }), { code: 'busy' });
    for (const socket of others) socket.destroy();
  });

  it('that are reset end nothing but their socket, also while nobody listens to it', async (t) => {
    const server = createServer();
    t.after(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const accepted = once(server, 'connection');
    const socket = await openSocket({ host: '127.0.0.1', port });
    const [peer] = (await accepted) as [Socket];
    peer.resetAndDestroy();
    await new Promise((resolve) => socket.once('close', resolve));
  });

  it('fail at once behind so many in a row that were not answered, and those that wait with them', async (t) => {
    const sockets: Socket[] = [];
    const listener = await listenOnUnixSocket((socket) => {
      sockets.push(socket);
      if (sockets.length <= MAX_FAILURES_IN_A_ROW) socket.destroy();
      else socket.on('data', () => socket.write('200 ok\n')).write('200 ready\n');
    });
    t.after(() => listener.close());
    const connector = new Connector({ path: listener.path }, 1);
    t.after(() => connector.close());
    for (let i = 1; i < MAX_FAILURES_IN_A_ROW; i++) {
      await assert.rejects(connector.open(), { code: 'backend_lost' });
      assert.equal(connector.isAnswering, true);
    }
    const [last, behind] = [connector.open(), connector.open()];
    behind.catch(() => {}); // awaited below
    await assert.rejects(last, { code: 'backend_lost' });
    assert.equal(connector.isAnswering, false);
    await assert.rejects(behind, { code: 'backend_unreachable' });
    await assert.rejects(connector.open(), { code: 'backend_unreachable' });
    // the probe is greeted and answered
    await eventually(async () => connector.isAnswering, true);
    (await connector.open()).close();
  });

  it('that wait fail when the gateway stops', async (t) => {
    const path = await startSlowFront(t, '/nowhere', { backlog: 1, acceptMs: NEVER });
    const connector = new Connector({ path }, 3);
    const opening = Array.from({ length: 6 }, () => connector.open());
    for (const each of opening) each.catch(() => {}); // some may have connected, and wait for the greeting
    await sleep(50);
    connector.close();
    for (const each of opening.slice(3)) await assert.rejects(each, { message: 'The gateway is stopping.' });
  });
});
