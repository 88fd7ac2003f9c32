// Contents of many messages in one round trip: as many as the bounds allow, and where to go on.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectContents } from '../../../src/room-server/message-content.ts';
import { postedNumber, startGateway } from '../../support/gateway.ts';
import { startRealServer } from '../../support/real-server.ts';
import { contextsAt } from '../../support/room-context.ts';

describe('contents that are collected', () => {
  it('are told from the first on, each and all of them within bounds', async (t) => {
    const real = await startRealServer(t, { users: { alice: 4 } });
    const gateway = await startGateway(t, { backend: `unix:${real.path}` });
    const alice = gateway.as('alice', 'alicepw');
    const numbers: number[] = [];
    for (const size of [10, 10, 1, 11, 300_000]) {
      const init = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(size) };
      numbers.push(postedNumber(await alice('r/Lobby/new', init)));
    }
    const [ten, other, one, eleven, large] = numbers as [number, number, number, number, number];
    const { app, caller, room } = contextsAt(t, real.path)('alice', 'Lobby');
    const collected = async (wanted: number[], maxEach: number, maxBytes: number) => {
      const refs = wanted.map((msgnum) => ({ msgnum, form: 'part' as const }));
      const contents = await collectContents(app.pool, caller.identity, room, refs, { maxEach, maxBytes });
      return contents.map((each) => (typeof each === 'string' ? each : each.length));
    };
    assert.deepEqual(await collected([ten, other, one], 10, 21), [10, 10, 1]);
    assert.deepEqual(await collected([ten, other, one], 10, 20), [10, 10], 'the last one is for the next round');
    assert.deepEqual(await collected([ten, eleven, one], 10, 100), [10, 'too large', 1]);
    assert.deepEqual(await collected([eleven, one], 11, 100), [11, 1]);
    assert.deepEqual(await collected([large, one], 10, 20), ['too large'], 'and the next round goes on behind it');
    assert.deepEqual(await collected([999_999, ten], 10, 10), ['gone', 10]);
    assert.deepEqual(await collected([], 10, 10), []);
    const before = real.roundTrips();
    await collected([ten, other, one], 10, 100);
    assert.equal(real.roundTrips() - before, 1);
  });
});
