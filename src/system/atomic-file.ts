// Files that are either the old or the new whole, also after a power failure.

import { open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Suffix of a file that is not finished; what a start finds of them is rubbish. */
export const DRAFT = '.draft';

/** Writes the file (mode 0600) under another name, then renames it. Nothing stays behind when that fails. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = path + DRAFT;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
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
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
