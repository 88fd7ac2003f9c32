// A copy of a database in one file.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { backUp } from '../../../src/backend/maintenance/backup.ts';
import { makeSessionKey, storeAppPassword } from '../../../src/backend/store/keys.ts';
import { nextNumber } from '../../../src/backend/store/messages.ts';
import { BACKUP_NUMBER_GAP } from '../../../src/limits/backend.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const file = join(w.store.folder, 'kept', 'backup.db');
  mkdirSync(join(w.store.folder, 'kept'));
  const open = () => {
    const db = new DatabaseSync(file, { readOnly: true });
    t.after(() => db.close());
    return (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)[0]);
  };
  return { w, store: w.store, file, beside: () => readdirSync(join(w.store.folder, 'kept')), open };
}

describe('a backup', () => {
  it('is one file for its owner alone, and tells how much is in it', (t) => {
    const { w, store, file, beside, open } = world(t);
    for (let i = 0; i < 3; i++) saveIn(w, w.room('Box'));
    const { rooms, messages, bytes } = backUp(store.folder, file);
    assert.deepEqual([rooms, messages, bytes], [3, 3, statSync(file).size]);
    assert.deepEqual([statSync(file).mode & 0o777, beside()], [0o600, ['backup.db']]);
    const query = open();
    assert.deepEqual(query('PRAGMA integrity_check'), ['ok']);
    assert.deepEqual(query('SELECT count(*) FROM message'), [3]);
  });

  it('gives numbers that were never given, when it is put back', (t) => {
    const { w, store, file, open } = world(t);
    const box = w.room('Box');
    const last = saveIn(w, box);
    backUp(store.folder, file);
    const query = open();
    assert.deepEqual(query("SELECT seq FROM sqlite_sequence WHERE name = 'message'"), [last + BACKUP_NUMBER_GAP]);
    const gap = 1 + BACKUP_NUMBER_GAP;
    assert.deepEqual(query("SELECT sequence FROM room WHERE key = 'box'"), [gap]);
    assert.deepEqual(query("SELECT changes_from FROM room WHERE key = 'box'"), [gap]);
    assert.deepEqual([nextNumber(store), box.sequence], [last + 1, 1], 'here nothing changes');
  });

  it('has no session keys, not even in what is left of deleted rows', (t) => {
    const { w, store, file, open } = world(t);
    makeSessionKey(store, w.user('ann').id);
    const hash = String(store.prepare('SELECT hash FROM session_key').get()!.hash);
    backUp(store.folder, file);
    assert.deepEqual(open()('SELECT hash FROM session_key'), []);
    assert.ok(!readFileSync(file, 'latin1').includes(hash));
    assert.equal(store.prepare('SELECT count(*) AS n FROM session_key').get()!.n, 1);
  });

  it('has app passwords, as it has passwords: by their hashes', (t) => {
    const { w, store, file, open } = world(t);
    const { secret } = storeAppPassword(store, { user: w.user('ann').id, name: 'phone', scope: 'dav', room: null });
    backUp(store.folder, file);
    assert.deepEqual(open()('SELECT name FROM app_password'), ['phone']);
    assert.ok(!readFileSync(file, 'latin1').includes(secret));
  });

  it('never writes over a file', (t) => {
    const { store, file } = world(t);
    writeFileSync(file, 'mine');
    assert.throws(() => backUp(store.folder, file), {
      code: 'conflict',
      message: `${file} exists already; nothing was written.`,
    });
    assert.equal(readFileSync(file, 'utf8'), 'mine');
  });

  it('takes over what one that was broken off has left', (t) => {
    const { store, file, beside } = world(t);
    writeFileSync(`${file}.unfinished`, 'half of a database');
    backUp(store.folder, file);
    assert.deepEqual(beside(), ['backup.db']);
  });

  it('leaves nothing where it cannot be written, and says why', (t) => {
    const { store, file, beside } = world(t);
    const elsewhere = join(file, '..', 'none', 'x.db');
    assert.throws(() => backUp(store.folder, elsewhere), {
      message: `The backup ${elsewhere} cannot be written: no such file or folder; name another file.`,
    });
    const empty = join(store.folder, 'kept');
    assert.throws(() => backUp(empty, file), { code: 'not_found', message: /^There is no database / });
    assert.deepEqual([beside(), existsSync(elsewhere)], [[], false]);
  });
});
