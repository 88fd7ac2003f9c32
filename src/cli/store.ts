// `vestibule backup`, `check` and `compact`.

import { backUp, compact } from '../backend/maintenance/backup.ts';
import { type Contents, check } from '../backend/maintenance/check.ts';
import { databaseFile } from '../backend/store/store.ts';
import { AppError } from '../errors.ts';
import { MAX_TOLD_FAULTS } from '../limits/backend.ts';
import type { StoreAction } from './commands.ts';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Prints the result. Sets exit code 1 if damage was found. Throws AppError for the operator. */
export function runStoreCommand(action: StoreAction & { dataFolder: string }): void {
  const { dataFolder } = action;
  try {
    switch (action.action) {
      case 'backup': {
        const { bytes, ...contents } = backUp(dataFolder, action.file);
        console.log(`Backed up ${inWords(contents)} to ${action.file} (${size(bytes)})`);
        return;
      }
      case 'check':
        runCheck(action.file ?? databaseFile(dataFolder));
        return;
      case 'compact': {
        const { before, after } = compact(dataFolder);
        console.log(`Compacted from ${size(before)} to ${size(after)}`);
      }
    }
  } catch (error) {
    // SQLite's messages are clear: a full disk, not a database, a read-only folder
    if ((error as { code?: unknown }).code !== 'ERR_SQLITE_ERROR') throw error;
    throw new AppError('internal', `vestibule ${action.action} failed: ${(error as Error).message}.`, { cause: error });
  }
}

function runCheck(file: string): void {
  let faults = 0;
  const contents = check(file, (fault) => {
    if (++faults <= MAX_TOLD_FAULTS) console.log(fault);
  });
  if (faults === 0) {
    console.log(`Sound: ${inWords(contents)}`);
    return;
  }
  console.log(`${faults} fault${faults === 1 ? '' : 's'} in ${inWords(contents)}`);
  process.exitCode = 1;
}

function inWords({ rooms, messages }: Contents): string {
  return `${messages} message${messages === 1 ? '' : 's'} in ${rooms} room${rooms === 1 ? '' : 's'}`;
}

// 12345678 → '12.3 MB'
function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
