// How many files and connections the system lets this process have open: RLIMIT_NOFILE, which Node raises to the
// highest that it may be. Where none is left, a connection that comes is reset, and nobody can be told why.

import { readFileSync } from 'node:fs';
import { MAX_REFUSED_CONNECTIONS } from '../limits/http.ts';

const LIMITS = '/proc/self/limits';

/** undefined where it is not known, or there is no bound. */
export function openFilesLimit(text = readIfThere()): number | undefined {
  const soft = /^Max open files +(\d+)/m.exec(text)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/**
 * As many connections of clients as leave room for those that are told that there are too many, and for what serves
 * them: files, and connections to room servers.
 */
export function connectionsWithin(openFiles: number): number {
  return Math.max(1, Math.floor((openFiles - MAX_REFUSED_CONNECTIONS) / 2));
}

function readIfThere(): string {
  try {
    return readFileSync(LIMITS, 'utf8');
  } catch {
    return ''; // another system than Linux
  }
}
