// The care of a data folder: a copy of everything, a look whether it is sound, giving unused space back. Called by
// store-command.ts, in a process of its own beside the room server or without one.

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../errors.ts';
import { BACKUP_NUMBER_GAP } from '../../limits/backend.ts';
import { forOperator } from '../../system/operator-errors.ts';
import { ROOM_STATE } from '../store/schema.ts';
import { databaseFile, openBeside, openStore, type Store } from '../store/store.ts';
import { findFaults } from './check.ts';
import { sweepSome } from './sweeping.ts';

export interface Contents {
  rooms: number;
  messages: number;
}

/**
 * Copies the database, as it is at this moment, into a file that must not exist; the server may go on. The file is there
 * when it is complete and safely on the disk. Throws AppError with a text for the operator.
 */
export function backUp(folder: string, file: string): Contents & { bytes: number } {
  if (existsSync(file)) throw new AppError('conflict', `${file} exists already; nothing was written.`);
  const unfinished = `${file}.unfinished`;
  const store = openBeside(databaseFile(folder));
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
  } finally {
    store.close();
  }
  const copy = openBeside(file);
  try {
    return { ...contents(copy), bytes: statSync(file).size };
  } finally {
    copy.close();
  }
}

/**
 * No session goes on when the backup is put back: those that have been ended since would, too.
 * Numbers that are given between a backup and the day it is put back are never given again: browsers and DAV clients that
 * have kept what they meant would take the new messages for the old ones.
 */
function prepareReturn(file: string): void {
  const copy = openBeside(file);
  try {
    copy.db.exec('PRAGMA journal_mode = OFF'); // nothing may be left beside the file; if this fails, the file goes
    copy.db.exec('PRAGMA secure_delete = ON; DELETE FROM session_key');
    copy.db.prepare("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'message'").run(BACKUP_NUMBER_GAP);
  } finally {
    copy.close();
  }
}

/** Tells each fault that there is in a database file; answers how much is in it. Throws AppError when it is none. */
export function check(file: string, tell: (fault: string) => void): Contents {
  const store = openBeside(file);
  try {
    store.db.exec('BEGIN');
    for (const fault of findFaults(store)) tell(fault);
    return contents(store);
  } finally {
    store.close();
  }
}

/** Rewrites the database without its gaps. Answers its bytes before and after. Throws AppError while a server runs. */
export function compact(folder: string): { before: number; after: number } {
  const file = databaseFile(folder);
  openBeside(file).close();
  const store = openStore(folder);
  try {
    const before = bytesOf(file);
    while (sweepSome(store));
    store.db.exec("INSERT INTO message_text (message_text) VALUES ('optimize')");
    store.db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    return { before, after: bytesOf(file) };
  } finally {
    store.close();
  }
}

function contents(store: Store): Contents {
  const row = store.db
    .prepare(
      `SELECT (SELECT count(*) FROM room WHERE dropped = ${ROOM_STATE.there}) AS rooms,
         (SELECT count(DISTINCT message) FROM room_message) AS messages`,
    )
    .get()!;
  return { rooms: Number(row.rooms), messages: Number(row.messages) };
}

/** of the database and its log */
function bytesOf(file: string): number {
  return statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
