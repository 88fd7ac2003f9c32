// Names that rooms can be given.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { acceptedName, refuseRoomLookAlike } from '../../../src/backend/session/rooms.ts';
import { removeRoomFromMemory } from '../../../src/backend/store/rooms.ts';
import { MAX_PERSONAL_ROOM_NAME_BYTES, MAX_ROOM_NAME_BYTES } from '../../../src/limits/backend.ts';
import { LEVEL, ROOM_FLAG } from '../../../src/model.ts';
import { messageWorld } from '../../support/message-session.ts';

describe('the name of a room', () => {
  it('is kept folded', () => {
    assert.equal(acceptedName('Cafe\u0301  Bar', false), 'Café Bar');
    assert.equal(acceptedName(' Box ', false), 'Box');
  });

  it('is no macro, no full personal name, and not empty', () => {
    for (const name of ['', ' ', '_MAIL_', '_bitbucket_', '0000000002.Mail', 'a\u200Bb']) {
      assert.throws(() => acceptedName(name, false), { code: 512 }, JSON.stringify(name));
    }
    assert.equal(acceptedName('000000002.Mail', false), '000000002.Mail');
  });

  it('has MAX_ROOM_NAME_BYTES at most, before and after it is folded, a personal one less', () => {
    for (const [isPersonal, max] of [
      [false, MAX_ROOM_NAME_BYTES],
      [true, MAX_PERSONAL_ROOM_NAME_BYTES],
    ] as const) {
      const longest = 'x'.repeat(max);
      assert.equal(acceptedName(longest, isPersonal), longest);
      assert.throws(() => acceptedName(`${longest}x`, isPersonal), { code: 512 });
      assert.throws(() => acceptedName(`${longest} `, isPersonal), { code: 512 });
    }
  });
});

describe('a room that looks like another', () => {
  it('is refused beside a public one, which is named to those who may know it', (t) => {
    const { store, user, room, session } = messageWorld(t);
    const ann = session(user('ann'), room('Lobby'));
    const other = room('Garden');
    assert.throws(() => refuseRoomLookAlike(ann, 'Gаrdеn'), {
      code: 574,
      message: "'Gаrdеn' looks like 'Garden', which already exists.",
    });
    refuseRoomLookAlike(ann, 'Gаrdеn', other);
    refuseRoomLookAlike(ann, 'Gardens');
    removeRoomFromMemory(store, other);
  });

  it('is refused beside what everybody has, though there is no such room', (t) => {
    const { user, room, session } = messageWorld(t);
    const ann = session(user('ann'), room('Lobby'));
    assert.throws(() => refuseRoomLookAlike(ann, 'Ma1l'), {
      code: 574,
      message: "'Ma1l' looks like 'Mail', which already exists.",
    });
  });

  it('is not named to those who may not know it', (t) => {
    const { user, room, session } = messageWorld(t);
    room('Garden', 0, { flags: ROOM_FLAG.preferredOnly });
    const ann = session(user('ann'), room('Lobby'));
    assert.throws(() => refuseRoomLookAlike(ann, 'Gаrdеn'), {
      code: 574,
      message: "'Gаrdеn' looks like a name that already exists.",
    });
  });

  it('may look like a private one: nobody is told that it is there', (t) => {
    const { user, room, session } = messageWorld(t);
    room('Garden', 0, { flags: ROOM_FLAG.private });
    refuseRoomLookAlike(session(user('boss', LEVEL.admin), room('Lobby')), 'Gаrdеn');
  });
});
