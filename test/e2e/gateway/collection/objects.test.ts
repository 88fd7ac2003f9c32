// The calendar objects of a room, cached or read, and what became of those that were replaced.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectsOf } from '../../../../src/gateway/collection/objects.ts';
import type { RoomContext } from '../../../../src/gateway/room-context.ts';
import type { Member } from '../../../../src/room-server/collections.ts';
import { membersOf, ordinaryEvent, ordinaryWorld } from '../../../support/ordinary-world.ts';

describe('objects of a collection', () => {
  const objectsIn = async (context: RoomContext, members: readonly Member[]) =>
    (await Array.fromAsync(objectsOf(context, members)))
      .flat()
      .map(({ member, cached }) => [member.name, cached.object?.name, /SUMMARY:(.*)\r/.exec(cached.text)?.[1]]);

  it('come in order, whether they are kept or not', async (t) => {
    const { put, calendar } = await ordinaryWorld(t);
    for (const name of ['1a', '2a', '3a']) await put(`r/Calendar/${name}`, ordinaryEvent(name));
    const members = await membersOf(calendar);
    const all = ['1a', '2a', '3a'].map((name) => [name, 'VCALENDAR', name]);
    assert.deepEqual(await objectsIn(calendar, members.slice(1, 2)), all.slice(1, 2));
    assert.deepEqual(await objectsIn(calendar, members), all);
    assert.deepEqual(await objectsIn(calendar, members), all);
  });

  it('are what is there now, where they were replaced since they were listed', async (t) => {
    const { put, alice, calendar } = await ordinaryWorld(t);
    for (const name of ['1a', '2a', '3a']) await put(`r/Calendar/${name}`, ordinaryEvent(name));
    const members = await membersOf(calendar);
    await put('r/Calendar/1a', ordinaryEvent('1a').replace('SUMMARY:1a', 'SUMMARY:changed'));
    assert.equal((await alice('r/Calendar/2a', { method: 'DELETE' })).status, 204);
    assert.deepEqual(await objectsIn(calendar, members), [
      ['3a', 'VCALENDAR', '3a'],
      ['1a', 'VCALENDAR', 'changed'],
    ]);
  });
});
