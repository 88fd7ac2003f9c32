// Lengths of messages that were not PUT under a name.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { App } from '../../../../src/gateway/app.ts';
import { ContentLengths } from '../../../../src/gateway/collection/content-lengths.ts';
import { type StoredTraits, StoredTraitsCache } from '../../../../src/gateway/message/stored-traits.ts';
import type { RoomContext } from '../../../../src/gateway/room-context.ts';
import { Pool } from '../../../../src/room-server/connection/pool.ts';
import { SerialQueue } from '../../../../src/system/serial-queue.ts';
import { postedNumber, startGateway } from '../../../support/gateway.ts';

describe('measuring', () => {
  it('reads a bounded number of bytes, and none where the list of parts tells the length', async (t) => {
    const gateway = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const { hostname, port } = new URL(gateway.lineUrl!);
    const pool = new Pool({ target: { host: hostname, port: Number(port) }, clientName: 'test', clientVersion: '1' });
    t.after(() => pool.close());
    const post = async (body: string, type: string) => {
      const init = { method: 'PUT', headers: { 'content-type': type }, body };
      return postedNumber(await gateway.as('alice')('r/Lobby/new', init));
    };
    const plain = await post('as it is\n'.repeat(200), 'text/plain');
    const packed = await post('x'.repeat(1000), 'application/octet-stream');
    const measured = async (msgnum: number, maxBytes: number) => {
      const traits: StoredTraits = {
        euid: '',
        time: 0,
        name: undefined,
        stored: undefined,
        subject: '',
        contentType: '',
        size: undefined,
        facts: undefined,
      };
      const identity = { user: 'alice', password: 'alice' };
      const room = { name: 'Lobby', password: '' };
      const app = { pool, serialQueue: new SerialQueue(), storedTraits: new StoredTraitsCache() } as App;
      const context = { app, caller: { identity }, room } as RoomContext;
      const complete = await new ContentLengths(context, maxBytes).complete(new Map([[msgnum, traits]]));
      assert.equal(traits.size, undefined, 'what somebody else may hold does not change');
      return complete.get(msgnum)?.size;
    };
    assert.equal(await measured(packed, 1000), 1000);
    assert.equal(await measured(packed, 999), undefined);
    assert.equal(await measured(plain, 1), 1800);
    assert.equal(await measured(999999, 1000), undefined, 'a message that is gone');
  });
});
