// Which rooms refer to a message, under which name, and when it goes.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { propertiesOfMember, setProperty } from '../../../src/backend/store/dead-properties.ts';
import { messageByNumber } from '../../../src/backend/store/messages.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import {
  addToRoom,
  copyToRoom,
  euidIn,
  folderOf,
  isInRoom,
  messageByEuid,
  messageByName,
  moveToRoom,
  nameInRoom,
  removeFromRoom,
  removeOldest,
  renameInRoom,
} from '../../../src/backend/store/references.ts';
import { VIEW } from '../../../src/model.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const [files, other, calendar] = [
    w.room('Files', VIEW.files),
    w.room('Other', VIEW.files),
    w.room('C', VIEW.calendar),
  ];
  const isThere = (msgnum: number) => messageByNumber(w.store, msgnum) !== undefined;
  const state = ({ total, highest, sequence }: StoredRoom) => [total, highest, sequence];
  const assertSound = () => assert.deepEqual([...findFaults(w.store)], []);
  return { ...w, w, files, other, calendar, isThere, state, assertSound };
}

describe('the folder of a member', () => {
  it('is what stands before its last slash, but for one at its end', () => {
    for (const [name, folder] of [
      ['docs/2026/a.txt', 'docs/2026/'],
      ['docs/', ''],
      ['docs/2026/', 'docs/'],
      ['a', ''],
      ['', ''],
    ] as const) {
      assert.equal(folderOf(name), folder, name);
    }
  });
});

describe('a message in a room', () => {
  it('is there once, and the room counts it', (t) => {
    const { store, w, files, other, state } = world(t);
    const a = saveIn(w, files, { name: 'a' });
    assert.deepEqual(state(files), [1, a, 1]);
    assert.equal(addToRoom(store, files.id, a, ''), false);
    assert.equal(addToRoom(store, other.id, a, ''), true);
    assert.deepEqual(
      [state(files), state(other)],
      [
        [1, a, 1],
        [1, a, 1],
      ],
    );
    assert.equal(nameInRoom(store, other.id, a), 'a');
  });

  it('replaces the one with its UID, whose name it gets where it has none of its own', (t) => {
    const { store, w, calendar, isThere, state } = world(t);
    const old = saveIn(w, calendar, { euid: 'u', name: 'mine.ics' });
    const next = saveIn(w, calendar, { euid: 'u' });
    assert.deepEqual([isThere(old), nameInRoom(store, calendar.id, next)], [false, 'mine.ics']);
    const last = saveIn(w, calendar, { euid: 'u', name: 'own.ics' });
    assert.equal(messageByName(store, calendar.id, 'own.ics'), last);
    assert.equal(messageByName(store, calendar.id, 'mine.ics'), undefined);
    assert.deepEqual(
      [messageByEuid(store, calendar.id, 'u'), messageByEuid(store, calendar.id, 'U')],
      [last, undefined],
    );
    assert.deepEqual([euidIn(store, calendar.id, last), euidIn(store, calendar.id, old)], ['u', undefined]);
    assert.equal(state(calendar)[0], 1);
  });

  it('has no name where another one has it, until that goes', (t) => {
    const { store, w, files } = world(t);
    const [first, second, third] = [1, 2, 3].map(() => saveIn(w, files, { name: 'a' })) as [number, number, number];
    assert.deepEqual(
      [first, second, third].map((msgnum) => nameInRoom(store, files.id, msgnum)),
      ['a', '', ''],
    );
    removeFromRoom(store, files.id, [first]);
    assert.equal(messageByName(store, files.id, 'a'), second);
    renameInRoom(store, files.id, { message: second, name: 'a' }, 'b');
    assert.equal(messageByName(store, files.id, 'a'), third);
  });

  it('takes the name from another one where it may', (t) => {
    const { store, w, files, isThere } = world(t);
    const first = saveIn(w, files, { name: 'a' });
    setProperty(store, files.id, { member: 'a', name: 'p' }, 'x');
    const second = saveIn(w, files, { name: 'a', mayReplace: true });
    assert.deepEqual([isThere(first), messageByName(store, files.id, 'a')], [false, second]);
    assert.equal(propertiesOfMember(store, files.id, 'a').length, 1, 'properties belong to the name');
  });
});

describe('a message that is taken out of a room', () => {
  it('stays in the others, and goes with the last', (t) => {
    const { store, w, files, other, isThere, assertSound } = world(t);
    const a = saveIn(w, [files, other], { name: 'a' });
    setProperty(store, files.id, { member: 'a', name: 'p' }, 'x');
    assert.equal(removeFromRoom(store, files.id, [a, 99]), 1);
    assert.deepEqual(
      [isThere(a), isInRoom(store, files.id, a), propertiesOfMember(store, files.id, 'a')],
      [true, false, []],
    );
    assert.equal(removeFromRoom(store, files.id, [a]), 0);
    assert.equal(removeFromRoom(store, other.id, [a]), 1);
    assert.equal(isThere(a), false);
    assertSound();
  });

  it('may be one of the oldest', (t) => {
    const { store, w, files, isThere, state } = world(t);
    const all = [1, 2, 3].map(() => saveIn(w, files));
    removeOldest(store, files.id, 2);
    assert.deepEqual(all.map(isThere), [false, false, true]);
    removeOldest(store, files.id, 5);
    assert.deepEqual(state(files).slice(0, 2), [0, 0]);
  });
});

describe('messages that are copied and moved', () => {
  it('keep a name that they were given, with their properties', (t) => {
    const { store, w, files, other } = world(t);
    const [a, plain] = [saveIn(w, files, { name: 'a' }), saveIn(w, files)];
    renameInRoom(store, files.id, { message: a, name: 'a' }, 'given');
    setProperty(store, files.id, { member: 'given', name: 'p' }, 'x');
    copyToRoom(store, files.id, other.id, [a, plain, 99]);
    assert.deepEqual([nameInRoom(store, other.id, a), other.total], ['given', 2]);
    assert.equal(propertiesOfMember(store, other.id, 'given').length, 1);
  });

  it('are in the new room alone when they have moved', (t) => {
    const { store, w, files, other, isThere } = world(t);
    const a = saveIn(w, files, { name: 'a' });
    moveToRoom(store, files.id, other.id, [a]);
    assert.deepEqual([isThere(a), isInRoom(store, files.id, a), nameInRoom(store, other.id, a)], [true, false, 'a']);
  });

  it('leave no history of a page behind in another wiki room', (t) => {
    const { store, w, room, assertSound } = world(t);
    const [wiki, second] = [room('Wiki', VIEW.wiki), room('Second', VIEW.wiki)];
    saveIn(w, wiki, { euid: 'home', text: 'one\n' });
    const last = saveIn(w, wiki, { euid: 'home', text: 'two\n' });
    moveToRoom(store, wiki.id, second.id, [last]);
    const revisions = (id: number) => store.prepare('SELECT 1 FROM wiki_revision WHERE room = ?').all(id).length;
    assert.deepEqual([revisions(wiki.id), revisions(second.id)], [0, 2]);
    assertSound();
  });
});
