// The file of passwords: what is in it before an account is made, and after a copy was broken off.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openPasswordFile } from '../../../src/extra/migrate/command.ts';

async function fileFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passwords-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'passwords.txt');
}

describe('the file of passwords', () => {
  it('has a password before the account is made, for its owner alone', async (t) => {
    const file = await fileFor(t);
    const kept = await openPasswordFile(file);
    assert.equal(existsSync(file), false, 'where no account is made there is no file');
    await kept.begin('Ann Lee', 'pw1');
    assert.equal(await readFile(file, 'utf8'), 'Ann Lee\tpw1\n');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(`${file}.under-way`)).mode & 0o777, 0o600);
    await kept.end();
    assert.equal(existsSync(`${file}.under-way`), false);
  });

  it('says which account was under way when a copy was broken off, however its name is spelled', async (t) => {
    const file = await fileFor(t);
    const broken = await openPasswordFile(file);
    await broken.begin('Bob', 'pw1');
    await broken.end();
    await broken.begin('Ann Lee', 'pw2');
    const next = await openPasswordFile(file);
    assert.deepEqual(
      ['ann lee', 'ANN.LEE', 'bob', ''].map((name) => next.isUnderWay(name)),
      [true, true, false, false],
    );
    assert.equal(next.passwords.get('annlee'), 'pw2');
    await next.end();
    assert.equal(next.isUnderWay('Ann Lee'), false);
    assert.equal((await openPasswordFile(file)).isUnderWay('Ann Lee'), false);
  });

  it('has one line an account, also when it is begun again', async (t) => {
    const file = await fileFor(t);
    await (await openPasswordFile(file)).begin('Ann', 'pw1');
    const next = await openPasswordFile(file);
    await next.begin('ann', 'pw1');
    assert.equal(await readFile(file, 'utf8'), 'Ann\tpw1\n');
  });

  it('may hold lines that somebody has written by hand', async (t) => {
    const file = await fileFor(t);
    await writeFile(file, '# mine\n\nBob\t\nAnn\tpw\tof the board\n\tx\n');
    assert.deepEqual([...(await openPasswordFile(file)).passwords], [['ann', 'pw']]);
  });

  it('throws what the system refuses', async (t) => {
    const file = await fileFor(t);
    const kept = await openPasswordFile(join(file, '..', 'none', 'passwords.txt'));
    await assert.rejects(kept.begin('Ann', 'pw'), { code: 'ENOENT' });
    assert.equal(kept.passwords.size, 0);
    await assert.rejects(openPasswordFile(join(file, '..')), { code: 'EISDIR' });
  });
});
