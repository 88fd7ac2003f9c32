// Keeps a folder to one process. The kernel drops the lock with the process, however that ends; a file that merely
// exists would outlive a crash. Used by backend/store.ts and fleet/fleet.ts.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from './errors.ts';

const SQLITE_BUSY = 5;

export interface FolderLock {
  close(): void;
}

/** The folder exists. Throws conflict, with a text for the operator, while another process holds it. */
export function lockFolder(folder: string): FolderLock {
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw error;
    throw new AppError('conflict', `The data folder ${folder} is in use by another server.`, { cause: error });
  }
}
