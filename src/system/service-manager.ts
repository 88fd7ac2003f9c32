// The service manager that has started the program (systemd, sd_notify(3)): told when the server is ready and when it
// stops. Node has no datagram unix sockets, so systemd's own systemd-notify says it; it lies wherever systemd does.

import { execFile } from 'node:child_process';

/** the first descriptor that a service manager hands over (sd_listen_fds(3)) */
const FIRST_FD = 3;

export type Words = Readonly<Record<string, string | undefined>>;

/**
 * The listening socket that was handed over to this process; undefined: none. `count` is what is wrong, where there
 * are several.
 */
export function inheritedSocket(env: Words, pid = process.pid): { fd: number } | { count: number } | undefined {
  if (env.LISTEN_PID !== String(pid)) return undefined;
  const count = Number(env.LISTEN_FDS);
  return count === 1 ? { fd: FIRST_FD } : count > 1 ? { count } : undefined;
}

/**
 * Says `READY=1`, `STOPPING=1` and what else there is, each a word of sd_notify. Resolves when the manager has taken
 * them, or with why it could not be told.
 */
export function notifyServiceManager(words: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('systemd-notify', words, (error) => {
      resolve(error ? `The service manager could not be told ${words[0]}: ${error.message.split('\n')[0]}` : undefined);
    });
  });
}
