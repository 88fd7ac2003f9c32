// Private folders and files, and a lock for a folder. The lock is SQLite's: the kernel releases it when the process
// ends, whereas a lock file would survive a crash.

import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
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
 * Creates a folder and its parents with mode 0700; removes them again on failure. (Node's `recursive` never returns in
 * some folders, such as /proc.) An existing one must not be writable for others, who could replace the files in it.
 * Throws AppError for the operator.
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
    throw forOperator(error, `The folder ${folder} cannot be used`, 'choose another one');
  }
  if (process.platform !== 'win32') denyWritingToOthers(folder);
}

/** Throws AppError for a folder that is shared on purpose (sticky, such as /tmp) or belongs to another account. */
function denyWritingToOthers(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & 0o022) === 0) return;
  const isShared = (mode & 0o1000) !== 0;
  try {
    if (!isShared) {
      chmodSync(folder, mode & 0o7755);
      return;
    }
  } catch {} // not ours
  const advice = isShared ? 'choose a folder of its own' : `run chmod go-w ${folder}, or choose another one`;
  throw new AppError('internal', `Other accounts can write to the folder ${folder}: ${advice}.`);
}

/** False: somebody else created it at the same moment. */
function makeOne(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(folder)) throw error;
    return false;
  }
}

/** Creates the file if needed and makes it private. SQLite's side files inherit its mode. Throws node's errors. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  takeFromOthers(file);
}

/** Removes the access of others. Leaves files of another account, which has decided. */
export function takeFromOthers(file: string): void {
  const { mode } = statSync(file);
  if ((mode & 0o077) === 0) return;
  try {
    chmodSync(file, mode & 0o700);
  } catch (error) {
    if (!['EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Throws AppError for the operator if another process holds the lock, or the folder is not writable. */
export function lockFolder(folder: string): FolderLock {
  const file = join(folder, 'lock');
  try {
    makePrivate(file);
  } catch {} // SQLite reports the same with a clear code
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
        throw forOperator(error, `The file ${file} cannot be used`, 'check what it is, or remove it');
    }
  }
}

/** Removes a socket that nobody listens on; leaves any other file. */
export async function removeDeadSocket(path: string): Promise<void> {
  const socket = connect(path);
  const code = await new Promise<string | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  socket.destroy();
  if (code === 'ECONNREFUSED' && lstatSync(path).isSocket()) rmSync(path);
}
