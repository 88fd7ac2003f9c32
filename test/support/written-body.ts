// Bodies in a store that belong to no message.

import { BodyWriter } from '../../src/backend/store/bodies.ts';
import type { Store } from '../../src/backend/store/store.ts';

/** Bytes of all values, with nothing that repeats soon. */
export function pattern(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i++) bytes[i] = (i * 31 + (i >> 8)) & 0xff;
  return bytes;
}

/** Comes in pieces of so many bytes; answers the blob. */
export function writeBody(store: Store, bytes: Buffer, pieceBytes: number): number {
  const body = new BodyWriter(store, { isMime: false, maxBytes: bytes.length });
  for (let at = 0; at < bytes.length; at += pieceBytes) body.append(bytes.subarray(at, at + pieceBytes));
  body.finish();
  return store.transaction(() => body.link());
}
