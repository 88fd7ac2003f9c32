// A socket to a room server, connected or failed in bounded time.

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { CONNECT_TIMEOUT_MS, FIRST_RETRY_MS, LAST_RETRY_MS } from '../../limits/protocol.ts';
import { stopping } from './connection-fault.ts';
import type { ServerTrust } from './server-trust.ts';

/** where the room server listens; `tls`: nothing but the greeting and STLS goes there in clear */
export type ServerAddress = { path: string } | { host: string; port: number; tls?: ServerTrust };

/** How long a connect that fails at once is tried again, in milliseconds; absent: not at all. */
export interface Patience {
  /** while the server has no place for one more that it has not accepted yet (EAGAIN, unix sockets only) */
  fullMs: number;
  /** while nobody listens where somebody has */
  refusedMs: number;
  /** gives up, with busy */
  signal: AbortSignal;
}

/** Throws backend_unreachable, backend_timeout; busy where the server was full to the end. */
export async function openSocket(target: ServerAddress, patience?: Patience): Promise<Socket> {
  const started = performance.now();
  for (let pause = FIRST_RETRY_MS; ; pause = Math.min(2 * pause, LAST_RETRY_MS)) {
    try {
      return await openOnce(target);
    } catch (error) {
      const left = patience === undefined ? 0 : started + timeFor(error, patience) - performance.now();
      if (left < pause) throw error;
    }
    await sleep(pause, undefined, { signal: patience!.signal }).catch(() => {
      throw stopping();
    });
  }
}

function timeFor(error: unknown, { fullMs, refusedMs }: Patience): number {
  const code = causeOf(error);
  return code === 'EAGAIN' ? fullMs : code === 'ECONNREFUSED' ? refusedMs : 0;
}

function causeOf(error: unknown): string | undefined {
  return error instanceof AppError ? (error.cause as NodeJS.ErrnoException | undefined)?.code : undefined;
}

async function openOnce(target: ServerAddress): Promise<Socket> {
  const at = 'path' in target ? target : { host: target.host, port: target.port };
  const socket = connect(at);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new AppError('backend_timeout', 'The room server does not answer.'));
    }, CONNECT_TIMEOUT_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve();
    });
    // it stays: an error that comes before the new owner listens must not end the process
    socket.on('error', (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const isFull = cause.code === 'EAGAIN';
      reject(
        isFull
          ? new AppError('busy', 'Too many connect to the room server.', { cause, retryAfterSeconds: 2 })
          : new AppError('backend_unreachable', 'The room server cannot be reached.', { cause }),
      );
    });
  });
  return socket;
}
