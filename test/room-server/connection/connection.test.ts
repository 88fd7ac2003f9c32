// One connection to a room server that sends, or stops sending, when it should not.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../../../src/room-server/connection/connection.ts';
import { eventually } from '../../support/eventually.ts';
import { listenOnUnixSocket } from '../../support/unix-listener.ts';

const MIB = 1024 * 1024;

/** A connection, and the socket of its peer, which has sent the greeting. */
async function startConnection(t: TestContext): Promise<{ connection: Connection; peer: Socket }> {
  const accepted = Promise.withResolvers<Socket>();
  const listener = await listenOnUnixSocket((socket) => {
    socket.write('200 ready\n');
    accepted.resolve(socket);
  });
  const connection = await Connection.open({ path: listener.path });
  t.after(async () => {
    connection.close();
    await listener.close();
  });
  return { connection, peer: await accepted.promise };
}

describe('a transfer from the room server', () => {
  for (const [name, status] of [
    ['of bytes', `600 ${32 * MIB}|-1||text/plain|`],
    ['of a listing', '100 listing'],
  ] as const) {
    it(`${name} waits in the room server while nobody takes it`, async (t) => {
      const { connection, peer } = await startConnection(t);
      let written = 0;
      const piece = Buffer.alloc(MIB, 'x\n');
      const writeOn = () => {
        for (written += MIB; written < 32 * MIB && peer.write(piece); written += MIB);
      };
      peer.on('drain', writeOn).once('data', () => {
        // status line and content come in one piece
        peer.write(Buffer.concat([Buffer.from(`${status}\n`), piece]));
      });
      await connection.start('DLAT 1|1\n');
      const bytes = status.startsWith('6') ? connection.binary(32 * MIB) : connection.listing();
      await bytes.next();
      await sleep(100);
      assert.ok(written < 4 * MIB, `${written} bytes were taken`);
    });
  }
});

describe('what the room server says without having been asked', () => {
  for (const [name, surplus] of [
    ['a line', '200 ok\n'],
    ['a part of one', '200'],
  ] as const) {
    it(`(${name}) ends the connection: it would be taken for the answer to what is asked next`, async (t) => {
      const { connection, peer } = await startConnection(t);
      peer.once('data', () => peer.write(`200 one\n${surplus}`));
      assert.equal((await connection.ask('NOOP\n')).text, 'one');
      await eventually(async () => connection.isClosed, true);
    });
  }

  it('may be notices, one after the other', async (t) => {
    const { connection, peer } = await startConnection(t);
    peer.once('data', () => peer.write('200 one\n903 Lobby|1|2\n904 \n'));
    assert.equal((await connection.ask('NOOP\n')).text, 'one');
    peer.once('data', () => peer.write('200 two\n'));
    assert.equal((await connection.ask('NOOP\n')).text, 'two');
  });
});
