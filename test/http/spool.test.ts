import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { type Spooled, spool } from '../../src/http/spool.ts';

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'spool-test-'));
  t.after(() => rm(path, { recursive: true }));
  return path;
}

async function* pieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(spooled: Spooled, start?: number, end?: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of spooled.open(start, end)) parts.push(piece);
  return Buffer.concat(parts);
}

it('keeps up to the bound in memory and more in a file that only we can read', async (t) => {
  const directory = await folder(t);
  const small = await spool(pieces(randomBytes(100), 30), directory, { memoryBytes: 100 });
  assert.equal((await readdir(directory)).length, 0);
  const large = await spool(pieces(randomBytes(101), 30), directory, { memoryBytes: 100 });
  const [name] = await readdir(directory);
  assert.equal((await stat(join(directory, name!))).mode & 0o777, 0o600);
  assert.deepEqual([small.size, large.size], [100, 101]);
  await small[Symbol.asyncDispose]();
  await large[Symbol.asyncDispose]();
  await large[Symbol.asyncDispose]();
  assert.deepEqual(await readdir(directory), []);
});

for (const memoryBytes of [1_000_000, 10]) {
  const place = memoryBytes > 10 ? 'memory' : 'a file';

  it(`gives back any range, also several at once (${place})`, async (t) => {
    const bytes = randomBytes(200_000);
    const spooled = await spool(pieces(bytes, 7777), await folder(t), { memoryBytes });
    const [whole, middle, tail, none] = await Promise.all([
      read(spooled),
      read(spooled, 70_000, 140_001),
      read(spooled, 199_999),
      read(spooled, 5, 5),
    ]);
    assert.deepEqual(whole, bytes);
    assert.deepEqual(middle, bytes.subarray(70_000, 140_001));
    assert.deepEqual(tail, bytes.subarray(199_999));
    assert.equal(none.length, 0);
    await spooled[Symbol.asyncDispose]();
  });

  it(`leaves nothing behind when the source fails (${place})`, async (t) => {
    const directory = await folder(t);
    async function* source() {
      yield randomBytes(1000);
      throw new AppError('too_large', 'too large');
    }
    await assert.rejects(spool(source(), directory, { memoryBytes }), { code: 'too_large' });
    assert.deepEqual(await readdir(directory), []);
  });
}

it('calls a full disk insufficient_storage, and a want of file descriptors busy', async (t) => {
  async function* failing(code: string) {
    yield randomBytes(10);
    throw Object.assign(new Error('write'), { code });
  }
  const directory = await folder(t);
  await assert.rejects(spool(failing('ENOSPC'), directory), { code: 'insufficient_storage' });
  await assert.rejects(spool(failing('EMFILE'), directory), { code: 'busy', retryAfterSeconds: 5 });
});

it('takes an empty source', async (t) => {
  const spooled = await spool(pieces(Buffer.alloc(0), 1), await folder(t));
  assert.equal(spooled.size, 0);
  assert.equal((await read(spooled)).length, 0);
});
