// Folders and files for one process and one account: made with private modes, locked through SQLite. The kernel drops
// the lock with the process, however that ends; a file that merely exists would outlive a crash.

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../errors.ts';
import { forOperator } from './operator-errors.ts';

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;

export interface FolderLock {
  close(): void;
}

/**
 * For its owner alone, with those above it where they are missing; none of them stays if one cannot be made. Node's own
 * `recursive` never ends where a folder takes no others, such as /proc. Throws AppError with a text for the operator.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at);
  const made: string[] = [];
  try {
    for (const one of missing) if (makeOne(one)) made.unshift(one);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'EEXIST' });
  } catch (error) {
    for (const one of made) rmdirSync(one);
    throw forOperator(error, `The folder ${folder} cannot be used`, 'name another one');
  }
}

/** Answers whether it was made here, and not by somebody else in the same moment. */
function makeOne(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(folder)) throw error;
    return false;
  }
}

/**
 * The file is there then, and for its owner alone, also in a folder that others may look into. What SQLite makes beside
 * it (log, journal) gets its mode. Throws node's errors.
 */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  takeFromOthers(file);
}

/** Of a file that is there. Another account's stays as it is: that account has decided. */
export function takeFromOthers(file: string): void {
  const { mode } = statSync(file);
  if ((mode & 0o077) === 0) return;
  try {
    chmodSync(file, mode & 0o700);
  } catch (error) {
    if (!['EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** The folder exists. Throws AppError with a text for the operator: another process holds it, it cannot be written. */
export function lockFolder(folder: string): FolderLock {
  const file = join(folder, 'lock');
  try {
    makePrivate(file);
  } catch {} // SQLite says the same, with a number that tells what it means
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
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
        throw forOperator(error, `The file ${file} cannot be used`, 'see what it is, or remove it');
    }
  }
}
