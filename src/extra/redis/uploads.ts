// Uploads that every gateway of a fleet can read. A body is first received on the gateway's disk, so that its size is
// known and a slow client occupies nothing in the store. The record is written last; chunks without record expire.

import { randomBytes, randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import {
  bytesLeft,
  fullQuota,
  goneUpload,
  ownerHash,
  readContent,
  refuseOversize,
  refuseUnusable,
  type StoredUpload,
  tooManyUnderWay,
  tooManyUploads,
  type UploadBounds,
  type Uploads,
} from '../../fleet/uploads.ts';
import {
  STORE_BEAT_MS,
  UPLOAD_CHUNK_BYTES,
  UPLOAD_CHUNKS_AT_ONCE,
  UPLOAD_LEASE_RENEW_MS,
  UPLOAD_LEASE_SECONDS,
  UPLOAD_PART_SECONDS,
} from '../../limits/processes.ts';
import { MAX_UPLOADS_PER_USER, UPLOAD_SECONDS } from '../../limits/sessions.ts';
import { storageFault } from '../../system/operator-errors.ts';
import { replyItems, replyText } from '../resp/reply.ts';
import type { StoreClient } from '../resp/store-client.ts';
import {
  BEGIN_UPLOAD,
  FIND_UPLOADS,
  FINISH_UPLOAD,
  GIVE_UP_UPLOAD,
  REMOVE_UPLOAD,
  RENEW_UPLOAD,
  RESERVE_UPLOAD,
} from './scripts.ts';
import { parseUpload } from './stored-values.ts';

/** `folder`: existing, for bodies in transit. */
export function redisUploads(client: StoreClient, prefix: string, folder: string, bounds: UploadBounds): Uploads {
  /** all in one slot of a cluster */
  const keysOf = (owner: string) =>
    ['records', 'sizes', 'order', 'under-way', 'reserved'].map((of) => `${prefix}:{${ownerHash(owner)}}:uploads:${of}`);
  /** each in its own slot, to spread the data over a cluster */
  const chunkKey = (ref: string, i: number) => `${prefix}:upload:${ref}:${i}`;

  async function find(owner: string, ...ref: string[]): Promise<StoredUpload[]> {
    const found = replyItems(await client.run(FIND_UPLOADS, keysOf(owner), [UPLOAD_SECONDS, ...ref])).map(replyText);
    const records: StoredUpload[] = [];
    for (let i = 0; i + 1 < found.length; i += 2) {
      const record = parseUpload(found[i + 1]!);
      if (record) records.push({ ...record, createdSeconds: Number(found[i]) });
    }
    return records;
  }

  async function begin(owner: string, id: string): Promise<number> {
    const args = [UPLOAD_SECONDS, id, UPLOAD_LEASE_SECONDS * 1000, bounds.underWay, MAX_UPLOADS_PER_USER];
    const held = await client.run(BEGIN_UPLOAD, keysOf(owner), args);
    if (typeof held === 'number') return bytesLeft(held, bounds.bytes);
    throw replyText(held) === 'busy' ? tooManyUnderWay() : tooManyUploads();
  }

  async function reserve(owner: string, id: string, bytes: number): Promise<void> {
    refuseOversize(0, bytes, bounds.bytes);
    const args = [UPLOAD_SECONDS, id, bytes, bounds.bytes];
    const answer = await client.run(RESERVE_UPLOAD, keysOf(owner), args);
    if (answer === 0) throw fullQuota();
    if (answer !== 1) throw tookTooLong();
  }

  /** Stores chunks in parallel, then extends their lifetime beyond that of the record. */
  async function send(path: string, ref: string, size: number): Promise<void> {
    const count = chunksOf(size);
    await withSome(count, async (i) => {
      const start = i * UPLOAD_CHUNK_BYTES;
      const pieces = await Array.fromAsync(readContent(path, start, Math.min(start + UPLOAD_CHUNK_BYTES, size) - 1));
      const key = chunkKey(ref, i);
      await client.ask(key, ['SET', key, Buffer.concat(pieces), 'EX', UPLOAD_PART_SECONDS]);
    });
    await withSome(count, async (i) => {
      const key = chunkKey(ref, i);
      // longer than the record, so that it always has its content
      if ((await client.ask(key, ['EXPIRE', key, UPLOAD_SECONDS + UPLOAD_PART_SECONDS])) !== 1) throw tookTooLong();
    });
  }

  const removeChunks = (ref: string, size: number) =>
    withSome(chunksOf(size), async (i) => {
      const key = chunkKey(ref, i);
      await client.ask(key, ['UNLINK', key]);
    });

  /**
   * Releases slot and reservation. Retries until the lease has expired, because a hanging store may still execute the
   * earlier commands.
   */
  async function giveUp(keys: string[], id: string, until = performance.now() + UPLOAD_LEASE_SECONDS * 1000) {
    try {
      await client.run(GIVE_UP_UPLOAD, keys, [id]);
    } catch {
      if (performance.now() < until) setTimeout(giveUp, STORE_BEAT_MS, keys, id, until).unref();
    }
  }

  /** Cleans up on failure. */
  async function addAs(owner: string, id: string, record: Omit<StoredUpload, 'createdSeconds'>, path: string) {
    try {
      await reserve(owner, id, record.contentlength);
      await send(path, record.ref, record.contentlength);
      const { contentlength, ref } = record;
      const args = [UPLOAD_SECONDS, id, contentlength, ref, JSON.stringify(record)];
      if ((await client.run(FINISH_UPLOAD, keysOf(owner), args)) === -1) throw tookTooLong();
    } catch (error) {
      await removeChunks(record.ref, record.contentlength).catch(() => {}); // they also expire
      throw error;
    }
  }

  return {
    async add(owner, { uploadfilename, contenttype }, save) {
      refuseUnusable(uploadfilename, contenttype);
      const id = randomUUID();
      const keys = keysOf(owner);
      const ref = randomBytes(16).toString('base64url');
      const path = join(folder, ref);
      let timer: NodeJS.Timeout | undefined;
      try {
        const maxBytes = await begin(owner, id);
        timer = setInterval(() => {
          client.run(RENEW_UPLOAD, keys, [id, UPLOAD_LEASE_SECONDS * 1000]).catch(() => {}); // retried by the next one
        }, UPLOAD_LEASE_RENEW_MS).unref();
        const contentlength = await save(path, maxBytes);
        if ((await sizeOf(path)) !== contentlength) throw new AppError('internal', 'The upload was truncated.');
        const record = { uploadfilename, contenttype, ref, contentlength };
        await addAs(owner, id, record, path);
        return record;
      } catch (error) {
        await giveUp(keys, id);
        throw storageFault(error);
      } finally {
        clearInterval(timer);
        await rm(path, { force: true });
      }
    },

    get: async (owner, ref) => (await find(owner, ref))[0],

    async *open({ ref, contentlength }, start = 0, end = contentlength - 1) {
      for (let position = start; position <= end; ) {
        const i = Math.floor(position / UPLOAD_CHUNK_BYTES);
        const key = chunkKey(ref, i);
        const chunk = await client.ask(key, ['GET', key]);
        const from = position - i * UPLOAD_CHUNK_BYTES;
        if (!Buffer.isBuffer(chunk) || chunk.length <= from) throw goneUpload();
        const piece = chunk.subarray(from, from + end + 1 - position);
        position += piece.length;
        yield piece;
      }
    },

    async remove(owner, ref) {
      const size = await client.run(REMOVE_UPLOAD, keysOf(owner), [UPLOAD_SECONDS, ref]);
      if (typeof size !== 'number' || size < 0) return false;
      await removeChunks(ref, size).catch(() => {}); // unreadable without the record, and they expire
      return true;
    },

    list: (owner) => find(owner),
    // counting would scan the store, which reports its own memory use; uploads expire there
    totals: () => undefined,
    sweep: async () => {},
  };
}

function chunksOf(size: number): number {
  return Math.ceil(size / UPLOAD_CHUNK_BYTES);
}

/** Runs for numbers from 0, some in parallel. Throws the first error after all have settled. */
async function withSome(count: number, run: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) {
      await run(next++).catch((error: unknown) => {
        next = count;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: UPLOAD_CHUNKS_AT_ONCE }, one));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0; // an empty file need not exist
  }
}

function tookTooLong(): AppError {
  return new AppError('busy', 'The upload took too long. Send it again.', { retryAfterSeconds: 1 });
}
