// Message bodies as rows of chunks, written while they arrive and read piece by piece, so that a body of any size needs
// constant memory. Called by enter.ts (writing), messages.ts (linking) and everything that shows a message.

import { BACKEND_CHUNK_BYTES, BACKEND_INLINE_BYTES } from '../limits.ts';
import { type MimePart, MimeWalker } from '../mime/walk.ts';
import type { Store } from './store.ts';
import { Refusal } from './verb.ts';

const FIRST_BUFFER_BYTES = 4096;
const LF = Buffer.from('\n');
const EMPTY = Buffer.alloc(0);

/**
 * Takes one body. Up to BACKEND_INLINE_BYTES stay in memory; what is beyond goes to `chunk` rows under a `blob` row that
 * is not complete, in short transactions, so that a slow sender holds no lock. Order of use: append…, finish, link
 * (inside the transaction that stores the message); abort whenever the message is not stored after all.
 */
export class BodyWriter {
  readonly #store: Store;
  readonly #maxBytes: number;
  readonly #walker: MimeWalker | undefined;
  #size = 0;
  #isTooLarge = false;
  /** full chunks that are not written yet */
  #full: Buffer[] = [];
  #current = EMPTY;
  #used = 0;
  #blob: number | undefined;
  #written = 0;
  #linked: number | undefined;
  #structure: MimePart | undefined;

  /** `isMime`: the body begins with MIME header lines (format 4), its structure is worked out as it comes. */
  constructor(store: Store, options: { isMime: boolean; maxBytes: number }) {
    this.#store = store;
    this.#maxBytes = options.maxBytes;
    this.#walker = options.isMime ? new MimeWalker() : undefined;
  }

  get size(): number {
    return this.#size;
  }

  /** More than `maxBytes` came: nothing is kept, and the message must be refused. */
  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  /** MIME structure with offsets into the body; known after finish() of a format 4 body. */
  get structure(): MimePart | undefined {
    return this.#structure;
  }

  append(bytes: Buffer): void {
    if (this.#isTooLarge) return;
    if (this.#size + bytes.length > this.#maxBytes) {
      this.#isTooLarge = true;
      this.abort();
      return;
    }
    this.#size += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      if (this.#used === this.#current.length) this.#grow(bytes.length - at);
      const taken = bytes.copy(this.#current, this.#used, at);
      this.#used += taken;
      at += taken;
      if (this.#used === BACKEND_CHUNK_BYTES) this.#closeChunk();
    }
  }

  /** A piece of a line, as session.ts hands it over; the LF is added when the line has ended. */
  appendPiece(bytes: Buffer, ended: boolean): void {
    this.append(bytes);
    if (ended) this.append(LF);
  }

  finish(): void {
    if (this.#used > 0) {
      const last = this.#current.subarray(0, this.#used);
      this.#walker?.push(last);
      this.#full.push(last);
      this.#current = EMPTY;
      this.#used = 0;
    }
    this.#structure = this.#walker?.end();
  }

  /** Writes what is still in memory and completes the blob. Inside a transaction only; a second call changes nothing. */
  link(): number {
    if (this.#linked !== undefined) return this.#linked;
    const blob = this.#blob ?? this.#openBlob();
    this.#writeChunks(blob, this.#full, this.#written);
    this.#store.prepare('UPDATE blob SET size = ?, complete = 1 WHERE id = ?').run(this.#size, blob);
    this.#linked = blob;
    return blob;
  }

  /** Nothing of the body remains, in memory or in the store. Harmless when repeated, or when link() was rolled back. */
  abort(): void {
    this.#full = [];
    this.#current = EMPTY;
    this.#used = 0;
    const blob = this.#blob;
    if (blob === undefined) return;
    this.#blob = undefined;
    try {
      this.#store.transaction(() => {
        this.#store.prepare('DELETE FROM blob WHERE id = ? AND complete = 0').run(blob);
      });
    } catch (error) {
      // a disk that is full may have no room to delete either: what is not complete is dropped at the next start
      if (!(error instanceof Refusal)) throw error;
    }
  }

  #grow(needed: number): void {
    const length = Math.min(Math.max(FIRST_BUFFER_BYTES, this.#used * 2, this.#used + needed), BACKEND_CHUNK_BYTES);
    const larger = Buffer.allocUnsafeSlow(length);
    this.#current.copy(larger, 0, 0, this.#used);
    this.#current = larger;
  }

  #closeChunk(): void {
    this.#walker?.push(this.#current);
    this.#full.push(this.#current);
    this.#current = EMPTY;
    this.#used = 0;
    if (this.#full.length * BACKEND_CHUNK_BYTES < BACKEND_INLINE_BYTES) return;
    this.#store.transaction(() => {
      const blob = this.#blob ?? this.#openBlob();
      this.#writeChunks(blob, this.#full, this.#written);
      this.#blob = blob;
    });
    this.#written += this.#full.length;
    this.#full = [];
  }

  #openBlob(): number {
    const { lastInsertRowid } = this.#store.prepare('INSERT INTO blob (size, complete) VALUES (0, 0)').run();
    return Number(lastInsertRowid);
  }

  #writeChunks(blob: number, chunks: Buffer[], firstSeq: number): void {
    const insert = this.#store.prepare('INSERT INTO chunk (blob, seq, data) VALUES (?, ?, ?)');
    for (let i = 0; i < chunks.length; i++) insert.run(blob, firstSeq + i, chunks[i]!);
  }
}

/** A body that is at hand, finished and ready to be linked. */
export function wholeBody(store: Store, format: number, bytes: Buffer): BodyWriter {
  const body = new BodyWriter(store, { isMime: format === 4, maxBytes: bytes.length });
  body.append(bytes);
  body.finish();
  return body;
}

/**
 * The bytes from `start` up to (not including) `end` of a stored body, at most one chunk at a time. Holds nothing open
 * between the pieces; throws when the body was deleted meanwhile, so that a cut answer cannot look complete.
 */
export function* readBody(store: Store, blob: number, start = 0, end = bodySize(store, blob)): Generator<Buffer> {
  const select = store.prepare('SELECT data FROM chunk WHERE blob = ? AND seq = ?');
  for (let at = start; at < end; ) {
    const seq = Math.floor(at / BACKEND_CHUNK_BYTES);
    const row = select.get(blob, seq) as { data: Uint8Array } | undefined;
    if (!row) throw new Error('The body was deleted while it was read.');
    const offset = at - seq * BACKEND_CHUNK_BYTES;
    const piece = Buffer.from(row.data.buffer, row.data.byteOffset, row.data.byteLength).subarray(
      offset,
      offset + end - at,
    );
    if (piece.length === 0) throw new Error('A stored body is shorter than its size says.');
    yield piece;
    at += piece.length;
  }
}

function bodySize(store: Store, blob: number): number {
  const row = store.prepare('SELECT size FROM blob WHERE id = ?').get(blob) as { size: number } | undefined;
  return row?.size ?? 0;
}
