// Folders and files that are for one process and one account.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { lockFolder, makeFolder, makePrivate, takeFromOthers } from '../../src/system/folder-lock.ts';

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('a folder that is made', () => {
  it('is for its owner alone, and so are those above it that were missing', (t) => {
    const parent = newFolder(t);
    chmodSync(parent, 0o755);
    makeFolder(join(parent, 'a', 'b'));
    assert.deepEqual([parent, join(parent, 'a'), join(parent, 'a', 'b')].map(modeOf), [0o755, 0o700, 0o700]);
    makeFolder(join(parent, 'a', 'b'));
  });

  it('leaves none of those above it where it cannot be made', (t) => {
    const parent = newFolder(t);
    const name = 'x'.repeat(300);
    assert.throws(() => makeFolder(join(parent, 'a', 'b', name)), {
      name: 'AppError',
      message: `The folder ${join(parent, 'a', 'b', name)} cannot be used: the name is too long; choose another one.`,
    });
    assert.deepEqual(readdirSync(parent), []);
  });

  it('is refused where something else is in its place', (t) => {
    const file = join(newFolder(t), 'letter.txt');
    writeFileSync(file, 'Dear Ann');
    assert.throws(() => makeFolder(file), { name: 'AppError', message: /something with this name already exists/ });
    assert.throws(() => makeFolder(join(file, 'x')), {
      name: 'AppError',
      message: /a part of the path is not a folder/,
    });
  });
});

describe('a folder that is there', () => {
  it('is closed to the writing of others, and keeps whether they may read', (t) => {
    const folder = newFolder(t);
    for (const [before, after] of [
      [0o777, 0o755],
      [0o775, 0o755],
      [0o2770, 0o2750],
      [0o702, 0o700],
      [0o755, 0o755],
    ] as const) {
      chmodSync(folder, before);
      makeFolder(folder);
      assert.equal(statSync(folder).mode & 0o7777, after);
    }
  });

  it('is refused where it is shared on purpose', (t) => {
    const folder = newFolder(t);
    chmodSync(folder, 0o1777);
    const message = `Other accounts can write to the folder ${folder}: choose a folder of its own.`;
    assert.throws(() => makeFolder(folder), { name: 'AppError', message });
    assert.equal(statSync(folder).mode & 0o7777, 0o1777);
  });
});

describe('a private file', () => {
  it('is made where it is missing, and keeps what is in it', (t) => {
    const file = join(newFolder(t), 'kept');
    makePrivate(file);
    assert.deepEqual([modeOf(file), statSync(file).size], [0o600, 0]);
    writeFileSync(file, 'text');
    chmodSync(file, 0o664);
    makePrivate(file);
    assert.deepEqual([modeOf(file), statSync(file).size], [0o600, 4]);
  });

  it('is taken from others, and keeps what its owner may', (t) => {
    const file = join(newFolder(t), 'kept');
    writeFileSync(file, '');
    for (const [before, after] of [
      [0o444, 0o400],
      [0o755, 0o700],
      [0o601, 0o600],
      [0o600, 0o600],
    ] as const) {
      chmodSync(file, before);
      takeFromOthers(file);
      assert.equal(modeOf(file), after, before.toString(8));
    }
    assert.throws(() => takeFromOthers(`${file}.none`), { code: 'ENOENT' });
    assert.equal(existsSync(`${file}.none`), false);
  });
});

describe('the lock of a folder', () => {
  it('is held by one at a time, and free again when it is closed', (t) => {
    const folder = newFolder(t);
    const lock = lockFolder(folder);
    assert.throws(() => lockFolder(folder), {
      code: 'conflict',
      message: `The data folder ${folder} is in use by another server.`,
    });
    lock.close();
    lockFolder(folder).close();
    assert.equal(modeOf(join(folder, 'lock')), 0o600);
  });

  it('of another folder is another one', (t) => {
    const [one, other] = [lockFolder(newFolder(t)), lockFolder(newFolder(t))];
    one.close();
    other.close();
  });

  it('says what is wrong where it cannot be held', (t) => {
    const folder = newFolder(t);
    mkdirSync(join(folder, 'lock'));
    assert.throws(() => lockFolder(folder), {
      code: 'internal',
      message: `The data folder ${folder} cannot be written.`,
    });
    const other = newFolder(t);
    writeFileSync(join(other, 'lock'), 'Dear Ann,\n'.repeat(100));
    assert.throws(() => lockFolder(other), {
      code: 'internal',
      message: /lock cannot be used: it is not a database, or it is damaged; check what it is, or remove it\.$/,
    });
  });
});
