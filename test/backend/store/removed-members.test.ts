// Members that are gone, for those who ask what has changed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noteRemoved, pruneRemoved } from '../../../src/backend/store/rooms.ts';
import { BACKEND_LIST_PAGE_ROWS, MAX_KEPT_CHANGES } from '../../../src/limits/backend.ts';
import { now } from '../../../src/system/clock.ts';
import { memberWorld } from '../../support/member-world.ts';
import { messageWorld } from '../../support/message-session.ts';

describe('removed members', () => {
  it('are forgotten after some time, and so is what changed until then', (t) => {
    const { put, ask, files, w } = memberWorld(t);
    const start = now();
    put(files, { name: 'a', body: '1' });
    put(files, { name: 'a', body: '2' });
    assert.equal(pruneRemoved(w.store, start), false);
    assert.match(ask(files, `removed|${files.id}|1`)[0]!, /^100 /);
    assert.equal(pruneRemoved(w.store, now() + 1), false);
    assert.match(ask(files, `changes|${files.id}|1`)[0]!, /^576 /);
    assert.match(ask(files, `changes|${files.id}|2`)[0]!, /^100 /);
    const kept = w.store.db.prepare('SELECT changes_from FROM room WHERE id = ?').get(files.id)!.changes_from;
    assert.equal(kept, 2);
  });

  it('are known by their names, or by their numbers where they had none', (t) => {
    const { store, room } = messageWorld(t);
    const { id } = room('Box');
    noteRemoved(store, id, 1, [
      { message: 5, name: '' },
      { message: 6, name: 'a' },
    ]);
    const rows = store.prepare('SELECT message, name FROM removed_member WHERE room = ? ORDER BY message').all(id);
    assert.deepEqual(
      rows.map(({ message, name }) => [message, name]),
      [
        [5, '5'],
        [6, 'a'],
      ],
    );
  });

  it('are known for MAX_KEPT_CHANGES changes of their room', (t) => {
    const { store, room } = messageWorld(t);
    const [box, other] = [room('Box'), room('Other')];
    const known = () => store.prepare('SELECT room, sequence FROM removed_member ORDER BY room, sequence').all().length;
    for (const { id } of [box, other]) noteRemoved(store, id, 1, [{ message: 1, name: 'a' }]);
    noteRemoved(store, box.id, MAX_KEPT_CHANGES, [{ message: 2, name: 'b' }]);
    assert.deepEqual([known(), box.changesFrom], [3, 0]);
    noteRemoved(store, box.id, MAX_KEPT_CHANGES + 1, [{ message: 3, name: 'c' }]);
    assert.deepEqual([known(), box.changesFrom, other.changesFrom], [3, 1, 0]);
  });

  it('are forgotten a page at a time, the oldest first', (t) => {
    const { store, room } = messageWorld(t);
    const { id } = room('Box');
    const members = Array.from({ length: BACKEND_LIST_PAGE_ROWS + 1 }, (_, i) => ({ message: i + 1, name: '' }));
    const start = now();
    store.transaction(() => noteRemoved(store, id, 1, members));
    const left = () => Number(store.prepare('SELECT count(*) AS n FROM removed_member').get()!.n);
    assert.equal(pruneRemoved(store, start), false);
    assert.equal(left(), members.length, 'what has just gone is known');
    assert.equal(pruneRemoved(store, now() + 1), true);
    assert.equal(left(), 1);
    assert.equal(pruneRemoved(store, now() + 1), false);
    assert.equal(left(), 0);
  });
});
