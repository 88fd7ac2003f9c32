// The process and the operating system: the limit of open files and connections (RLIMIT_NOFILE), which Node raises to
// the hard limit, and beyond which new connections are reset without explanation; the service manager (systemd,
// sd_notify(3)), which passes a socket and is notified when the server is ready and when it stops.

import { execFile } from 'node:child_process';
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

/** first descriptor passed by a service manager (sd_listen_fds(3)) */
const FIRST_FD = 3;

type Words = Readonly<Record<string, string | undefined>>;

/** The listening socket passed to this process, or the number of sockets if there are several. */
export function inheritedSocket(env: Words, pid = process.pid): { fd: number } | { count: number } | undefined {
  if (env.LISTEN_PID !== String(pid)) return undefined;
  const count = Number(env.LISTEN_FDS);
  return count === 1 ? { fd: FIRST_FD } : count > 1 ? { count } : undefined;
}

/** Sends `READY=1`, `STOPPING=1` and so on. Resolves with an error text, if any. */
export function notifyServiceManager(words: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('systemd-notify', words, (error) => {
      resolve(
        error ? `Notifying the service manager (${words[0]}) failed: ${error.message.split('\n')[0]}` : undefined,
      );
    });
  });
}
