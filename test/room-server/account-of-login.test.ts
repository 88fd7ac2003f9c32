// For which account a log-in counts: the one that the room server takes the name for.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Pool } from '../../src/room-server/connection/pool.ts';
import { accountOfLogin } from '../../src/room-server/users.ts';
import { recordedPeer } from '../support/recorded-peer.ts';
import { listenOnUnixSocket, SocketReader } from '../support/unix-listener.ts';

function poolOf(t: TestContext, peer: { path: string; close(): Promise<void> }): Pool {
  const pool = new Pool({ target: { path: peer.path }, clientName: 'test', clientVersion: '1' });
  t.after(async () => {
    pool.close();
    await peer.close();
  });
  return pool;
}

describe('the account behind a name', () => {
  it('is that of the user whom a real server names', async (t) => {
    const pool = poolOf(t, await recordedPeer(new URL('../fixtures/transcripts/21-login.txt', import.meta.url)));
    for (const name of ['ANN', 'a.n-n', 'ann@vm', 'ann@localhost'])
      assert.equal(await accountOfLogin(pool, name), 'ann');
    for (const name of ['bob smith', 'BobSmith', 'bob_smith@vm']) {
      assert.equal(await accountOfLogin(pool, name), 'bobsmith');
    }
    assert.equal(await accountOfLogin(pool, 'nosuch'), 'nosuch');
  });

  it('is one for all names that lead to it, and is asked for on a connection of its own', async (t) => {
    const heard: string[] = [];
    const peer = await listenOnUnixSocket(async (socket) => {
      const reader = new SocketReader(socket);
      socket.write('200 ready\n');
      for (let line = String(await reader.line()); line !== ''; line = String(await reader.line())) {
        if (!line.startsWith('IDEN')) heard.push(line.trim());
        // as if 8 bytes of a name counted, and one had an alias
        const isAnn = line.startsWith('USER longname') || line === 'USER info@example.org\n';
        socket.write(!line.startsWith('USER') ? '200 ok\n' : isAnn ? '300 Password required for Ann B\n' : '570 no\n');
      }
    });
    const pool = poolOf(t, peer);
    for (const name of ['longname1', 'longname 2', 'info@example.org']) {
      assert.equal(await accountOfLogin(pool, name), 'annb', name);
    }
    assert.equal(await accountOfLogin(pool, 'info@example.com'), 'info');
    assert.ok(heard.every((line) => line.startsWith('USER')));
  });
});
