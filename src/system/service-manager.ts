// Tells the service manager (systemd, sd_notify(3)) when the server is ready and when it stops. Node has no datagram
// unix sockets, so this calls systemd-notify.

import { execFile } from 'node:child_process';

/** first descriptor passed by a service manager (sd_listen_fds(3)) */
const FIRST_FD = 3;

export type Words = Readonly<Record<string, string | undefined>>;

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
