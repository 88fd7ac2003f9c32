// The limit of open files and connections (RLIMIT_NOFILE), which Node raises to the hard limit. Without a free
// descriptor, new connections are reset without explanation.

import { readFileSync } from 'node:fs';
import { MAX_REFUSED_CONNECTIONS } from '../limits/http.ts';

const LIMITS = '/proc/self/limits';

/** undefined: unknown or unlimited. */
export function openFilesLimit(text = readIfThere()): number | undefined {
  const soft = /^Max open files +(\d+)/m.exec(text)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** The number of client connections that leaves room for rejected ones, files, and connections to room servers. */
export function connectionsWithin(openFiles: number): number {
  return Math.max(1, Math.floor((openFiles - MAX_REFUSED_CONNECTIONS) / 2));
}

function readIfThere(): string {
  try {
    return readFileSync(LIMITS, 'utf8');
  } catch {
    return ''; // not Linux
  }
}
