// Who waits for a rendering: an account, whatever it is called at the log-in, and of guests their network.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type RoomContext, renderTurn } from '../../../src/gateway/room-context.ts';

const { signal } = new AbortController();

const turnOf = (caller: { isGuest: boolean; identity: { user: string } }) =>
  renderTurn({
    exchange: { gone: signal, remoteNetwork: '192.0.2.7' },
    app: { pool: { accountOf: async ({ user }: { user: string }) => (/^ann$/i.test(user) ? '3' : '4') } },
    caller,
  } as unknown as RoomContext);

it('an account is served in turn with others, under any spelling of its name', async () => {
  const turns = ['ann', 'Ann', 'bob'].map((user) => turnOf({ isGuest: false, identity: { user } }));
  assert.deepEqual(await Promise.all(turns), [
    { caller: 'user 3', signal },
    { caller: 'user 3', signal },
    { caller: 'user 4', signal },
  ]);
});

it('guests are told apart by their network', async () => {
  assert.deepEqual(await turnOf({ isGuest: true, identity: { user: '' } }), { caller: 'network 192.0.2.7', signal });
});
