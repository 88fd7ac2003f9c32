// Uploads on disk: the content is `<root>/<owner's folder>/<ref>`, the record `<ref>.json` beside it. The record is
// written last and removed first, so that it always has a content.

import { mkdir, open, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { readPieces, writeAtomically } from '../system/file-pieces.ts';
import { storageFault } from '../system/operator-errors.ts';

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

export interface LoadedUpload {
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
