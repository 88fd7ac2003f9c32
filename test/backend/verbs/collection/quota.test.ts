// MEMB quota: what a room, or the whole server, takes, and what is left.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { StoredRoom } from '../../../../src/backend/store/records.ts';
import { copyToRoom, removeFromRoom } from '../../../../src/backend/store/references.ts';
import { memb } from '../../../../src/backend/verbs/collection/members.ts';
import { BACKEND_LIST_PAGE_ROWS } from '../../../../src/limits/backend.ts';
import { memberWorld } from '../../../support/member-world.ts';

function world(t: TestContext) {
  const members = memberWorld(t);
  const told = (room: StoredRoom, args = '') => {
    const [status, row, end] = members.ask(room, `quota${args}`);
    assert.match(status!, /^100 /);
    assert.equal(end, undefined);
    const [used, available] = row!.split('|').map(Number);
    return { used: used!, available: available! };
  };
  const saved = (room: StoredRoom, name: string, body: string) => Number(members.put(room, { name, body }));
  return { ...members, told, saved };
}

describe('the quota of a room', () => {
  it('is what its messages take, those that lie in other rooms, too', (t) => {
    const { told, saved, files, other, w } = world(t);
    assert.equal(told(files).used, 0);
    const long = saved(files, 'a', 'x'.repeat(30_000));
    const one = told(files).used;
    assert.ok(one >= 30_000 && one < 50_000, String(one));
    saved(files, 'b', 'y'.repeat(30_000));
    assert.equal(told(files).used, 2 * one);
    w.store.transaction(() => copyToRoom(w.store, files.id, other.id, [long]));
    assert.equal(told(other).used, one);
    removeFromRoom(w.store, files.id, [long]);
    assert.equal(told(files).used, one);
  });

  it('counts more messages than one page', (t) => {
    const { told, saved, files, w } = world(t);
    const count = BACKEND_LIST_PAGE_ROWS + 1;
    const first = saved(files, 'a', 'same');
    const { used } = told(files);
    w.store.db.exec('PRAGMA foreign_keys = OFF');
    w.store.db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
      INSERT INTO message (msgid, time, format, author, path, room, blob, parts)
      SELECT i || '@x', time, format, author, path, room, blob, parts FROM n, message WHERE id = ${first}`);
    w.store.db.exec(`INSERT INTO room_message (room, message, name, folder, component)
      SELECT ${files.id}, id, 'n' || id, '', '' FROM message WHERE id > ${first}`);
    assert.equal(told(files).used, count * used);
  });

  it('is for users who may read it', (t) => {
    const { ask, w, files } = world(t);
    assert.match(ask(w.room('Closed'), 'quota')[0]!, /^550 /);
    assert.throws(() => memb(w.session(undefined, files), 'quota'), { code: 520 });
    assert.throws(() => memb(w.session(undefined, files), 'quota|all'), { code: 520 });
  });
});

describe('the quota of the server', () => {
  it('is what the database takes, wherever one stands', (t) => {
    const { told, saved, files, w } = world(t);
    const closed = w.room('Closed');
    const before = told(closed, '|all').used;
    saved(files, 'a', 'x'.repeat(300_000));
    const after = told(closed, '|all');
    assert.ok(after.used >= before + 300_000, `${before} and now ${after.used}`);
    assert.ok(after.available > 0);
  });
});
