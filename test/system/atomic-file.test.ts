// Files that are the old or the new, and never half of one.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { DRAFT, readIfThere, syncFolder, writeAtomically } from '../../src/system/file-pieces.ts';

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atomic-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('a file that is written atomically', () => {
  it('is the new one, for its owner alone, and nothing lies beside it', async (t) => {
    const folder = await newFolder(t);
    const file = join(folder, 'record');
    await writeFile(file, 'the old one, which is longer', { mode: 0o644 });
    await writeAtomically(file, 'new é');
    assert.equal(await readFile(file, 'utf8'), 'new é');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), ['record']);
  });

  it('takes over the draft that a crash has left', async (t) => {
    const folder = await newFolder(t);
    const file = join(folder, 'record');
    await writeFile(file + DRAFT, 'a longer half of something else');
    await writeAtomically(file, 'new');
    assert.equal(await readFile(file, 'utf8'), 'new');
    assert.deepEqual(await readdir(folder), ['record']);
  });

  it('stays the old one where it cannot be put in place, and no draft stays', async (t) => {
    const folder = await newFolder(t);
    const file = join(folder, 'record');
    await mkdir(join(file, 'in the way'), { recursive: true });
    await assert.rejects(writeAtomically(file, 'new'), { code: 'EISDIR' });
    assert.deepEqual(await readdir(folder), ['record']);
    assert.deepEqual(await readdir(file), ['in the way']);
    await assert.rejects(writeAtomically(join(folder, 'none', 'record'), 'new'), { code: 'ENOENT' });
  });
});

describe('a file that need not be there', () => {
  it('is read as nothing where it is not', async (t) => {
    const folder = await newFolder(t);
    assert.equal(await readIfThere(join(folder, 'none')), '');
    await writeFile(join(folder, 'some'), 'text');
    assert.equal(await readIfThere(join(folder, 'some')), 'text');
  });

  it('is an error where it cannot be read', async (t) => {
    await assert.rejects(readIfThere(await newFolder(t)), { code: 'EISDIR' });
  });
});

it('a folder that is not there cannot be made durable', async (t) => {
  const folder = await newFolder(t);
  await syncFolder(folder);
  await assert.rejects(syncFolder(join(folder, 'none')), { code: 'ENOENT' });
});
