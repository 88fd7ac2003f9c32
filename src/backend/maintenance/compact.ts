// Gives the space of a database that is not used any more back to the file system.

import { statSync } from 'node:fs';
import { databaseFile, openBeside, openStore } from '../store/store.ts';
import { sweepSome } from './sweeping.ts';

/** Rewrites the database without its gaps. Answers its bytes before and after. Throws AppError while a server runs. */
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
