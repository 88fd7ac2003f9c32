// `backup`: copies the content of a data folder into one file, with or without a running server. `compact`: returns
// free space of the database to the disk, without a running server.

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../errors.ts';
import { BACKUP_NUMBER_GAP } from '../../limits/backend.ts';
import { forOperator } from '../../system/operator-errors.ts';
import { databaseFile, openBeside, openStore } from '../store/store.ts';
import { type Contents, countContents } from './check.ts';
import { sweepSome } from './removal.ts';

/**
 * Copies the database, as it is at this moment, into a file that must not exist; the server may go on. The file is
 * there when it is complete and safely on the disk. Throws AppError with a text for the operator.
 */
export function backUp(folder: string, file: string): Contents & { bytes: number } {
  if (existsSync(file)) throw new AppError('conflict', `${file} exists already; nothing was written.`);
  const unfinished = `${file}.unfinished`;
  using store = openBeside(databaseFile(folder));
  try {
    rmSync(unfinished, { force: true });
    // Made before SQLite writes into it, so that nobody else can ever read it.
    closeSync(openSync(unfinished, 'wx', 0o600));
    // One read transaction: the copy is of one moment, and nobody who writes waits for it.
    store.db.prepare('VACUUM INTO ?').run(unfinished);
    prepareReturn(unfinished);
    flush(unfinished);
    if (existsSync(file)) throw new AppError('conflict', `${file} exists already; nothing was written.`);
    renameSync(unfinished, file);
    flush(dirname(file));
  } catch (error) {
    if (existsSync(unfinished)) rmSync(unfinished);
    const isOfFile = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isOfFile ? forOperator(error, `The backup ${file} cannot be written`, 'name another file') : error;
  }
  using copy = openBeside(file);
  return { ...countContents(copy), bytes: statSync(file).size };
}

/**
 * Prepares the copy for its restoration. It has no session keys: keys that are revoked later would become valid again.
 * Message numbers given out between backup and restoration are never given again: browsers and DAV clients that cached
 * them would take new messages for old ones. The same holds for the sequences of rooms, by which DAV clients ask for
 * changes.
 */
function prepareReturn(file: string): void {
  using copy = openBeside(file);
  copy.db.exec('PRAGMA journal_mode = OFF'); // nothing may be left beside the file; if this fails, the file goes
  copy.db.exec('PRAGMA secure_delete = ON; DELETE FROM session_key');
  copy.db.prepare("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'message'").run(BACKUP_NUMBER_GAP);
  copy.db.prepare('UPDATE room SET sequence = sequence + ?1, changes_from = sequence + ?1').run(BACKUP_NUMBER_GAP);
}

function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Rewrites the database without free pages. Returns its bytes before and after. Throws AppError while a server runs.
 */
export function compact(folder: string): { before: number; after: number } {
  const file = databaseFile(folder);
  openBeside(file).close();
  using store = openStore(folder);
  const before = bytesOf(file);
  while (sweepSome(store));
  store.db.exec("INSERT INTO message_text (message_text) VALUES ('optimize')");
  store.db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  return { before, after: bytesOf(file) };
}

/** of the database and its log */
function bytesOf(file: string): number {
  return statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}
