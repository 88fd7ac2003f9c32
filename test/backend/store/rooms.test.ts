// Rooms by name, number and macro, and what is changed of them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AIDE_ROOM_KEY,
  baseRoom,
  createRoom,
  findRoom,
  forgetChanges,
  fullName,
  isServerRoom,
  personalKey,
  roomById,
  roomByName,
  shownName,
  updateRoom,
  updateRoomContents,
  withoutMacro,
} from '../../../src/backend/store/rooms.ts';
import type { StoreChanges } from '../../../src/backend/store/store.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { ROOM_FLAG } from '../../../src/model.ts';
import { messageWorld } from '../../support/message-session.ts';

describe('a room is found', () => {
  it('by its full name in any case, and by its number', (t) => {
    const { store, room } = messageWorld(t);
    const box = room('Große Kiste');
    for (const name of ['Große Kiste', 'GROßE KISTE']) assert.equal(roomByName(store, name), box, name);
    assert.equal(roomById(store, box.id), box);
    assert.equal(roomByName(store, 'Kiste'), undefined);
    assert.equal(roomById(store, 99), undefined);
  });

  it('with letters composed in another way, or other blanks, where a user says it', (t) => {
    const { store, room } = messageWorld(t);
    const cafe = room('Café Bar');
    for (const name of ['Cafe\u0301 Bar', 'Café  Bar', 'Café\u00a0Bar']) {
      assert.equal(findRoom(store, undefined, name), cafe, JSON.stringify(name));
    }
  });

  it('by macro and short name as the user’s own, before one of all', (t) => {
    const { store, user, room } = messageWorld(t);
    const [ann, bob] = [user('ann'), user('bob')];
    const shared = room('Calendar');
    const own = personalRoom(store, ann, 'Calendar');
    for (const name of ['Calendar', '_CALENDAR_', '_calendar_']) assert.equal(findRoom(store, ann, name), own, name);
    assert.equal(findRoom(store, undefined, 'Calendar'), shared);
    assert.equal(findRoom(store, bob, fullName(own)), own, 'rights are looked at elsewhere');
    assert.equal(findRoom(store, ann, '_BASEROOM_'), baseRoom(store));
    assert.equal(findRoom(store, undefined, '_MAIL_'), undefined);
    assert.deepEqual(
      [withoutMacro('_MAIL_'), withoutMacro('_Drafts_'), withoutMacro('_x_')],
      ['Mail', 'Drafts', '_x_'],
    );
  });
});

describe('the name of a room', () => {
  it('of somebody has his number in front, for others', (t) => {
    const { store, user, room } = messageWorld(t);
    const [ann, bob] = [user('ann'), user('bob')];
    const mail = personalRoom(store, ann, 'Mail');
    const full = `${String(ann.id).padStart(10, '0')}.Mail`;
    assert.deepEqual([fullName(mail), mail.key, mail.name], [full, personalKey(ann.id, 'mail'), 'Mail']);
    assert.deepEqual([shownName(mail, ann), shownName(mail, bob), shownName(mail, undefined)], ['Mail', full, full]);
    assert.equal(shownName(room('Lobby'), ann), 'Lobby');
  });

  it('changes with its key, and the old one is free', (t) => {
    const { store, user, room } = messageWorld(t);
    const box = room('Box');
    updateRoom(store, box, { name: 'Chest' });
    assert.deepEqual([roomByName(store, 'chest'), roomByName(store, 'box')], [box, undefined]);
    const own = personalRoom(store, user('ann'), 'Notes');
    updateRoom(store, own, { name: 'Zettel' });
    assert.equal(roomByName(store, fullName(own)), own);
    assert.match(fullName(own), /^\d{10}\.Zettel$/);
  });
});

describe('a new room', () => {
  it('stands where it is told, and in the middle unless told', (t) => {
    const { store, user } = messageWorld(t);
    const ann = user('ann');
    const shared = createRoom(store, { name: 'A', flags: 0, view: 3 });
    const own = createRoom(store, { name: 'A', flags: 0, view: 3, owner: ann.id });
    assert.deepEqual([shared.order, own.order, shared.view], [64, 0, 3]);
    assert.equal(shared.flags, ROOM_FLAG.inUse);
    assert.notEqual(shared.id, own.id);
    assert.equal(createRoom(store, { name: 'B', flags: 0, view: 0, order: 5 }).order, 5);
  });

  it('of a name that is taken is none, and changes nothing', (t) => {
    const { store, room } = messageWorld(t);
    const box = room('Box');
    assert.throws(() => createRoom(store, { name: 'BOX', flags: 0, view: 0 }));
    assert.equal(roomByName(store, 'box'), box);
  });
});

describe('a change of a room', () => {
  it('is told to all who list rooms, one of its content to those in it', (t) => {
    const { store, room } = messageWorld(t);
    const box = room('Box');
    const told: StoreChanges[] = [];
    store.onChanges = (changes) => told.push(changes);
    updateRoom(store, box, { flags: 2 });
    updateRoom(store, box, { infoMessage: 7, changed: 1 });
    assert.deepEqual(
      told.map(({ rooms, listsOf }) => [[...rooms], [...listsOf]]),
      [
        [[box.id], ['all']],
        [[box.id], []],
      ],
    );
  });

  it('of its messages counts on its generation, also when it is taken back', (t) => {
    const { store, room } = messageWorld(t);
    const box = room('Box');
    const contents = { highest: 5, total: 1, changed: 9, sequence: 1 };
    const { generation, highest } = box;
    assert.throws(() =>
      store.transaction(() => {
        updateRoomContents(store, box.id, contents);
        assert.equal(box.highest, 5);
        throw new Error('x');
      }),
    );
    assert.equal(box.highest, highest);
    assert.ok(box.generation > generation, 'what was counted in between is not taken for true');
    store.transaction(() => updateRoomContents(store, box.id, contents));
    assert.deepEqual([box.highest, box.total, box.changed, box.sequence], [5, 1, 9, 1]);
  });

  it('that is no longer known does not become known again', (t) => {
    const { store, room } = messageWorld(t);
    const box = room('Box');
    for (const upTo of [3, 2]) store.transaction(() => forgetChanges(store, box.id, upTo));
    assert.equal(box.changesFrom, 3);
    assert.equal(store.prepare('SELECT changes_from FROM room WHERE id = ?').get(box.id)!.changes_from, 3);
    store.transaction(() => forgetChanges(store, 999, 5));
  });
});

it('the rooms of the server are those that keep their names', (t) => {
  const { store, room } = messageWorld(t);
  room('Trashcan');
  assert.deepEqual(
    ['Lobby', 'Aide', 'Trashcan', 'Box'].map((name) => isServerRoom(room(name))),
    [true, true, true, false],
  );
  assert.equal(roomByName(store, AIDE_ROOM_KEY)?.name, 'Aide');
});
