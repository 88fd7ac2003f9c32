// The schema: that of an older release becomes this one's, and the numbers in it are what their names say.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { CONTENT_STATE, MIGRATIONS, ROOM_STATE } from '../../../src/backend/store/schema.ts';
import { databaseFile, openStore } from '../../../src/backend/store/store.ts';
import { refuseAddressOfOther, userById } from '../../../src/backend/store/users.ts';

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'schema-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database as the release with this schema version made it. */
function makeOld(folder: string, version: number, more = ''): void {
  const db = new DatabaseSync(databaseFile(folder));
  for (const name of ['account_name', 'kept_password', 'look_key', 'user_look_key']) db.function(name, (text) => text);
  for (const sql of MIGRATIONS.slice(0, version)) db.exec(sql);
  db.exec(`PRAGMA user_version = ${version}; ${more}`);
  db.close();
}

/** Tables and indexes with their columns, as SQLite sees them. */
function shapeOf(folder: string): string {
  const store = openStore(folder);
  const rows = store.db.prepare('SELECT type, name, tbl_name FROM sqlite_master ORDER BY type, name').all();
  const columns = rows.map(({ name }) =>
    store.db
      .prepare('SELECT * FROM pragma_table_xinfo(?)')
      .all(name as string)
      .map((row) => ({ ...row, cid: 0 })),
  );
  store.close();
  return JSON.stringify([rows, columns]);
}

describe('the migrations', () => {
  it('lead from every version to the same schema', (t) => {
    const fresh = shapeOf(newFolder(t));
    for (let version = 1; version < MIGRATIONS.length; version++) {
      const folder = newFolder(t);
      makeOld(folder, version);
      assert.equal(shapeOf(folder), fresh, `from version ${version}`);
    }
  });

  it('let nobody have a name that an address of somebody else stands for already', (t) => {
    const folder = newFolder(t);
    const before = MIGRATIONS.findIndex((sql) => sql.includes('user_address_account'));
    const user =
      "INSERT INTO user (id, name, key, level, flags, created, last_call) VALUES (7, 'Ann', 'ann', 4, 0, 1, 1)";
    const address = "INSERT INTO user_address (address, user, position) VALUES ('al.ice@vm', 7, 0)";
    makeOld(folder, before, `${user}; ${address}`);
    const store = openStore(folder);
    t.after(() => store.close());
    assert.throws(() => refuseAddressOfOther(store, 'Alice'), /already exists as a mail address/);
    refuseAddressOfOther(store, 'Alice', userById(store, 7));
    refuseAddressOfOther(store, 'Al');
  });

  it('bring messages of an older release over with their rooms', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'store-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const db = new DatabaseSync(join(folder, 'vestibule.db'));
    db.function('kept_password', (text) => text);
    db.function('look_key', (text) => text);
    db.function('user_look_key', (text) => text);
    const before = MIGRATIONS.findIndex((sql) => sql.includes('removed_member'));
    for (const sql of MIGRATIONS.slice(0, before)) db.exec(sql);
    db.exec(`PRAGMA user_version = ${before};
      INSERT INTO floor (num, name, key) VALUES (0, 'Main', 'main');
      INSERT INTO room (id, name, key, flags, floor, sort_order, view, created, changed, highest, total)
        VALUES (5, 'Box', 'box', 0, 0, 0, 0, 1, 1, 7, 1);
      INSERT INTO blob (id, size, complete, hash) VALUES (1, 5, 1, x'00');
      INSERT INTO chunk (blob, seq, data) VALUES (1, 0, x'706c61696e');
      INSERT INTO message (id, msgid, time, format, author, path, room, blob, parts)
        VALUES (7, 'id@x', 1, 1, 'a', 'a', 'Box', 1, '');
      INSERT INTO room_message (room, message) VALUES (5, 7)`);
    db.close();
    const store = openStore(folder);
    const row = store.db.prepare('SELECT name, sequence, component FROM room_message').get();
    assert.deepEqual({ ...row }, { name: '', sequence: 0, component: null });
    assert.deepEqual(
      { ...store.db.prepare('SELECT sequence, changes_from FROM room').get() },
      { sequence: 0, changes_from: 0 },
    );
    store.close();
  });
});

it('what is complete, arriving or removed is told apart by indexes that name these numbers', (t) => {
  const store = openStore(newFolder(t));
  t.after(() => store.close());
  const plan = (sql: string) =>
    store.db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join();
  const { there, removed } = ROOM_STATE;
  assert.match(plan(`SELECT id FROM room WHERE dropped <> ${there} AND dropped = ${removed}`), /room_dropped/);
  assert.match(plan(`SELECT id FROM room_file WHERE complete = ${CONTENT_STATE.removed}`), /room_file_removed/);
  assert.match(
    plan(`SELECT id FROM blob WHERE complete <> ${CONTENT_STATE.complete} AND complete = ${CONTENT_STATE.arriving}`),
    /blob_incomplete/,
  );
});
