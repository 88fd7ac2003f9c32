// Stores a body that must be complete before it is used: in memory while it is small, in a file above that.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SPOOL_MEMORY_BYTES } from '../limits/http.ts';
import { readPieces, writeAll } from '../system/file-pieces.ts';
import { storageFault } from '../system/operator-errors.ts';

/** Disposing frees memory and file; idempotent. */
export interface Spooled extends AsyncDisposable {
  /** bytes */
  size: number;
  /** Content from start (inclusive) to end (exclusive); repeatable, also concurrently. */
  open(start?: number, end?: number): AsyncIterable<Buffer>;
}

export interface SpoolOptions {
  memoryBytes?: number;
  /** called for each piece; may throw to abort */
  see?: (piece: Buffer) => void;
}

/**
 * Reads the source to its end. Leaves nothing behind in `directory` on failure. Throws what the source throws,
 * insufficient_storage if the disk or a quota is full, busy if no file can be opened.
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
