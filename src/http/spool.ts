// A body that must be known as a whole (its size, or that it is complete) before it can go on: in memory while it is
// small, in a file above that.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SPOOL_MEMORY_BYTES } from '../limits/http.ts';
import { readPieces, writeAll } from '../system/file-pieces.ts';
import { storageFault } from '../system/storage-fault.ts';

/** Disposing of it frees memory and file; it may be done twice. */
export interface Spooled extends AsyncDisposable {
  /** bytes */
  size: number;
  /** Bytes from start (inclusive) to end (exclusive), as often as wanted, also at the same time, while it is there. */
  open(start?: number, end?: number): AsyncIterable<Buffer>;
}

export interface SpoolOptions {
  memoryBytes?: number;
  /** is shown each piece as it comes; what it throws ends it */
  see?: (piece: Buffer) => void;
}

/**
 * Takes the source to its end. Whatever it or the disk throws, nothing stays behind in `directory`, which must exist.
 * Throws what the source throws, and insufficient_storage when the disk or a quota is full, busy when no
 * further file can be opened.
 */
export async function spool(
  source: AsyncIterable<Buffer>,
  directory: string,
  { memoryBytes = SPOOL_MEMORY_BYTES, see }: SpoolOptions = {},
): Promise<Spooled> {
  const pieces: Buffer[] = [];
  let size = 0;
  let file: FileHandle | undefined;
  let path = '';
  try {
    for await (const piece of source) {
      see?.(piece);
      size += piece.length;
      if (file) {
        await writeAll(file, piece);
        continue;
      }
      pieces.push(piece);
      if (size <= memoryBytes) continue;
      path = join(directory, `spool-${randomBytes(12).toString('hex')}`);
      file = await open(path, 'wx+', 0o600);
      for (const held of pieces) await writeAll(file, held);
      pieces.length = 0;
    }
  } catch (error) {
    if (file) await discard(file, path);
    throw storageFault(error);
  }
  if (file) return inFile(file, path, size);
  return inMemory(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
}

function inMemory(bytes: Buffer): Spooled {
  return {
    size: bytes.length,
    async *open(start = 0, end = bytes.length) {
      if (end > start) yield bytes.subarray(start, end);
    },
    async [Symbol.asyncDispose]() {
      bytes = Buffer.alloc(0);
    },
  };
}

function inFile(file: FileHandle, path: string, size: number): Spooled {
  let isOpen = true;
  return {
    size,
    open: (start = 0, end = size) => readPieces(file, start, Math.min(end, size)),
    async [Symbol.asyncDispose]() {
      if (!isOpen) return;
      isOpen = false;
      await discard(file, path);
    },
  };
}

async function discard(file: FileHandle, path: string): Promise<void> {
  await file.close().catch(() => {});
  await rm(path, { force: true });
}
