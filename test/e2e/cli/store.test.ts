// `vestibule backup`, `check` and `compact`, as processes, beside a server that runs and without one; and the way back
// from a backup.

import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { cookieOf, postedNumber, runVestibule, startGateway, type TestGateway } from '../../support/gateway.ts';

const folder = await mkdtemp(join(tmpdir(), 'store-commands-'));
after(() => rm(folder, { recursive: true, force: true }));

const SOUND = /^Sound: (\d+) messages in \d+ rooms\n$/;
const BACKED_UP = /^Backed up (\d+) messages in \d+ rooms to (\S+) \([\d.]+ kB\)\n$/;

describe('the care of a data folder', async () => {
  const gateway = await startGateway({ after }, { demo: true });
  const vestibule = (...words: string[]) => runVestibule([...words, '--data', gateway.dataFolder]);
  const post = async (text: string) =>
    postedNumber(
      await gateway.as('alice')('r/Town%20Square/new', {
        method: 'PUT',
        headers: { 'content-type': 'text/plain' },
        body: Buffer.from(text),
      }),
    );

  for (const isRunning of [true, false]) {
    describe(isRunning ? 'while the server runs' : 'without a server', () => {
      before(async () => {
        if (!isRunning) await gateway.close();
      });

      it('finds everything sound', async () => {
        const { code, out, err } = await vestibule('check');
        assert.equal(err, '');
        assert.match(out, SOUND);
        assert.equal(code, 0);
      });

      it('writes a backup that only its owner may read, and checks it', async () => {
        const file = join(folder, `${isRunning}.db`);
        const { code, out, err } = await vestibule('backup', file);
        assert.equal(err, '');
        assert.equal(BACKED_UP.exec(out)?.[2], file);
        assert.equal(code, 0);
        assert.equal((await stat(file)).mode & 0o777, 0o600);
        const check = await runVestibule(['check', file]);
        assert.equal(SOUND.exec(check.out)?.[1], BACKED_UP.exec(out)?.[1]);
      });

      it('never writes over a file', async () => {
        const file = join(folder, `${isRunning}.txt`);
        await writeFile(file, 'mine');
        const { code, out, err } = await vestibule('backup', file);
        assert.deepEqual([code, out, err], [1, '', `${file} exists already; nothing was written.\n`]);
        assert.equal((await stat(file)).size, 4);
      });

      it('leaves nothing behind where a backup cannot be written', async () => {
        const { code, err } = await vestibule('backup', join(folder, 'nowhere', 'x.db'));
        assert.equal(code, 1);
        assert.match(err, /^[^\n]+\n$/);
        assert.deepEqual(
          (await readdir(folder)).filter((name) => name.includes('unfinished')),
          [],
        );
      });
    });
  }

  it('copies one moment while others write', async () => {
    await gateway.restart();
    const posted: number[] = [];
    let isDone = false;
    const write = async (name: string) => {
      for (let i = 0; !isDone; i++) posted.push(await post(`${name} ${i}`));
    };
    const writing = Promise.all(['a', 'b', 'c'].map(write));
    while (posted.length < 20) await setTimeout(5);
    const before = [...posted];
    const file = join(folder, 'moment.db');
    assert.equal((await vestibule('backup', file)).code, 0);
    const during = posted.length - before.length;
    isDone = true;
    await writing;
    assert.ok(during > 0, 'others have written meanwhile');
    assert.equal((await runVestibule(['check', file])).code, 0);
    const db = new DatabaseSync(file, { readOnly: true });
    const there = new Set(
      db
        .prepare('SELECT id FROM message')
        .all()
        .map(({ id }) => Number(id)),
    );
    db.close();
    for (const number of before) assert.ok(there.has(number), `message ${number}`);
    await gateway.close();
  });

  it('gives space back when no server runs, and refuses while one does', async () => {
    await gateway.restart();
    const { code, out, err } = await vestibule('compact');
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^The data folder \S+ is in use by another server\.\n$/);
    const noise = Array.from({ length: 30_000 }, (_, i) => Math.sin(i).toString(36)).join('\n');
    const number = await post(noise);
    await gateway.as('admin', 'secret')(`r/Town%20Square/${number}`, { method: 'DELETE' });
    await gateway.close();
    const database = join(gateway.dataFolder, 'vestibule.db');
    const large = (await stat(database)).size;
    const compacted = await vestibule('compact');
    assert.match(compacted.out, /^Compacted from [\d.]+ MB to [\d.]+ kB\n$/);
    assert.equal(compacted.code, 0);
    assert.ok((await stat(database)).size < large - 400_000);
    assert.equal((await vestibule('check')).code, 0);
  });

  it('starts from a backup that is put in place, with everything as it was', async (t) => {
    await gateway.restart();
    const alice = gateway.as('alice');
    const number = await post('in the backup');
    await alice('u/alice/userpic', {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
    });
    const picture = Buffer.from(await (await alice('u/alice/userpic')).arrayBuffer());
    assert.ok(picture.length > 20);
    const file = join(folder, 'kept.db');
    assert.equal((await vestibule('backup', file)).code, 0);
    const later = await post('after the backup');

    const dataFolder = join(folder, 'restored');
    await mkdir(dataFolder);
    await copyFile(file, join(dataFolder, 'vestibule.db'));
    const restored = await startGateway(t, { dataFolder });
    const again = restored.as('alice');
    assert.equal(await (await again(`r/Town%20Square/${number}`)).text(), 'in the backup');
    assert.equal((await again(`r/Town%20Square/${later}`)).status, 404);
    const next = await again('r/Town%20Square/new', { method: 'PUT', body: 'after the restart' });
    assert.ok(postedNumber(next) > later + 1000, 'clients may have kept what other numbers meant after the backup');
    assert.ok(Buffer.from(await (await again('u/alice/userpic')).arrayBuffer()).equals(picture));
    const found = (await (await again('a/search?q=backup')).json()) as { msgnum: number }[];
    assert.deepEqual(
      found.map(({ msgnum }) => msgnum),
      [number],
    );
    assert.deepEqual(restored.faults, []);
  });
});

it('a backup leaves the session keys out: nobody is logged in where it is put back', async (t) => {
  const gateway = await startGateway(t, { demo: true });
  const cookie = cookieOf(await gateway.api('a/login', { method: 'POST', body: 'alice|alice' }));
  const status = async ({ api }: TestGateway) => (await api('r/', { headers: { cookie } })).status;
  assert.equal(await status(gateway), 200);
  const file = join(folder, 'sessions.db');
  assert.equal((await runVestibule(['backup', file, '--data', gateway.dataFolder])).code, 0);
  const hashes = (database: string) => {
    const db = new DatabaseSync(database, { readOnly: true });
    const rows = db.prepare('SELECT hash FROM session_key').all();
    db.close();
    return rows.map(({ hash }) => String(hash));
  };
  const [kept] = hashes(join(gateway.dataFolder, 'vestibule.db'));
  assert.ok(kept);
  assert.deepEqual(hashes(file), []);
  assert.ok(!(await readFile(file, 'latin1')).includes(kept), 'nor in what is left of deleted rows');
  assert.equal((await runVestibule(['check', file])).code, 0);

  const dataFolder = join(folder, 'restored-sessions');
  await mkdir(dataFolder);
  await copyFile(file, join(dataFolder, 'vestibule.db'));
  await copyFile(join(gateway.dataFolder, 'session-key'), join(dataFolder, 'session-key'));
  await gateway.close();
  assert.equal(await status(await startGateway(t, { dataFolder })), 401);
});

describe('vestibule check', () => {
  it('tells what is wrong, line by line, and ends with 1', async (t) => {
    const dataFolder = join(folder, 'broken');
    const gateway = await startGateway(t, { demo: true, dataFolder });
    await gateway.close();
    const damages: [string, RegExp][] = [
      [
        "UPDATE room SET total = total + 1 WHERE key = 'lobby'",
        /a room counts its messages wrongly: room \d+, total 2, /,
      ],
      [
        "UPDATE chunk SET data = CAST(x'00' || substr(data, 2) AS BLOB) WHERE blob = 3",
        /a body is not what it was: body 3\n/,
      ],
      ["UPDATE chunk SET data = x'00' WHERE blob = 4", /a body is not of its size: body 4, /],
      [
        "UPDATE message SET subject = 'words of another number' WHERE id = 5",
        /the index has other words than message 5\n/,
      ],
      ['DELETE FROM message_text WHERE rowid = 6', /a message is not in the index: message 6\n/],
      ['DELETE FROM room_message WHERE message = 7', /a message is in no room and in no history: message 7\n/],
      ['PRAGMA foreign_keys = OFF; DELETE FROM blob WHERE id = 8', /a row refers to what is not there: table \w+, /],
    ];
    const db = new DatabaseSync(join(dataFolder, 'vestibule.db'));
    for (const [sql] of damages) db.exec(sql);
    db.close();
    const { code, out } = await runVestibule(['check', '--data', dataFolder]);
    for (const [sql, line] of damages) assert.match(out, line, sql);
    assert.match(out, /\n\d+ faults in \d+ messages in \d+ rooms\n$/);
    assert.equal(code, 1);
  });

  it('says in a line what is no database', async () => {
    const file = join(folder, 'letter.txt');
    await writeFile(file, 'Dear Ann,\n'.repeat(100));
    for (const [words, message] of [
      [['check', file], 'vestibule check failed: file is not a database.\n'],
      [['check', join(folder, 'none.db')], `There is no database ${join(folder, 'none.db')}.\n`],
      [['check', join(file, 'x.db')], `${file}/x.db cannot be read: a part of the path is not a folder.\n`],
      [['backup', join(folder, 'x.db'), '--data', folder], `There is no database ${join(folder, 'vestibule.db')}.\n`],
      [['compact', '--data', folder], `There is no database ${join(folder, 'vestibule.db')}.\n`],
    ] as const) {
      const { code, out, err } = await runVestibule([...words]);
      assert.deepEqual([code, out, err], [1, '', message]);
    }
    assert.deepEqual(
      (await readdir(folder)).filter((name) => /^(none|x|vestibule)\.db/.test(name)),
      [],
    );
  });
});
