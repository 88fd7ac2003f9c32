// Reading a range of a file in pieces that are pulled, without node's stream machinery.

import { type FileHandle, open } from 'node:fs/promises';
import { STREAM_CHUNK_BYTES } from '../limits/protocol.ts';

/** Bytes from start (inclusive) to end (exclusive). Throws Error when the file has become shorter than that. */
export async function* readPieces(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer, void, void> {
  let at = start;
  while (at < end) {
    const wanted = Math.min(STREAM_CHUNK_BYTES, end - at);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) throw new Error('file became shorter while it was read');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** As readPieces; opens the file at the first pull and closes it at the end or when the consumer stops. */
export async function* readPath(path: string, start: number, end: number): AsyncGenerator<Buffer, void, void> {
  const file = await open(path, 'r');
  try {
    yield* readPieces(file, start, end);
  } finally {
    await file.close();
  }
}
