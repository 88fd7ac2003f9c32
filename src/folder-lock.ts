// Keeps a folder to one process. The kernel drops the lock with the process, however that ends; a file that merely
// exists would outlive a crash. Used by backend/store.ts and fleet/fleet.ts.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from './errors.ts';

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;

export interface FolderLock {
  close(): void;
}

/** The folder exists. Throws AppError with a text for the operator: another process holds it, it cannot be written. */
export function lockFolder(folder: string): FolderLock {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    switch (((error as { errcode?: number }).errcode ?? 0) % 256) {
      case SQLITE_BUSY:
        throw new AppError('conflict', `The data folder ${folder} is in use by another server.`, { cause: error });
      case SQLITE_READONLY:
      case SQLITE_CANTOPEN:
        throw new AppError('internal', `The data folder ${folder} cannot be written.`, { cause: error });
      default:
        throw error;
    }
  }
}
