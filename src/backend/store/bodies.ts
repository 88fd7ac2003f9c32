// Message bodies as rows of chunks, written while they arrive and read piece by piece, so that a body of any size needs
// constant memory. Identical bodies are stored once.

import { createHash } from 'node:crypto';
import { BACKEND_CHUNK_BYTES, BACKEND_INLINE_BYTES, BACKEND_SWEEP_BYTES } from '../../limits/backend.ts';
import { objectPartOf, type PostedObject, readPosted } from '../../mime/posted-object.ts';
import { type MimePart, MimeWalker } from '../../mime/walk.ts';
import type { ChangeScope } from '../../system/change-counts.ts';
import { atOnce, type Steps } from '../../system/steps.ts';
import { FORMAT } from './records.ts';
import { Refusal } from './refusal.ts';
import { CONTENT_STATE } from './schema.ts';
import type { Store } from './store.ts';

const FIRST_BUFFER_BYTES = 4096;
const EMPTY = Buffer.alloc(0);
/** of a body that is in memory entirely */
const NO_BLOB = 0;
/** of a body that is still arriving */
const NOTHING_SHOWN = (): ChangeScope => ({});

/** The body of a message that is about to be stored. */
export interface StorableBody {
  /** The blob that holds it. Inside a transaction only. */
  link(): number;
  /** Its chunks once it is linked, if some are in memory and need not be read. */
  chunks?(): BodyChunks;
  /** MIME structure, of format 4 */
  readonly structure: MimePart | undefined;
  /** the calendar object, card or note that the message consists of, if any */
  readonly object: PostedObject | undefined;
  /** bytes */
  readonly size: number;
}

/**
 * Takes one body. Up to BACKEND_INLINE_BYTES stay in memory; what is beyond goes to `chunk` rows under a `blob` row
 * that is not complete, in short transactions, so that a slow sender holds no lock. Order of use: append…, finish,
 * link (inside the transaction that stores the message); abort whenever the message is not stored after all.
 */
export class BodyWriter implements StorableBody {
  readonly #store: Store;
  readonly #maxBytes: number;
  readonly #walker: MimeWalker | undefined;
  readonly #hash = createHash('sha256');
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
  #digest: Buffer | undefined;
  #object: PostedObject | undefined;

  /** `isMime`: the body begins with MIME header lines (format 4); its structure is parsed as it arrives. */
  constructor(store: Store, options: { isMime: boolean; maxBytes: number }) {
    this.#store = store;
    this.#maxBytes = options.maxBytes;
    this.#walker = options.isMime ? new MimeWalker() : undefined;
  }

  get size(): number {
    return this.#size;
  }

  /** More than `maxBytes` arrived: nothing is stored, and the message must be refused. */
  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  /** MIME structure with offsets into the body; known after finish() of a format 4 body. */
  get structure(): MimePart | undefined {
    return this.#structure;
  }

  get object(): PostedObject | undefined {
    return atOnce(this.readObject());
  }

  /** The same in steps, as long as it is not linked. After finish(). */
  *readObject(): Steps<PostedObject | undefined> {
    const part = this.#structure && objectPartOf(this.#structure);
    if (!part || this.#object) return this.#object;
    const blob = this.#linked ?? this.#blob ?? NO_BLOB;
    const source = readBlob(this.#store, blob, part.start, part.end, this.#chunksOf(blob));
    this.#object = yield* readPosted(part, source);
    return this.#object;
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

  finish(): void {
    if (this.#used > 0) this.#addChunk(this.#current.subarray(0, this.#used));
    this.#structure = this.#walker?.end();
    this.#digest = this.#hash.digest();
  }

  /**
   * Writes what is still in memory and completes the blob; where the same bytes are stored already, it is that blob and
   * nothing is written. After finish(), inside a transaction only; a second call changes nothing.
   */
  link(): number {
    if (this.#linked === undefined) {
      this.#linked =
        this.#blob === undefined ? (this.#insert() ?? this.#stored()!) : (this.#stored() ?? this.#complete());
      this.#store.onRollback(() => (this.#linked = undefined));
    }
    return this.#linked;
  }

  chunks(): BodyChunks {
    return this.#chunksOf(this.link());
  }

  #chunksOf(blob: number): BodyChunks {
    return new BodyChunks(this.#store, blob, { from: this.#written, chunks: this.#full });
  }

  /** Drops the body from memory and store. May be repeated, and called after a rollback of link(). */
  abort(): void {
    this.#full = [];
    this.#current = EMPTY;
    this.#used = 0;
    const blob = this.#blob;
    // if the server has ended, the next start drops incomplete bodies
    if (blob === undefined || !this.#store.db.isOpen) return;
    this.#blob = undefined;
    try {
      this.#store.transaction(() => {
        const isPending = this.#store
          .prepare(`SELECT 1 FROM blob WHERE id = ? AND complete = ${CONTENT_STATE.arriving}`)
          .get(blob);
        if (isPending) removeBlob(this.#store, blob, this.#size);
      });
    } catch (error) {
      // a full disk may not even allow a deletion
      if (!(error instanceof Refusal)) throw error;
    }
  }

  #grow(needed: number): void {
    const length = Math.min(Math.max(FIRST_BUFFER_BYTES, this.#used * 2, this.#used + needed), BACKEND_CHUNK_BYTES);
    const larger = Buffer.allocUnsafeSlow(length);
    this.#current.copy(larger, 0, 0, this.#used);
    this.#current = larger;
  }

  /** The blob that holds the same bytes. */
  #stored(): number | undefined {
    const found = this.#store
      .prepare(`SELECT id FROM blob WHERE hash = ? AND complete = ${CONTENT_STATE.complete}`)
      .get(this.#digest!);
    if (found && this.#blob !== undefined) removeBlob(this.#store, this.#blob, this.#size);
    return found && Number(found.id);
  }

  /** The whole body at once; undefined if the same bytes are stored already. */
  #insert(): number | undefined {
    const { changes, lastInsertRowid } = this.#store
      .prepare(
        `INSERT INTO blob (size, complete, hash) VALUES (?, ${CONTENT_STATE.complete}, ?)
         ON CONFLICT (hash) WHERE complete = ${CONTENT_STATE.complete} DO NOTHING`,
      )
      .run(this.#size, this.#digest!);
    if (Number(changes) === 0) return undefined;
    const blob = Number(lastInsertRowid);
    this.#writeChunks(blob, this.#full, 0);
    return blob;
  }

  #complete(): number {
    const blob = this.#blob!;
    this.#writeChunks(blob, this.#full, this.#written);
    const complete = this.#store.prepare(
      `UPDATE blob SET size = ?, complete = ${CONTENT_STATE.complete}, hash = ? WHERE id = ?`,
    );
    complete.run(this.#size, this.#digest!, blob);
    return blob;
  }

  #addChunk(chunk: Buffer): void {
    this.#walker?.push(chunk);
    this.#hash.update(chunk);
    this.#full.push(chunk);
    this.#current = EMPTY;
    this.#used = 0;
  }

  #closeChunk(): void {
    this.#addChunk(this.#current);
    if (this.#full.length * BACKEND_CHUNK_BYTES < BACKEND_INLINE_BYTES) return;
    this.#store.transaction(() => {
      const opened = `INSERT INTO blob (size, complete) VALUES (0, ${CONTENT_STATE.arriving})`;
      const blob = this.#blob ?? Number(this.#store.prepare(opened).run().lastInsertRowid);
      this.#writeChunks(blob, this.#full, this.#written);
      this.#blob = blob;
    }, NOTHING_SHOWN);
    this.#written += this.#full.length;
    this.#full = [];
  }

  #writeChunks(blob: number, chunks: Buffer[], firstSeq: number): void {
    const insert = this.#store.prepare('INSERT INTO chunk (blob, seq, data) VALUES (?, ?, ?)');
    for (let i = 0; i < chunks.length; i++) insert.run(blob, firstSeq + i, chunks[i]!);
  }
}

/** A finished body from a buffer, ready to be linked. */
export function finishedBody(store: Store, format: number, bytes: Buffer): BodyWriter {
  const body = new BodyWriter(store, { isMime: format === FORMAT.mime, maxBytes: bytes.length });
  body.append(bytes);
  body.finish();
  return body;
}

/** Call it after deleting a message with this body: deletes the body with the last one. Inside a transaction only. */
export function releaseBlob(store: Store, blob: number): void {
  if (store.get`SELECT 1 FROM message WHERE blob = ${blob} LIMIT 1`) return;
  removeBlob(store, blob, bodySize(store, blob));
}

/** A large body, or one that is being sent, is only marked here and removed in pieces, by maintenance/removal.ts. */
function removeBlob(store: Store, blob: number, size: number): void {
  const sending = store.sending.get(blob);
  if (size <= BACKEND_SWEEP_BYTES && !sending) {
    store.run`DELETE FROM blob WHERE id = ${blob}`;
    return;
  }
  if (sending) sending.isDeleted = true;
  store.prepare(`UPDATE blob SET complete = ${CONTENT_STATE.removed} WHERE id = ?`).run(blob);
  store.noteGarbage();
}

/** Chunks in memory, and the number of the first. */
interface ChunksInMemory {
  from: number;
  chunks: readonly Buffer[];
}

/** Reads the chunks of a stored body and caches the last one, which may hold thousands of parts. For one reply only. */
export class BodyChunks {
  readonly #store: Store;
  readonly #blob: number;
  readonly #inMemory: ChunksInMemory;
  #seq = -1;
  #chunk: Buffer | undefined;

  /** `inMemory`: of a body that has just arrived */
  constructor(store: Store, blob: number, inMemory: ChunksInMemory = { from: 0, chunks: [] }) {
    this.#store = store;
    this.#blob = blob;
    this.#inMemory = inMemory;
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
    const known = this.#inMemory.chunks[seq - this.#inMemory.from];
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
function bodySize(store: Store, blob: number): number {
  const row = store.get<{ size: number }>`SELECT size FROM blob WHERE id = ${blob}`;
  return row?.size ?? 0;
}
