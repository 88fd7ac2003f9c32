// What a caller may do in a room, by what the room server tells of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PRIVILEGE, privilegesIn } from '../../src/gateway/collection/properties.ts';
import { ACCESS, canDelete, type EnteredRoom, ROOM_FLAG, ROOM_FLAG2 } from '../../src/model.ts';

const room = (of: Partial<EnteredRoom>) => ({ isAdmin: false, isPersonal: false, flags2: 0, ...of }) as EnteredRoom;

it('who administers a room, owns it, or shares it may delete there', () => {
  assert.equal(canDelete(room({})), false);
  assert.equal(canDelete(room({ isAdmin: true })), true);
  assert.equal(canDelete(room({ isPersonal: true })), true);
  assert.equal(canDelete(room({ flags2: ROOM_FLAG2.collaborativeDelete })), true);
  assert.equal(canDelete(room({ flags2: ~ROOM_FLAG2.collaborativeDelete })), false);
});

describe('privileges', () => {
  const of = (access: number, flags = 0, flags2 = 0) => {
    const bits = privilegesIn({ access, flags, flags2 });
    return Object.entries(PRIVILEGE).flatMap(([name, bit]) => ((bits & bit) === bit ? name : []));
  };

  it('are those of a reader where one may not even post', () => assert.deepEqual(of(ACCESS.known), ['read']));

  it('of who posts are to add, of who deletes to remove, of who does both to replace', () => {
    assert.deepEqual(of(ACCESS.post), ['read', 'bind', 'unlock']);
    assert.deepEqual(of(ACCESS.delete), ['read', 'unbind']);
    assert.deepEqual(of(ACCESS.post | ACCESS.delete), ['read', 'writeContent', 'bind', 'unbind', 'unlock']);
  });

  it('of a shared room are those of who posts: nobody else removes there', () => {
    assert.deepEqual(of(0, 0, ROOM_FLAG2.collaborativeDelete), ['read']);
    assert.ok(of(ACCESS.post, 0, ROOM_FLAG2.collaborativeDelete).includes('writeContent'));
  });

  it('to change the room are for who administers it, or owns it', () => {
    assert.deepEqual(of(ACCESS.admin), ['read', 'writeProperties']);
    assert.deepEqual(of(0, ROOM_FLAG.personal), ['read', 'writeProperties']);
    const all = of(ACCESS.post | ACCESS.delete | ACCESS.admin);
    assert.ok(all.includes('write') && !all.includes('readFreeBusy'), String(all));
  });
});
