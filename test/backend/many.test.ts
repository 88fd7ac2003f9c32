import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { startRoomServer } from '../support/room-server.ts';
import { WireClient } from '../support/wire-client.ts';

describe('a session that sends very many commands at once', () => {
  for (const [what, line] of [
    ['that answer at once', 'LIST nobody'],
    ['whose answers are promises', 'CREU admin|'],
  ] as const) {
    it(`lets others have their turn between commands ${what}`, async (t) => {
      const { socketPath } = await startRoomServer(t);
      const busy = await WireClient.login(socketPath, 'admin', 'adminpw');
      const other = await WireClient.connect(socketPath);
      // They all fit into one piece of what a socket delivers.
      const count = 5000;
      let answered = 0;
      busy.write(`${line}\n`.repeat(count));
      const all = (async () => {
        for (; answered < count; answered++) await busy.reply();
      })();
      await other.expect('NOOP', 200);
      assert.ok(answered < count, 'it was answered last');
      await all;
    });
  }
});

describe('connections beyond the limit', () => {
  it('are refused on the way in that is full, and on no other', async (t) => {
    const { server, socketPath } = await startRoomServer(t, { maxSessions: 2 });
    const listener = await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = listener.address() as { port: number };
    const at = { host: '127.0.0.1', port };
    const first = await WireClient.connect(at);
    await WireClient.connect(at);
    const refused = await WireClient.connect(at);
    assert.match(refused.greeting, /^551 .*2/);
    assert.match((await WireClient.connect(socketPath)).greeting, /^200 /);
    first.close();
    refused.close();
    while (server.sessions.size > 2) await new Promise(setImmediate);
    assert.match((await WireClient.connect(at)).greeting, /^200 /);
  });

  it('do not keep the server from closing, whatever they still send', async (t) => {
    const { server, socketPath } = await startRoomServer(t, { maxSessions: 1 });
    await WireClient.connect(socketPath);
    const refused = connect({ path: socketPath, allowHalfOpen: true }).on('error', () => {});
    await new Promise((resolve) => refused.once('end', resolve).resume());
    await server.close();
    refused.destroy();
  });
});
