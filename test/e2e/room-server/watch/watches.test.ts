// How many may follow, and what one who does not ask for long is told.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_EVENT_STREAMS_PER_USER } from '../../../../src/limits/http.ts';
import { InstantMailbox } from '../../../../src/room-server/instant-mailbox.ts';
import type { Follower } from '../../../../src/room-server/watch/follower.ts';
import { WATCH_TIMES } from '../../../../src/room-server/watch/watch.ts';
import { Watches } from '../../../../src/room-server/watch/watches.ts';
import { failsWith } from '../../../support/asked-server.ts';
import { ANN, BOX, names, only, postAs, startFollowing, told } from '../../../support/followers.ts';

describe('followers', () => {
  it('are bounded in all, and one that has gone makes room', async (t) => {
    const { pool } = await startFollowing(t, false);
    const watches = new Watches(pool, new InstantMailbox(pool), WATCH_TIMES, 2);
    t.after(() => watches.close());
    const bob = { user: 'bob', password: 'bobpw' };
    const [first] = await Promise.all([watches.follow(ANN, {}), watches.follow(bob, {})]);
    await assert.rejects(watches.follow(ANN, {}), failsWith('busy'));
    first.close();
    first.close();
    await watches.follow(bob, {});
    await assert.rejects(watches.follow(bob, {}), failsWith('busy'));
    watches.close();
    await assert.rejects(watches.follow(ANN, {}), failsWith('busy'));
  });

  it('are bounded for each account, however its name is spelled', async (t) => {
    const { pool } = await startFollowing(t, false);
    const watches = new Watches(pool, new InstantMailbox(pool), WATCH_TIMES);
    t.after(() => watches.close());
    const spellings = ['ann', 'ANN', 'ann\u212A', 'a@nn@localhost'];
    const spelled = (n: number) => ({ ...ANN, user: spellings[n % spellings.length]! });
    const followers: Follower[] = [];
    for (let n = 0; n < MAX_EVENT_STREAMS_PER_USER; n++) followers.push(await watches.follow(spelled(n), {}));
    for (const n of [0, 1]) await assert.rejects(watches.follow(spelled(n), {}), failsWith('too_many_requests'));
    followers[0]!.close();
    await watches.follow(spelled(1), {});
    await assert.rejects(watches.follow(spelled(0), {}), failsWith('too_many_requests'));
  });

  it('that do not ask for long are told in one go what has changed', async (t) => {
    const { follow, bob } = await startFollowing(t, false);
    const [quick, slow] = [await follow({ room: BOX }), await follow({ room: BOX })];
    const numbers: number[] = [];
    while (numbers.length < 20) numbers.push(await postAs(bob, 'Box'));
    while (quick.position.highest < numbers.at(-1)!) await told(quick, 'messages');
    const changes = await slow.changes();
    assert.deepEqual(only(changes, 'messages'), [{ kind: 'messages', room: 'Box', numbers }]);
    assert.deepEqual(names(changes), ['Box'], 'once');
  });
});
