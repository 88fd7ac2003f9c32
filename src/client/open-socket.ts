// A socket to a room server, connected or failed in bounded time. For connection.ts.

import { AsyncLocalStorage } from 'node:async_hooks';
import { connect, type Socket } from 'node:net';
import { AppError } from '../errors.ts';
import { CONNECT_TIMEOUT_MS } from '../limits/protocol.ts';

/** where the room server listens */
export type Target = { path: string } | { host: string; port: number };

/** What comes on a connection is not done for the request that happened to open it (stalls.ts asks). */
const ofNoRequest = AsyncLocalStorage.snapshot();

/** Throws backend_unreachable, backend_timeout. */
export async function openSocket(target: Target): Promise<Socket> {
  const socket = ofNoRequest(() => connect(target));
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new AppError('backend_timeout', 'The room server does not answer.'));
    }, CONNECT_TIMEOUT_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      resolve();
    });
    socket.once('error', (cause) => {
      clearTimeout(timer);
      reject(new AppError('backend_unreachable', 'The room server cannot be reached.', { cause }));
    });
  });
  return socket;
}
