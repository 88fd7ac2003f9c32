// Files read in pieces: the range that is asked for, nothing more, and no handle left open.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { readPath, readPieces } from '../../src/http/file-pieces.ts';
import { STREAM_CHUNK_BYTES } from '../../src/limits/protocol.ts';

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

  it('fail where the file has become shorter: no answer looks whole that is not', async (t) => {
    const path = fileOf(t);
    await assert.rejects(Array.fromAsync(readPath(path, 0, SIZE + 1)), /shorter/);
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
