import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openLocalRevocations } from '../../src/fleet/revocations.ts';

const LATER = Math.floor(Date.now() / 1000) + 1000;

describe('revocations', () => {
  let folder: string;
  let count = 0;
  const newPath = () => join(folder, `revocations${count++}`);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'revocations-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('remembers a revoked session at once and after a start', async () => {
    const path = newPath();
    const revocations = await openLocalRevocations(path);
    assert.equal(revocations.isRevoked('one'), false);
    const written = revocations.revoke('one', LATER);
    assert.equal(revocations.isRevoked('one'), true);
    await written;
    const again = await openLocalRevocations(path);
    assert.equal(again.isRevoked('one'), true);
    assert.equal(again.isRevoked('two'), false);
  });

  it('refuses the session all the same where the disk is full, and says so', async () => {
    const path = newPath();
    const revocations = await openLocalRevocations(path);
    await rm(path);
    await symlink('/dev/full', path);
    await assert.rejects(revocations.revoke('one', LATER), { name: 'AppError', code: 'insufficient_storage' });
    assert.equal(revocations.isRevoked('one'), true);
  });

  it('keeps the file to its owner', async () => {
    const path = newPath();
    await openLocalRevocations(path);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it('keeps what was revoked when the process is killed right after', async () => {
    const path = newPath();
    const source = new URL('../../src/fleet/revocations.ts', import.meta.url).href;
    const script = `
      import { openLocalRevocations } from ${JSON.stringify(source)};
      const revocations = await openLocalRevocations(${JSON.stringify(path)});
      await Promise.all(['a', 'b', 'c'].map((id) => revocations.revoke(id, ${LATER})));
      process.kill(process.pid, 'SIGKILL');
    `;
    await assert.rejects(promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]), {
      signal: 'SIGKILL',
    });
    const revocations = await openLocalRevocations(path);
    for (const id of ['a', 'b', 'c']) assert.equal(revocations.isRevoked(id), true);
  });

  it('reads everything but a last line that is torn, wherever it is torn', async () => {
    const line = `${LATER} second`;
    for (let length = 0; length < line.length; length++) {
      const path = newPath();
      await writeFile(path, `\n${LATER} first\n\n${line.slice(0, length)}`);
      const revocations = await openLocalRevocations(path);
      assert.equal(revocations.isRevoked('first'), true);
      assert.equal(revocations.isRevoked('second'), false);
      await revocations.revoke('third', LATER);
      assert.equal((await openLocalRevocations(path)).isRevoked('third'), true);
    }
  });

  it('is not harmed by a line that a full disk has cut while it ran', async () => {
    const path = newPath();
    const revocations = await openLocalRevocations(path);
    await appendFile(path, `${LATER} cu`);
    await revocations.revoke('next', LATER);
    assert.equal((await openLocalRevocations(path)).isRevoked('next'), true);
  });

  it('drops what has expired, at a start and in a sweep', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: (LATER - 1000) * 1000 });
    const path = newPath();
    const revocations = await openLocalRevocations(path);
    await revocations.revoke('soon', LATER - 999);
    await revocations.revoke('later', LATER);
    await revocations.revoke('past', LATER - 1001);
    assert.equal(revocations.isRevoked('past'), false);
    t.mock.timers.tick(1000);
    await revocations.sweep();
    assert.equal(revocations.isRevoked('soon'), false);
    assert.equal(revocations.isRevoked('later'), true);
    await openLocalRevocations(path);
    assert.equal(await readFile(path, 'utf8'), `${LATER} later\n`);
  });

  it('rewrites the file in a sweep once most of it has expired, and goes on with the new one', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: (LATER - 1000) * 1000 });
    const path = newPath();
    await writeFile(path, Array.from({ length: 1100 }, (_, i) => `${LATER - 500} s${i}\n`).join(''));
    const revocations = await openLocalRevocations(path);
    t.mock.timers.tick(600_000);
    await Promise.all([revocations.revoke('during', LATER), revocations.sweep()]);
    await revocations.revoke('after', LATER);
    assert.ok((await stat(path)).size < 200);
    const again = await openLocalRevocations(path);
    assert.ok(again.isRevoked('during') && again.isRevoked('after'));
  });

  it('keeps the later of two ends', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: (LATER - 1000) * 1000 });
    const path = newPath();
    const revocations = await openLocalRevocations(path);
    await revocations.revoke('one', LATER);
    await revocations.revoke('one', LATER - 500);
    t.mock.timers.tick(600_000);
    await revocations.sweep();
    assert.ok(revocations.isRevoked('one'));
    assert.ok((await openLocalRevocations(path)).isRevoked('one'));
  });

  it('refuses one session more than it may hold and lets none go for it', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: (LATER - 1000) * 1000 });
    const revocations = await openLocalRevocations(newPath(), 2);
    await revocations.revoke('one', LATER);
    await revocations.revoke('two', LATER - 900);
    await assert.rejects(revocations.revoke('three', LATER), { code: 'insufficient_storage' });
    assert.deepEqual(['one', 'two', 'three'].map(revocations.isRevoked), [true, true, false]);
    t.mock.timers.tick(100_000);
    await revocations.revoke('three', LATER);
    assert.deepEqual(['one', 'two', 'three'].map(revocations.isRevoked), [true, false, true]);
  });

  it('refuses an id that could not be read back', async () => {
    const revocations = await openLocalRevocations(newPath());
    for (const id of ['', 'a b', 'a\nb', 'x'.repeat(65)]) {
      await assert.rejects(revocations.revoke(id, LATER), { code: 'bad_request' });
    }
  });
});
