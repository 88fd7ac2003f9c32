import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { createServerRooms } from '../../../src/backend/maintenance/bootstrap.ts';
import { finishedBody } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { createRoom, roomByName, roomsOnFloors, updateRoom } from '../../../src/backend/store/rooms.ts';
import { MIGRATIONS } from '../../../src/backend/store/schema.ts';
import { openStore, type Store } from '../../../src/backend/store/store.ts';
import { createUser, findUser, updateUser } from '../../../src/backend/store/users.ts';
import { updateVisit, visitOf } from '../../../src/backend/store/visits.ts';

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function newStore(t: TestContext): Promise<Store> {
  const store = openStore(await newFolder(t));
  t.after(() => store.close());
  createServerRooms(store);
  return store;
}

describe('a data folder', () => {
  it('belongs to one server at a time and is free again when it closes', async (t) => {
    const folder = await newFolder(t);
    const store = openStore(folder);
    assert.throws(() => openStore(folder), /is in use by another server/);
    store.close();
    openStore(folder).close();
  });

  it('is locked against other processes, and free again when one is killed', async (t) => {
    const folder = await newFolder(t);
    const module = new URL('../../../src/backend/store/store.ts', import.meta.url).href;
    const open = `const { openStore } = await import(${JSON.stringify(module)}); openStore(${JSON.stringify(folder)});`;
    const run = (script: string) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const store = openStore(folder);
    assert.match(run(open).stderr, /is in use by another server/);
    store.close();
    assert.equal(run(`${open} process.kill(process.pid, 'SIGKILL');`).signal, 'SIGKILL');
    openStore(folder).close();
  });

  it('of a newer release is refused and left alone', async (t) => {
    const folder = await newFolder(t);
    openStore(folder).close();
    const db = new DatabaseSync(join(folder, 'vestibule.db'));
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    db.close();
    assert.throws(() => openStore(folder), /newer release/);
  });

  it('of the release before is brought up to this one', async (t) => {
    const folder = await newFolder(t);
    const db = new DatabaseSync(join(folder, 'vestibule.db'));
    db.exec(`${MIGRATIONS[0]}; PRAGMA user_version = 1`);
    db.close();
    const store = openStore(folder);
    assert.equal(Number(store.db.prepare('PRAGMA user_version').get()?.user_version), MIGRATIONS.length);
    assert.deepEqual(store.db.prepare('SELECT * FROM brought, brought_message').all(), []);
    store.close();
  });

  it('loses bodies that were never completed when it is opened', async (t) => {
    const folder = await newFolder(t);
    const store = openStore(folder);
    store.db.exec('INSERT INTO blob (id, size, complete) VALUES (1, 3, 0), (2, 3, 1)');
    store.db.exec("INSERT INTO chunk (blob, seq, data) VALUES (1, 0, x'616263'), (2, 0, x'616263')");
    store.close();
    const again = openStore(folder);
    assert.deepEqual(
      again.db
        .prepare('SELECT blob FROM chunk')
        .all()
        .map((row) => row.blob),
      [2],
    );
    again.close();
  });

  it('finds through an index what refers to a row that is deleted', async (t) => {
    const { db } = await newStore(t);
    for (const table of ['chunk', 'message', 'room_message', 'visit', 'session_key']) {
      const indexes = db.prepare('SELECT name FROM pragma_index_list(?)').all(table);
      const first = indexes.map(
        ({ name }) => db.prepare('SELECT name FROM pragma_index_info(?) WHERE seqno = 0').get(name!)!.name,
      );
      for (const { from } of db.prepare('SELECT "from" FROM pragma_foreign_key_list(?)').all(table)) {
        assert.ok(first.includes(from!), `${table}.${from}`);
      }
    }
  });

  it('has floor 0 and the rooms of the server, made once', async (t) => {
    const store = await newStore(t);
    createServerRooms(store);
    assert.equal(roomsOnFloors(store).get(0), 4);
    assert.equal(roomByName(store, 'LOBBY')?.total, 1);
  });
});

describe('a transaction', () => {
  it('that fails leaves database and memory as they were', async (t) => {
    const store = await newStore(t);
    const ann = createUser(store, 'ann', null);
    const lobby = roomByName(store, 'Lobby')!;
    assert.throws(
      () =>
        store.transaction(() => {
          store.setConfig('c_humannode', 'changed');
          createRoom(store, { name: 'Gone', flags: 0, view: 0 });
          updateRoom(store, lobby, { name: 'Hall' });
          updateUser(store, ann, { level: 6 });
          updateVisit(store, visitOf(store, ann.id, lobby.id), { state: 'known' });
          createUser(store, 'bob', null);
          throw new Error('no');
        }),
      /^Error: no$/,
    );
    assert.equal(store.getConfig('c_humannode'), undefined);
    assert.equal(roomByName(store, 'Gone'), undefined);
    assert.equal(roomByName(store, 'Lobby'), lobby);
    assert.equal(lobby.name, 'Lobby');
    assert.equal(ann.level, 4);
    assert.equal(findUser(store, 'ann'), ann);
    assert.equal(findUser(store, 'bob'), undefined);
    assert.equal(visitOf(store, ann.id, lobby.id).state, 'none');
  });

  it('on a full disk is refused with 513, and the store stays usable', async (t) => {
    const store = await newStore(t);
    const pages = Number(store.db.prepare('PRAGMA page_count').get()!.page_count);
    store.db.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const fill = () => store.setConfig('big', 'x'.repeat(100_000));
    assert.throws(fill, { code: 513, message: 'The disk is full.' });
    assert.equal(store.getConfig('big'), undefined);
    store.setConfig('small', '1');
    assert.equal(store.getConfig('small'), '1');
  });

  it('is on the disk when it has ended, and leaves no reference into nothing', async (t) => {
    const { db } = await newStore(t);
    const set = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get()!)[0];
    // 2: FULL, also the log is flushed with each transaction; only a loss of power would show another setting
    assert.deepEqual([set('journal_mode'), set('synchronous'), set('foreign_keys')], ['wal', 2, 1]);
  });

  it('stores a message whole, in all of its rooms, or not at all', async (t) => {
    const store = await newStore(t);
    const lobby = roomByName(store, 'Lobby')!;
    const rows = () =>
      ['message', 'message_text', 'room_message', 'blob', 'chunk'].map(
        (table) => store.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n,
      );
    const before = [...rows(), lobby.total, lobby.highest];
    const message = { format: 1, author: 'ann', path: 'ann', address: '', room: 'Lobby', subject: 'x' };
    const body = finishedBody(store, 1, Buffer.from('a body of its own\n'));
    assert.throws(() => saveMessage(store, { ...message, body, rooms: [lobby.id, 99_999] }));
    assert.deepEqual([...rows(), lobby.total, lobby.highest], before);
  });

  it('inside another is part of it', async (t) => {
    const store = await newStore(t);
    assert.throws(() =>
      store.transaction(() => {
        store.transaction(() => store.setConfig('inner', '1'));
        throw new Error('outer');
      }),
    );
    assert.equal(store.getConfig('inner'), undefined);
  });

  it('does at its end, once, what was put off until then, unless it has failed', async (t) => {
    const store = await newStore(t);
    const done: string[] = [];
    const later = (key: string, what: string) => store.atEnd(key, () => void done.push(what));
    store.transaction(() => {
      later('a', 'first');
      later('b', 'other');
      later('a', 'second');
      done.push('now');
    });
    const failing = () =>
      store.transaction(() => {
        later('a', 'never');
        throw new Error('failed');
      });
    assert.throws(failing);
    store.transaction(() => {});
    later('a', 'at once');
    assert.deepEqual(done, ['now', 'second', 'other', 'at once']);
  });
});
