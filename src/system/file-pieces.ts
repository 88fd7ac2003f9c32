// Reads and writes files in pieces, without the overhead of node streams.

import { type FileHandle, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../errors.ts';
import { SYNC_AHEAD_BYTES } from '../limits/http.ts';
import { STREAM_CHUNK_BYTES } from '../limits/protocol.ts';

/** A consumer may pass a finished piece to next(), which then reuses its memory. */
type FilePieces = AsyncGenerator<Buffer, void, Buffer | undefined>;

/**
 * Content from start (inclusive) to end (exclusive), reading one piece ahead. Throws internal if the file is shorter.
 */
export async function* readPieces(file: FileHandle, start: number, end: number): FilePieces {
  let coming = start < end ? readPiece(file, start, end) : undefined;
  let spent: Buffer | undefined;
  try {
    for (let at = start; coming; ) {
      const piece = await coming;
      at += piece.length;
      coming = at < end ? readPiece(file, at, end, spent) : undefined;
      coming?.catch(() => {}); // awaited at the next pull, if any
      spent = yield piece;
    }
  } finally {
    await coming?.catch(() => {});
  }
}

// reuses memory: a new buffer for each piece would keep the garbage collector busy
async function readPiece(file: FileHandle, at: number, end: number, spent?: Buffer): Promise<Buffer> {
  const wanted = Math.min(STREAM_CHUNK_BYTES, end - at);
  const room = spent && spent.length >= wanted ? spent : Buffer.allocUnsafe(wanted);
  const { bytesRead, buffer } = await file.read(room, 0, wanted, at);
  if (bytesRead === 0) throw new AppError('internal', 'A file was truncated while it was read.');
  return buffer.subarray(0, bytesRead);
}

/** Opens the file at the first pull, and closes it at the end or when the consumer stops. */
export async function* readPath(path: string, start: number, end: number): FilePieces {
  const file = await open(path, 'r');
  try {
    yield* readPieces(file, start, end);
  } finally {
    await file.close();
  }
}

/**
 * Writes a new private file and returns its size. Writes while the next piece arrives, and starts syncing early, so
 * that a final sync is short. Throws what the source throws, and EEXIST.
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
      // after a failed sync, no further ones: only one of them would report the error
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

/** Appends all bytes. */
export async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
  }
}

/** Suffix of unfinished files; those found at start are garbage. */
export const DRAFT = '.draft';

/** Writes a temporary file (mode 0600) and renames it. Leaves nothing behind on failure. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = path + DRAFT;
  try {
    await writeDurably(draft, text);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

/** `''` if the file does not exist. */
export async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Makes the folder's entries durable. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
}
