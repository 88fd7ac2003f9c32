// Files that are either the old or the new whole, also after a power failure.

import { open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Suffix of a file that is not finished; what a start finds of them is rubbish. */
export const DRAFT = '.draft';

/** Writes the file (mode 0600) under another name, then renames it. Nothing stays behind when that fails. */
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

/** `''` for a file that is not there. */
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
