// MEMB tree: folders with all below them, removed, moved and copied as a whole.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { findFaults } from '../../../../src/backend/maintenance/check.ts';
import { sweepSome } from '../../../../src/backend/maintenance/removal.ts';
import type { StoredRoom } from '../../../../src/backend/store/records.ts';
import { searchNumbers } from '../../../../src/backend/store/search-index.ts';
import { memb } from '../../../../src/backend/verbs/collection/members.ts';
import { MAX_MEMBER_NAME_BYTES, MAX_TREE_MEMBERS } from '../../../../src/limits/backend.ts';
import { memberWorld } from '../../../support/member-world.ts';

const FILES = ['docs/', 'docs/a', 'docs/sub/', 'docs/sub/b', 'docs0', 'docs.txt'];

function treeWorld(t: TestContext) {
  const world = memberWorld(t);
  world.own(world.other);
  for (const name of FILES) world.put(world.files, { name, body: name === 'docs/a' ? 'findable' : name });
  /** what the verb answers */
  const tree = async (args: string, room: StoredRoom = world.files) => {
    const reply = await memb(world.inRoom(room), `tree|${args}`);
    return String(reply).split('\n')[1];
  };
  const namesIn = (room: StoredRoom) =>
    world
      .names(room)
      .map((each) => each.split(' ')[0]!)
      .sort();
  /** nothing is left over, and the counts are right */
  const isSound = () => {
    assert.deepEqual([...findFaults(world.w.store)], []);
    while (sweepSome(world.w.store));
    assert.deepEqual([...findFaults(world.w.store)], []);
  };
  return { ...world, tree, namesIn, isSound, store: world.w.store };
}

describe('MEMB tree', () => {
  it('removes a folder with all below it, and nothing else', async (t) => {
    const { tree, namesIn, isSound, ask, files, store } = treeWorld(t);
    const since = files.sequence;
    assert.equal(await tree('remove|docs/'), '0');
    assert.deepEqual(namesIn(files), ['docs.txt', 'docs0']);
    const gone = ask(files, `removed|${files.id}|${since}`).slice(1);
    assert.deepEqual(gone.map((row) => row.split('|')[1]).sort(), ['docs/', 'docs/a', 'docs/sub/', 'docs/sub/b']);
    assert.deepEqual([files.total, files.sequence], [2, since + 1]);
    isSound();
    assert.equal(Number(store.db.prepare('SELECT count(*) AS n FROM message').get()!.n), 2);
    assert.equal(await tree('remove|docs/'), '-8|0');
    assert.equal(await tree('remove|docs.txt'), '-8|0', 'no folder');
  });

  it('gives all below a folder new names, with their properties', async (t) => {
    const { tree, namesIn, isSound, ask, props, files } = treeWorld(t);
    props(files, 'set|docs/sub/b', 'DAV: color|red');
    const since = files.sequence;
    assert.equal(await tree('move|docs/||docs0/ü/|0'), '0');
    const names = ['docs.txt', 'docs0', 'docs0/ü/', 'docs0/ü/a', 'docs0/ü/sub/', 'docs0/ü/sub/b'];
    assert.deepEqual(namesIn(files), names);
    assert.equal(ask(files, 'list|||||||docs0/ü/').length, 3, 'listed in its folder');
    assert.deepEqual(props(files, 'of|docs0/ü/sub/b').slice(1), ['DAV: color|red']);
    assert.equal(ask(files, `changes|${files.id}|${since}`).length, 5);
    isSound();
  });

  it('copies it, in the room and to another one, where it is found by its words', async (t) => {
    const { tree, namesIn, isSound, props, files, other, store } = treeWorld(t);
    props(files, 'set|docs/a', 'DAV: color|red');
    assert.equal(await tree('copy|docs/||copy/|0'), '0');
    const copied = ['copy/', 'copy/a', 'copy/sub/', 'copy/sub/b'];
    assert.deepEqual(namesIn(files), [...copied, ...FILES].sort());
    assert.equal(await tree('copy|copy/|Other|there/|0'), '0');
    assert.deepEqual(namesIn(other), ['there/', 'there/a', 'there/sub/', 'there/sub/b']);
    assert.deepEqual(props(other, 'of|there/a').slice(1), ['DAV: color|red']);
    assert.equal(searchNumbers(store, [other], 'findable', 10).length, 1);
    assert.equal(searchNumbers(store, [files], 'findable', 10).length, 2);
    assert.equal(await tree('copy|copy/|Other|bare/|0|1'), '0');
    assert.ok(namesIn(other).includes('bare/') && !namesIn(other).includes('bare/a'));
    isSound();
  });

  it('takes it to another room, in the place of what is there', async (t) => {
    const { tree, put, namesIn, isSound, files, other, store } = treeWorld(t);
    for (const name of ['docs/', 'docs/old', 'file']) put(other, { name, body: 'old' });
    assert.match((await tree('move|docs/|Other|docs/|0'))!, /^-5\|/);
    assert.match((await tree('move|docs/|Other|file/|0'))!, /^-5\|/);
    assert.deepEqual(namesIn(files), FILES.toSorted());
    assert.equal(await tree('move|docs/|Other|docs/|1'), '0');
    assert.deepEqual(namesIn(files), ['docs.txt', 'docs0']);
    assert.deepEqual(namesIn(other), ['docs/', 'docs/a', 'docs/sub/', 'docs/sub/b', 'file']);
    assert.equal(searchNumbers(store, [other], 'findable', 10).length, 1);
    assert.equal(await tree('move|docs/sub/|Other|file/|1', other), '0');
    assert.deepEqual(namesIn(other), ['docs/', 'docs/a', 'file/', 'file/b']);
    isSound();
  });

  it('changes nothing where it cannot be done', async (t) => {
    const { tree, own, w, namesIn, isSound, files, board, inRoom } = treeWorld(t);
    own(board);
    assert.equal(await tree('move|docs/||docs/sub/c/|1'), '-7|0', 'into itself');
    assert.equal(await tree('move|docs/sub/||docs/|1'), '-7|0', 'in the place of what it lies in');
    assert.equal(await tree('move|docs/|Board|docs/|1'), '-3|0', 'no room of files');
    assert.equal(await tree('move|docs/||mailbox|1'), '-3|0');
    const room = MAX_MEMBER_NAME_BYTES - 'sub/b'.length - 1;
    assert.equal(await tree(`copy|docs/||${'n'.repeat(room + 1)}/|1`), '-3|0');
    assert.equal(await tree(`copy|docs/||${'n'.repeat(room)}/|1`), '0');
    assert.equal(await tree(`remove|${'n'.repeat(room)}/`), '0');
    assert.deepEqual(namesIn(files), FILES.toSorted());
    const stranger = w.session(w.user('ben'), files);
    assert.throws(() => memb(inRoom(files), 'tree|fell|docs/'), /no such question/);
    w.store.db.exec('UPDATE room SET flags2 = 0');
    assert.throws(() => memb(stranger, 'tree|move|docs/|nowhere|docs/|0'), /does not exist/);
    isSound();
  });

  it('sees that the folder has changed while it was copied', async (t) => {
    const { tree, put, namesIn, isSound, files, other } = treeWorld(t);
    for (let i = 0; i < 200; i++) put(files, { name: `docs/f${i}`, body: `${i}` });
    const copying = tree('copy|docs/|Other|docs/|0');
    put(files, { name: 'docs/late', body: 'late' });
    assert.equal(await copying, '-9|0');
    assert.deepEqual(namesIn(other), []);
    const again = tree('copy|docs/|Other|docs/|0');
    put(files, { name: 'elsewhere', body: 'of no concern' });
    assert.equal(await again, '0');
    assert.equal(namesIn(other).length, 205);
    isSound();
  });

  it('takes so many members, and no more', async (t) => {
    const { tree, files, store } = treeWorld(t);
    const fill = (from: number, to: number) =>
      store.db.exec(`WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
        INSERT INTO room_message (room, message, name, folder, component)
        SELECT ${files.id}, 1000000 + i, 'docs/' || i, 'docs/', '' FROM n`);
    store.db.exec('PRAGMA foreign_keys = OFF');
    fill(5, MAX_TREE_MEMBERS + 1);
    assert.equal(await tree('move|docs/||other/|0'), '-4|0');
    assert.equal(await tree('remove|docs/'), '-4|0');
    assert.equal(await tree('copy|docs/||other/|0'), '-4|0');
    store.db.exec(`DELETE FROM room_message WHERE message = ${1000000 + MAX_TREE_MEMBERS + 1}`);
    assert.equal(await tree('move|docs/||other/|0'), '0');
    assert.equal(await tree('remove|other/'), '0');
  });
});
