// Reading stored message bodies, piece by piece: they are rows of chunks (bodies.ts).

import { BACKEND_CHUNK_BYTES } from '../../limits/backend.ts';
import type { Store } from './store.ts';

/** Chunks in memory, and the number of the first. */
interface ChunksAtHand {
  from: number;
  chunks: readonly Buffer[];
}

/** Reads the chunks of a stored body and caches the last one, which may hold thousands of parts. For one reply only. */
export class BodyChunks {
  readonly #store: Store;
  readonly #blob: number;
  readonly #atHand: ChunksAtHand;
  #seq = -1;
  #chunk: Buffer | undefined;

  /** `atHand`: of a body that has just arrived */
  constructor(store: Store, blob: number, atHand: ChunksAtHand = { from: 0, chunks: [] }) {
    this.#store = store;
    this.#blob = blob;
    this.#atHand = atHand;
  }

  /**
   * The bytes of a chunk from `start` up to `end` or its own end; one read to its end is not cached while the peer
   * receives it. Throws if the body was deleted meanwhile, so that a truncated reply cannot look complete.
   */
  take(seq: number, start: number, end: number): Buffer {
    const chunk = this.#chunk && seq === this.#seq ? this.#chunk : this.#read(seq);
    this.#seq = seq;
    this.#chunk = end < chunk.length ? chunk : undefined;
    return chunk.subarray(start, end);
  }

  #read(seq: number): Buffer {
    const known = this.#atHand.chunks[seq - this.#atHand.from];
    if (known) return known;
    const select = this.#store.prepare('SELECT data FROM chunk WHERE blob = ? AND seq = ?');
    const row = select.get(this.#blob, seq) as { data: Uint8Array } | undefined;
    if (!row) throw new Error('The body was deleted while it was read.');
    return Buffer.from(row.data.buffer, row.data.byteOffset, row.data.byteLength);
  }
}

/**
 * The bytes from `start` up to (not including) `end` of a stored body, at most one chunk at a time. Throws as
 * BodyChunks.
 */
export function* readBlob(
  store: Store,
  blob: number,
  start = 0,
  end = bodySize(store, blob),
  chunks = new BodyChunks(store, blob),
): Generator<Buffer> {
  for (let at = start; at < end; ) {
    const seq = Math.floor(at / BACKEND_CHUNK_BYTES);
    const offset = at - seq * BACKEND_CHUNK_BYTES;
    const piece = chunks.take(seq, offset, offset + end - at);
    if (piece.length === 0) throw new Error('A stored body is shorter than its size says.');
    yield piece;
    at += piece.length;
  }
}

/** `content` of a body that is not deleted before it is sent, even if its message is deleted or replaced. */
export function* held(store: Store, blob: number, content: Iterable<Buffer>): Generator<Buffer> {
  const sending = store.sending.getOrInsertComputed(blob, () => ({ times: 0, isDeleted: false }));
  sending.times++;
  try {
    yield* content;
  } finally {
    if (--sending.times === 0) {
      store.sending.delete(blob);
      if (sending.isDeleted) store.onGarbage();
    }
  }
}

/** 0 if there is none. */
export function bodySize(store: Store, blob: number): number {
  const row = store.prepare('SELECT size FROM blob WHERE id = ?').get(blob) as { size: number } | undefined;
  return row?.size ?? 0;
}
