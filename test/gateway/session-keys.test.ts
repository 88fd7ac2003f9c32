import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sessionKeyIn, sessionKeysOf } from '../../src/gateway/seal.ts';

describe('the keys of a gateway', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('are those of the file that the operator names, which nobody else may read from then on', async () => {
    const file = join(folder, 'keys');
    await writeFile(file, `${'ab'.repeat(32)}\n${'cd'.repeat(32)}\n`, { mode: 0o644 });
    assert.deepEqual(sessionKeysOf(file), [Buffer.alloc(32, 0xab), Buffer.alloc(32, 0xcd)]);
    assert.equal((await stat(file)).mode & 0o077, 0);
  });

  it('are asked for in words where the file holds none, or is not there', async () => {
    const file = join(folder, 'words');
    await writeFile(file, 'correct horse\n');
    assert.throws(() => sessionKeysOf(file), {
      message: `${file} must contain session keys, one per line, each 64 hex digits or base64 of 32 bytes.`,
    });
    const missing = join(folder, 'missing');
    assert.throws(() => sessionKeysOf(missing), /missing cannot be used: no such file or folder; see --secret-file/);
  });

  it('are one that is made, where none is named, and stays', async () => {
    const key = await sessionKeyIn(folder);
    assert.equal(key.length, 32);
    assert.deepEqual(await sessionKeyIn(folder), key);
    await writeFile(join(folder, 'session-key'), 'damaged');
    await assert.rejects(sessionKeyIn(folder), /is no session key/);
  });
});
