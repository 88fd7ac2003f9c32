// Lists of members that are kept: how much.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KEPT_MEMBER_BYTES } from '../../../src/limits/dav.ts';
import { type EnteredRoom, VIEW } from '../../../src/model.ts';
import type { Member } from '../../../src/room-server/collections.ts';
import type { RoomAccess } from '../../../src/room-server/connection/pool.ts';
import { ListCache } from '../../../src/room-server/embedded/collections.ts';

const member = { msgnum: 1, name: '', euid: '', displayName: '' } as Partial<Member> as Member;
const entered = { defaultView: VIEW.files, flags: 0 } as Partial<EnteredRoom> as EnteredRoom;

function contextOf(name: string): RoomAccess {
  return { identity: { user: 'ann' }, room: { name } } as Partial<RoomAccess> as RoomAccess;
}

/** Whether a list of `count` members is kept. */
function isKept(lists: ListCache, name: string, roomId: number, count: number): boolean {
  const keeper = lists.builder(contextOf(name), '', { roomId, sequence: 1, entered });
  for (let i = 0; i < count; i++) keeper!.add([member]);
  keeper!.finish();
  return lists.last(contextOf(name), '') !== undefined;
}

describe('kept lists of members', () => {
  it('are as long as the bound allows, and no longer', () => {
    const lists = new ListCache(100 * KEPT_MEMBER_BYTES, 10 * KEPT_MEMBER_BYTES);
    assert.equal(isKept(lists, 'a', 1, 10), true);
    assert.equal(isKept(lists, 'b', 2, 11), false);
  });

  it('are not begun where the room is known to have too many', () => {
    const lists = new ListCache(100 * KEPT_MEMBER_BYTES, 10 * KEPT_MEMBER_BYTES);
    const begun = (defaultView: number, totalMessages: number) =>
      lists.builder(contextOf('a'), '', {
        roomId: 1,
        sequence: 1,
        entered: { ...entered, defaultView, totalMessages },
      });
    assert.ok(begun(VIEW.calendar, 10));
    assert.equal(begun(VIEW.calendar, 11), undefined);
    assert.ok(begun(VIEW.files, 11), 'of some folder');
  });

  it('make room for later ones', () => {
    const lists = new ListCache(30 * KEPT_MEMBER_BYTES, 10 * KEPT_MEMBER_BYTES);
    for (const [i, name] of ['a', 'b', 'c'].entries()) assert.equal(isKept(lists, name, i, 10), true);
    assert.equal(lists.last(contextOf('a'), ''), undefined);
    assert.equal(lists.last(contextOf('c'), '')!.batches.length, 10);
  });

  it('are not kept before all of them has come', () => {
    const lists = new ListCache();
    lists.builder(contextOf('a'), '', { roomId: 1, sequence: 1, entered })!.add([member]);
    assert.equal(lists.last(contextOf('a'), ''), undefined);
  });
});
