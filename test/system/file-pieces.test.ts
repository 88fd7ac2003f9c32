// Files read in pieces: the range that is asked for, nothing more, and no handle left open.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { SYNC_AHEAD_BYTES } from '../../src/limits/http.ts';
import { STREAM_CHUNK_BYTES } from '../../src/limits/protocol.ts';
import { readPath, readPieces, storePieces } from '../../src/system/file-pieces.ts';

const SIZE = 2 * STREAM_CHUNK_BYTES + 5;
const content = Buffer.from(Array.from({ length: SIZE }, (_, i) => i % 251));

function fileOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return path;
}

describe('the pieces of a file', () => {
  it('are the bytes of the range, none larger than a chunk', async (t) => {
    const path = fileOf(t);
    for (const [start, end] of [
      [0, SIZE],
      [1, STREAM_CHUNK_BYTES + 1],
      [STREAM_CHUNK_BYTES, SIZE],
      [SIZE - 1, SIZE],
      [7, 7],
    ] as const) {
      const pieces = await Array.fromAsync(readPath(path, start, end));
      assert.ok(pieces.every(({ length }) => length > 0 && length <= STREAM_CHUNK_BYTES));
      assert.ok(Buffer.concat(pieces).equals(content.subarray(start, end)), `${start} to ${end}`);
    }
  });

  it('come in what the consumer has given back, and only there', async (t) => {
    for (const gives of [true, false]) {
      const pieces = readPath(fileOf(t), 0, SIZE);
      const rooms = new Set<ArrayBufferLike>();
      const parts: Buffer[] = [];
      let next = await pieces.next();
      while (!next.done) {
        rooms.add(next.value.buffer);
        parts.push(Buffer.from(next.value));
        next = await pieces.next(gives ? next.value.fill(255) : undefined);
      }
      assert.ok(Buffer.concat(parts).equals(content));
      assert.equal(rooms.size, gives ? 2 : 3);
    }
  });

  it('fail where the file has become shorter: no answer looks whole that is not', async (t) => {
    const path = fileOf(t);
    await assert.rejects(Array.fromAsync(readPath(path, 0, SIZE + 1)), /truncated/);
  });

  it('fail at the first pull where there is no file', async (t) => {
    await assert.rejects(readPath(`${fileOf(t)}x`, 0, 1).next(), { code: 'ENOENT' });
  });

  it('leave a file that was given open, and close one that they opened, also when nobody wants the rest', async (t) => {
    const path = fileOf(t);
    const file = await open(path);
    for await (const _ of readPieces(file, 0, SIZE)) break;
    assert.ok(file.fd >= 0);
    await file.close();
    const pieces = readPath(path, 0, SIZE);
    await pieces.next();
    await pieces.return();
    assert.equal((await pieces.next()).done, true);
  });
});

describe('a file that is written in pieces', () => {
  async function* some(count: number, length: number): AsyncGenerator<Buffer> {
    for (let i = 0; i < count; i++) yield Buffer.alloc(length, i + 1);
  }

  it('has all of them in their order, and is private', async (t) => {
    const path = `${fileOf(t)}-new`;
    assert.equal(await storePieces(path, some(9, 1000)), 9000);
    assert.ok(readFileSync(path).equals(Buffer.concat(await Array.fromAsync(some(9, 1000)))));
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('may be larger than what the disk gets at a time', async (t) => {
    const path = `${fileOf(t)}-new`;
    const length = SYNC_AHEAD_BYTES / 4;
    assert.equal(await storePieces(path, some(9, length)), 9 * length);
    assert.ok(readFileSync(path).subarray(-length).equals(Buffer.alloc(length, 9)));
  });

  it('is given up where its source fails, and never takes the place of another one', async (t) => {
    const path = fileOf(t);
    await assert.rejects(storePieces(path, some(1, 1)), { code: 'EEXIST' });
    async function* broken() {
      yield content;
      throw new Error('broken off');
    }
    await assert.rejects(storePieces(`${path}-new`, broken()), /broken off/);
  });
});
