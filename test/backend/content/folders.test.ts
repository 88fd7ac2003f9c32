// A folder with all that lies below it, as the store has it: what belongs to it, and how it is taken, named and copied.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { sweepSome } from '../../../src/backend/maintenance/removal.ts';
import { propertiesOfMember, setProperty } from '../../../src/backend/store/dead-properties.ts';
import {
  dropTree,
  isStagedTwice,
  openStage,
  renameTree,
  stageSome,
  treeState,
  unstage,
} from '../../../src/backend/store/moving.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import { copyToRoom, isInRoom, messageByName, nameInRoom } from '../../../src/backend/store/references.ts';
import { BACKEND_MOVE_BYTES, MOVED_MESSAGE_BYTES } from '../../../src/limits/backend.ts';
import { VIEW } from '../../../src/model.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const { store } = w;
  const [files, other] = [w.room('Files', VIEW.files), w.room('Other', VIEW.files)];
  for (const name of ['d/', 'd/a', 'd/s/', 'd/s/b', 'd', 'd!', 'd0', 'D/x']) saveIn(w, files, { name });
  const from = { room: files.id, folder: 'd/' };
  const to = { room: other.id, folder: 'e/' };
  const rowsOf = (room: StoredRoom) =>
    store.prepare('SELECT name, folder FROM room_message WHERE room = ? ORDER BY name').all(room.id);
  const names = (room: StoredRoom) => rowsOf(room).map(({ name }) => String(name));
  const foldersOf = (room: StoredRoom) => Object.fromEntries(rowsOf(room).map(({ name, folder }) => [name, folder]));
  /** in pieces, to the end; answers how many */
  const stageAll = (stage: number, isShallow = false, numbers: [number, number][] = []) => {
    let pieces = 0;
    for (let after: string | undefined = ''; after !== undefined; pieces++) {
      const behind: string = after;
      after = store.transaction(() => stageSome(store, stage, from, to, behind, isShallow, numbers));
    }
    return pieces;
  };
  const assertSound = () => {
    while (sweepSome(store));
    assert.deepEqual([...findFaults(store)], []);
  };
  return { w, store, files, other, from, to, names, foldersOf, stageAll, assertSound };
}

describe('a folder', () => {
  it('is itself and what lies below it, by the letters of its name', (t) => {
    const { store, files, from } = world(t);
    assert.deepEqual({ ...treeState(store, from) }, { members: 4, sequence: 4, nameBytes: 5 });
    assert.deepEqual(
      { ...treeState(store, { room: files.id, folder: 'none/' }) },
      {
        members: 0,
        sequence: 0,
        nameBytes: 0,
      },
    );
  });

  it('has the length of its longest name in bytes', (t) => {
    const { w, store, files, from } = world(t);
    saveIn(w, files, { name: 'd/öö' });
    assert.equal(treeState(store, from).nameBytes, 6);
  });

  it('goes with the properties of what is below it, in one step of the room', (t) => {
    const { store, files, from, names, assertSound } = world(t);
    for (const member of ['d/a', 'd']) setProperty(store, files.id, { member, name: 'p' }, 'x');
    const { sequence } = files;
    store.transaction(() => dropTree(store, from));
    assert.deepEqual(names(files), ['D/x', 'd', 'd!', 'd0']);
    assert.deepEqual([files.total, files.sequence], [4, sequence + 1]);
    assert.equal(propertiesOfMember(store, files.id, 'd/a').length, 0);
    assert.equal(propertiesOfMember(store, files.id, 'd').length, 1);
    assertSound();
  });

  it('gets another name, and all below it is listed there', (t) => {
    const { store, files, from, foldersOf, assertSound } = world(t);
    setProperty(store, files.id, { member: 'd/a', name: 'p' }, 'x');
    store.transaction(() => renameTree(store, from, 'n/ö/'));
    const { 'n/ö/': itself, 'n/ö/a': a, 'n/ö/s/': sub, 'n/ö/s/b': b, ...others } = foldersOf(files);
    assert.deepEqual([itself, a, sub, b], ['n/', 'n/ö/', 'n/ö/', 'n/ö/s/']);
    assert.deepEqual(Object.keys(others).sort(), ['D/x', 'd', 'd!', 'd0']);
    assert.equal(propertiesOfMember(store, files.id, 'n/ö/a').length, 1);
    assertSound();
  });
});

describe('copies of a folder', () => {
  it('are seen in the room when they are all there', (t) => {
    const { store, files, other, from, to, names, stageAll, foldersOf, assertSound } = world(t);
    setProperty(store, files.id, { member: 'd/s/b', name: 'p' }, 'x');
    const stage = openStage(store);
    stageAll(stage);
    assert.deepEqual([names(other), other.total], [[], 0]);
    store.transaction(() => unstage(store, stage, from, to, false));
    assert.deepEqual(foldersOf(other), { 'e/': '', 'e/a': 'e/', 'e/s/': 'e/', 'e/s/b': 'e/s/' });
    assert.deepEqual([other.total, propertiesOfMember(store, other.id, 'e/s/b').length], [4, 1]);
    assert.equal(messageByName(store, other.id, 'e/a'), messageByName(store, files.id, 'd/a'), 'stored once');
    assertSound();
  });

  it('are the folder alone where that is wanted', (t) => {
    const { store, files, other, from, to, names, stageAll, assertSound } = world(t);
    for (const member of ['d/', 'd/a']) setProperty(store, files.id, { member, name: 'p' }, member);
    const stage = openStage(store);
    assert.equal(stageAll(stage, true), 1);
    store.transaction(() => unstage(store, stage, from, to, true));
    assert.deepEqual(names(other), ['e/']);
    assert.equal(propertiesOfMember(store, other.id, 'e/').length, 1);
    assert.equal(propertiesOfMember(store, other.id, 'e/a').length, 0);
    assertSound();
  });

  it('are other messages where the room has these already', (t) => {
    const { store, files, other, from, to, stageAll, assertSound } = world(t);
    const a = messageByName(store, files.id, 'd/a')!;
    store.transaction(() => copyToRoom(store, files.id, other.id, [a]));
    const stage = openStage(store);
    const numbers: [number, number][] = [];
    stageAll(stage, false, numbers);
    assert.equal(isStagedTwice(store, stage, other.id), false);
    store.transaction(() => unstage(store, stage, from, to, false));
    assert.notEqual(messageByName(store, other.id, 'e/a'), a);
    for (const [there, here] of numbers) {
      const name = nameInRoom(store, files.id, there).replace('d/', 'e/');
      assert.equal(messageByName(store, other.id, name), here);
    }
    assert.equal(numbers.length, 4);
    assert.equal(isInRoom(store, other.id, a), true);
    assertSound();
  });

  it('are known to have come into the room meanwhile', (t) => {
    const { store, files, other, stageAll } = world(t);
    const stage = openStage(store);
    stageAll(stage);
    const a = messageByName(store, files.id, 'd/a')!;
    store.transaction(() => copyToRoom(store, files.id, other.id, [a]));
    assert.equal(isStagedTwice(store, stage, other.id), true);
  });

  it('are made BACKEND_MOVE_BYTES at a time', (t) => {
    const { w, store, files, stageAll } = world(t);
    const atOnce = BACKEND_MOVE_BYTES / MOVED_MESSAGE_BYTES;
    assert.equal(stageAll(openStage(store)), 1);
    for (let i = 4; i < atOnce - 1; i++) saveIn(w, files, { name: `d/${i}` });
    assert.equal(stageAll(openStage(store)), 1, 'one less than may be at once');
    for (const name of ['d/y', 'd/z']) saveIn(w, files, { name });
    assert.equal(stageAll(openStage(store)), 2, 'one more');
    saveIn(w, files, { name: 'd/00', text: 'x'.repeat(BACKEND_MOVE_BYTES) });
    assert.equal(stageAll(openStage(store)), 3, 'a long one ends its turn');
  });
});
