// Unix sockets that a killed run has left behind.

import { lstatSync, rmSync } from 'node:fs';
import { connect } from 'node:net';

/** Removes a socket on which nobody listens; anything else there is not ours. */
export async function removeDeadSocket(path: string): Promise<void> {
  const socket = connect(path);
  const code = await new Promise<string | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  socket.destroy();
  if (code === 'ECONNREFUSED' && lstatSync(path).isSocket()) rmSync(path);
}
