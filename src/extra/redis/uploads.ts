// Uploads that every gateway of a fleet can read. A body comes to the gateway's own disk first: its size is known
// before anything of it takes space in the store, and a slow client holds none there. The record is written last, so
// that it never points to nothing; chunks that belong to no record go by themselves.

import { randomBytes, randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { goneUpload, readContent, type StoredUpload } from '../../fleet/upload-files.ts';
import {
  bytesLeft,
  fullQuota,
  ownerHash,
  refuseOversize,
  refuseUnusable,
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
} from '../../limits/resp.ts';
import { MAX_UPLOADS_PER_USER, UPLOAD_SECONDS } from '../../limits/sessions.ts';
import { storageFault } from '../../system/storage-fault.ts';
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

/** `folder`: for bodies on their way; it exists. */
export function redisUploads(client: StoreClient, prefix: string, folder: string, bounds: UploadBounds): Uploads {
  /** All in one slot of a cluster. */
  const keysOf = (owner: string) =>
    ['records', 'sizes', 'order', 'under-way', 'reserved'].map((of) => `${prefix}:{${ownerHash(owner)}}:uploads:${of}`);
  /** Each in a slot of its own: the bytes of all uploads spread over a cluster. */
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

  /** Some chunks at a time; then each is kept for as long as the record will be. */
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
      // longer than the record, so that it never points to nothing
      if ((await client.ask(key, ['EXPIRE', key, UPLOAD_SECONDS + UPLOAD_PART_SECONDS])) !== 1) throw tookTooLong();
    });
  }

  const removeChunks = (ref: string, size: number) =>
    withSome(chunksOf(size), async (i) => {
      const key = chunkKey(ref, i);
      await client.ask(key, ['UNLINK', key]);
    });

  /**
   * Gives back the place and what was reserved. A store that hung may do in the end what it was asked, when nobody
   * waits any more: told again and again until the lease is over, so that it does not count against the user.
   */
  async function giveUp(keys: string[], id: string, until = performance.now() + UPLOAD_LEASE_SECONDS * 1000) {
    try {
      await client.run(GIVE_UP_UPLOAD, keys, [id]);
    } catch {
      if (performance.now() < until) setTimeout(giveUp, STORE_BEAT_MS, keys, id, until).unref();
    }
  }

  /** With what it has taken given back where it comes to nothing. */
  async function addAs(owner: string, id: string, record: Omit<StoredUpload, 'createdSeconds'>, path: string) {
    try {
      await reserve(owner, id, record.contentlength);
      await send(path, record.ref, record.contentlength);
      const { contentlength, ref } = record;
      const args = [UPLOAD_SECONDS, id, contentlength, ref, JSON.stringify(record)];
      if ((await client.run(FINISH_UPLOAD, keysOf(owner), args)) === -1) throw tookTooLong();
    } catch (error) {
      await removeChunks(record.ref, record.contentlength).catch(() => {}); // they go by themselves, too
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
          client.run(RENEW_UPLOAD, keys, [id, UPLOAD_LEASE_SECONDS * 1000]).catch(() => {}); // the next one may work
        }, UPLOAD_LEASE_RENEW_MS).unref();
        const contentlength = await save(path, maxBytes);
        if ((await sizeOf(path)) !== contentlength) throw new AppError('internal', 'The upload was cut short.');
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
      await removeChunks(ref, size).catch(() => {}); // without a record nobody can read them, and they go by themselves
      return true;
    },

    list: (owner) => find(owner),
    // to count them would be to go through the store: it tells of its space, and what expires goes there by itself
    totals: () => undefined,
    sweep: async () => {},
  };
}

function chunksOf(size: number): number {
  return Math.ceil(size / UPLOAD_CHUNK_BYTES);
}

/** Numbers from 0 on, some at once. Throws what the first one throws, when all that run have ended. */
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
    return 0; // an empty one need not be written
  }
}

function tookTooLong(): AppError {
  return new AppError('busy', 'The upload took too long to be kept. Send it again.', { retryAfterSeconds: 1 });
}
