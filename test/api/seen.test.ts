// The order of read marks. That they are set is seen in test/e2e/api/seen.test.ts.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { marksInTurn } from '../../src/api/message-changes.ts';
import type { RoomContext } from '../../src/gateway/room-context.ts';
import { SerialQueue } from '../../src/system/fair-queue.ts';

it('marks of one user in one room are set one after the other, those of others at the same time', async () => {
  const app = { serialQueue: new SerialQueue() };
  const of = (user: string, name: string) =>
    ({ app, caller: { identity: { user, password: '' } }, room: { name, password: '' } }) as unknown as RoomContext;
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const slow = marksInTurn(of('Ann', 'Lobby'), async () => {
    await first.promise;
    done.push('slow');
  });
  const last = marksInTurn(of('ann', 'lobby'), async () => void done.push('last'));
  await marksInTurn(of('Ann', 'Other'), async () => void done.push('other room'));
  await marksInTurn(of('Bob', 'Lobby'), async () => void done.push('other user'));
  first.resolve();
  await Promise.all([slow, last]);
  assert.deepEqual(done, ['other room', 'other user', 'slow', 'last']);
});
