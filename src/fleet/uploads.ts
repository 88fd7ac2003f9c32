// Files that users upload in advance (POST p), to be fetched or attached later, with unguessable refs. Records and
// totals are in memory. On disk the content is `<root>/<owner folder>/<ref>`, the record `<ref>.json` beside it, written last and
// removed first, so that it always has a content.

import { hash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { MAX_FILE_NAME_BYTES } from '../limits/http.ts';
import {
  MAX_CONTENT_TYPE_BYTES,
  MAX_UPLOAD_BYTES_PER_USER,
  MAX_UPLOADS_PER_USER,
  MAX_UPLOADS_UNDER_WAY_PER_USER,
  UPLOAD_SECONDS,
} from '../limits/sessions.ts';
import { readPieces, writeAtomically } from '../system/file-pieces.ts';
import { storageFault } from '../system/operator-errors.ts';

/** limits per owner */
export interface UploadBounds {
  bytes: number;
  underWay: number;
}

export const UPLOAD_BOUNDS: UploadBounds = {
  bytes: MAX_UPLOAD_BYTES_PER_USER,
  underWay: MAX_UPLOADS_UNDER_WAY_PER_USER,
};

export interface Uploads {
  /**
   * `save` writes at most `maxBytes` to a new file at `path` and returns the number of bytes. Leaves nothing behind if
   * it throws. Throws bad_request (invalid name or type), busy, too_large, insufficient_storage. The ref has 128 random
   * bits.
   */
  add(
    owner: string,
    record: { uploadfilename: string; contenttype: string },
    save: (path: string, maxBytes: number) => Promise<number>,
  ): Promise<UploadRecord>;
  /** undefined: unknown, expired, malformed, or of another owner. */
  get(owner: string, ref: string): Promise<StoredUpload | undefined>;
  /** Content from `start` to `end`, both inclusive. Throws not_found, busy. */
  open(record: UploadRecord, start?: number, end?: number): AsyncIterable<Buffer>;
  /** False: get would not find it. */
  remove(owner: string, ref: string): Promise<boolean>;
  /** Oldest first. */
  list(owner: string): Promise<StoredUpload[]>;
  /** Number and size of all uploads; undefined: unknown to this process. */
  totals(): UploadTotals | undefined;
  /** Removes what has expired. */
  sweep(): Promise<void>;
}

export interface UploadTotals {
  count: number;
  bytes: number;
}

export interface LocalUploads extends Uploads {
  /** Path of the content; undefined: unknown ref. */
  pathOf(ref: string): string | undefined;
}

/** An owner's uploads, in order of creation. */
interface Holdings {
  records: Map<string, StoredUpload>;
  bytes: number;
  underWay: number;
}

/** Opens the uploads below `root`, which is created if missing. */
export async function openLocalUploads(root: string, bounds = UPLOAD_BOUNDS): Promise<LocalUploads> {
  /** by the owner's folder */
  const holdingsOf = new Map<string, Holdings>();
  /** ref → owner's folder; only known refs become part of a path */
  const folderOf = new Map<string, string>();

  for (const { folder, record } of await loadUploads(root)) {
    const holdings = claim(folder);
    holdings.bytes += record.contentlength;
    keep(holdings, folder, record);
  }

  function claim(folder: string): Holdings {
    return holdingsOf.getOrInsertComputed(folder, () => ({ records: new Map(), bytes: 0, underWay: 0 }));
  }

  function keep(holdings: Holdings, folder: string, record: StoredUpload): void {
    holdings.records.set(record.ref, record);
    folderOf.set(record.ref, folder);
  }

  function forgetIfEmpty(folder: string, holdings: Holdings): void {
    if (holdings.records.size + holdings.underWay === 0) holdingsOf.delete(folder);
  }

  function find(owner: string, ref: string): StoredUpload | undefined {
    const record = holdingsOf.get(ownerHash(owner))?.records.get(ref);
    return record && !isExpired(record) ? record : undefined;
  }

  /** False: already removed. */
  async function drop(folder: string, record: StoredUpload): Promise<boolean> {
    const path = join(root, folder, record.ref);
    await removeRecord(path);
    const holdings = holdingsOf.get(folder);
    if (!holdings?.records.delete(record.ref)) return false;
    folderOf.delete(record.ref);
    holdings.bytes -= record.contentlength;
    forgetIfEmpty(folder, holdings);
    await removeContent(path);
    return true;
  }

  async function dropExpired(folder: string): Promise<void> {
    for (const record of holdingsOf.get(folder)?.records.values() ?? []) {
      if (!isExpired(record)) break;
      await drop(folder, record);
    }
  }

  function pathOf(ref: string): string | undefined {
    const folder = folderOf.get(ref);
    return folder === undefined ? undefined : join(root, folder, ref);
  }

  const uploads: LocalUploads = {
    pathOf,

    async add(owner, { uploadfilename, contenttype }, save) {
      refuseUnusable(uploadfilename, contenttype);
      const folder = ownerHash(owner);
      await dropExpired(folder);
      const holdings = claim(folder);
      const maxBytes = admit(holdings, bounds);
      holdings.underWay++;
      const ref = randomBytes(16).toString('base64url');
      const path = join(root, folder, ref);
      let contentlength = 0;
      try {
        await mkdir(join(root, folder), { recursive: true, mode: 0o700 });
        const written = await save(path, maxBytes);
        refuseOversize(holdings.bytes, written, bounds.bytes);
        contentlength = written;
        holdings.bytes += contentlength; // before the next await: concurrent uploads share the quota
        if ((await finishContent(path)) !== written) throw new AppError('internal', 'The upload was truncated.');
        const record = { uploadfilename, contenttype, ref, contentlength };
        const stored = { ...record, createdSeconds: nowSeconds() };
        await writeRecord(path, stored);
        keep(holdings, folder, stored);
        return record;
      } catch (error) {
        holdings.bytes -= contentlength;
        await removeRecord(path);
        await removeContent(path);
        throw storageFault(error);
      } finally {
        holdings.underWay--;
        forgetIfEmpty(folder, holdings);
      }
    },

    get: async (owner, ref) => find(owner, ref),

    async *open(record, start = 0, end = record.contentlength - 1) {
      const path = pathOf(record.ref);
      if (path === undefined) throw goneUpload();
      yield* readContent(path, start, end);
    },

    async remove(owner, ref) {
      const record = find(owner, ref);
      return record ? drop(ownerHash(owner), record) : false;
    },

    async list(owner) {
      const records = holdingsOf.get(ownerHash(owner))?.records.values() ?? [];
      return [...records].filter((record) => !isExpired(record));
    },

    totals() {
      let bytes = 0;
      for (const holdings of holdingsOf.values()) bytes += holdings.bytes;
      return { count: folderOf.size, bytes };
    },

    async sweep() {
      for (const folder of [...holdingsOf.keys()]) await dropExpired(folder);
    },
  };
  await uploads.sweep();
  return uploads;
}

/** Owners may contain any character, so folders are named by their hash. */
export function ownerHash(owner: string): string {
  return hash('sha256', owner, 'hex');
}

/** Maximum size of a new upload. */
function admit({ underWay, records, bytes }: Holdings, max: UploadBounds): number {
  if (underWay >= max.underWay) throw tooManyUnderWay();
  if (records.size + underWay >= MAX_UPLOADS_PER_USER) throw tooManyUploads();
  return bytesLeft(bytes, max.bytes);
}

export function tooManyUnderWay(): AppError {
  return new AppError('busy', 'Too many simultaneous uploads.', { retryAfterSeconds: 1 });
}

export function tooManyUploads(): AppError {
  return new AppError('insufficient_storage', `The limit is ${MAX_UPLOADS_PER_USER} uploads. Delete some first.`);
}

/** Remaining quota of an owner. Throws insufficient_storage if there is none. */
export function bytesLeft(bytes: number, max: number): number {
  if (bytes >= max) throw fullQuota();
  return max - bytes;
}

/** Throws too_large, insufficient_storage. */
export function refuseOversize(held: number, bytes: number, max: number): void {
  if (bytes > max) throw new AppError('too_large', 'The upload is too large.');
  if (bytes > max - held) throw fullQuota();
}

export function fullQuota(): AppError {
  return new AppError('insufficient_storage', 'The upload quota is exhausted. Delete some uploads first.');
}

/** Throws bad_request for an invalid name or type. */
export function refuseUnusable(uploadfilename: string, contenttype: string): void {
  refuseUnusableText(uploadfilename, MAX_FILE_NAME_BYTES, 'The file name');
  refuseUnusableText(contenttype, MAX_CONTENT_TYPE_BYTES, 'The content type');
}

function refuseUnusableText(text: string, maxBytes: number, what: string): void {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
    throw new AppError('bad_request', `${what} is too long.`);
  }
  if (/[\0-\x1f\x7f]/.test(text)) throw new AppError('bad_request', `${what} contains a control character.`);
}

function isExpired(record: StoredUpload): boolean {
  return record.createdSeconds + UPLOAD_SECONDS <= nowSeconds();
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

export interface UploadRecord {
  uploadfilename: string;
  contenttype: string;
  ref: string;
  /** bytes */
  contentlength: number;
}

export interface StoredUpload extends UploadRecord {
  createdSeconds: number;
}

const FOLDER = /^[0-9a-f]{64}$/;
const RECORD_FILE = /^([\w-]{22})\.json$/;

interface LoadedUpload {
  folder: string;
  record: StoredUpload;
}

/** All complete uploads below `root`, oldest first. Removes leftovers of a crash. */
export async function loadUploads(root: string): Promise<LoadedUpload[]> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const loaded: LoadedUpload[] = [];
  for (const folder of await readdir(root)) {
    if (!FOLDER.test(folder)) continue;
    const names = await readdir(join(root, folder));
    const rubbish = new Set(names);
    for (const name of names) {
      const ref = RECORD_FILE.exec(name)?.[1];
      const record = ref && (await loadRecord(join(root, folder), ref));
      if (!record) continue;
      loaded.push({ folder, record });
      rubbish.delete(name);
      rubbish.delete(ref);
    }
    for (const name of rubbish) await rm(join(root, folder, name), { recursive: true, force: true });
    if (rubbish.size === names.length) await rmdir(join(root, folder));
  }
  return loaded.sort((a, b) => a.record.createdSeconds - b.record.createdSeconds);
}

async function loadRecord(folder: string, ref: string): Promise<StoredUpload | undefined> {
  try {
    const record = JSON.parse(await readFile(join(folder, `${ref}.json`), 'utf8')) as StoredUpload;
    const content = await stat(join(folder, ref));
    return record.ref === ref && record.contentlength === content.size ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Syncs the content, which does not exist if nothing was written, and returns its length. */
export async function finishContent(path: string): Promise<number> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.chmod(0o600);
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

export async function writeRecord(path: string, record: StoredUpload): Promise<void> {
  await writeAtomically(`${path}.json`, JSON.stringify(record));
}

export async function removeRecord(path: string): Promise<void> {
  await rm(`${path}.json`, { force: true });
}

export async function removeContent(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Content from `start` to `end`, both inclusive. Throws not_found, busy. */
export async function* readContent(path: string, start: number, end: number): AsyncGenerator<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? goneUpload() : storageFault(error);
  });
  try {
    yield* readPieces(file, start, end + 1);
  } finally {
    await file.close();
  }
}

export function goneUpload(): AppError {
  return new AppError('not_found', 'The upload does not exist.');
}
