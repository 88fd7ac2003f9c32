// Files in pieces, without node's stream machinery: a range is read as it is pulled, a new file written as bytes come.

import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { SYNC_AHEAD_BYTES } from '../limits/http.ts';
import { STREAM_CHUNK_BYTES } from '../limits/protocol.ts';

/** A consumer that is done with the piece it had gives it back with its next pull, and may get other bytes in it. */
type FilePieces = AsyncGenerator<Buffer, void, Buffer | undefined>;

/**
 * Bytes from start (inclusive) to end (exclusive); the next piece is read while the consumer works on one. Throws
 * internal when the file has become shorter than that.
 */
export async function* readPieces(file: FileHandle, start: number, end: number): FilePieces {
  let coming = start < end ? readPiece(file, start, end) : undefined;
  let spent: Buffer | undefined;
  try {
    for (let at = start; coming; ) {
      const piece = await coming;
      at += piece.length;
      coming = at < end ? readPiece(file, at, end, spent) : undefined;
      coming?.catch(() => {}); // awaited with the next pull, if there is one
      spent = yield piece;
    }
  } finally {
    await coming?.catch(() => {});
  }
}

// New memory for each piece of a long file is what V8 collects garbage for all the time.
async function readPiece(file: FileHandle, at: number, end: number, spent?: Buffer): Promise<Buffer> {
  const wanted = Math.min(STREAM_CHUNK_BYTES, end - at);
  const room = spent && spent.length >= wanted ? spent : Buffer.allocUnsafe(wanted);
  const { bytesRead, buffer } = await file.read(room, 0, wanted, at);
  if (bytesRead === 0) throw new AppError('internal', 'A file became shorter while it was read.');
  return buffer.subarray(0, bytesRead);
}

/** As readPieces; opens the file at the first pull and closes it at the end or when the consumer stops. */
export async function* readPath(path: string, start: number, end: number): FilePieces {
  const file = await open(path, 'r');
  try {
    yield* readPieces(file, start, end);
  } finally {
    await file.close();
  }
}

/**
 * Writes a new file, private to its owner, and answers how many bytes it has. One piece is written while the next one
 * comes, and the disk begins before all is there: who makes the file durable then waits for its end only. Throws what
 * the source throws, and EEXIST.
 */
export async function storePieces(path: string, pieces: AsyncIterable<Buffer>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  let synced = 0;
  let isSyncing = false;
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();
  try {
    for await (const piece of pieces) {
      await writing;
      size += piece.length;
      writing = writeAll(file, piece);
      writing.catch(() => {}); // awaited before the next one
      if (size - synced < SYNC_AHEAD_BYTES || isSyncing) continue;
      synced = size;
      isSyncing = true;
      // not behind one that has failed: only that one is told of the fault
      syncing = file.datasync().then(() => {
        isSyncing = false;
      });
      syncing.catch(() => {}); // awaited at the end
    }
    await writing;
    await syncing;
    return size;
  } finally {
    await file.close();
  }
}

/** Bytes at the end of the file, all of them. */
export async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
  }
}
