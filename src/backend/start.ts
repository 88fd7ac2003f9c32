// Starts the embedded room server in its worker thread. The gateway connects to its unix socket like to any other room
// server.

import type { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { BACKEND_YOUNG_HEAP_MIB } from '../limits/backend.ts';
import { startThread } from '../system/assets.ts';
import type { CertificatePair } from '../system/tls.ts';
import type { CreatedAdmin } from './maintenance/bootstrap.ts';
import type { WorkerData, WorkerMessage, WorkerOrder } from './worker.ts';

export interface Backend {
  socketPath: string;
  adminSocketPath: string;
  /** where ordinary clients connect, with the real port */
  lineListenUrl?: string;
  /** the administrator created in an empty data folder */
  createdAdmin?: CreatedAdmin;
  /** Replaces the certificate for later handshakes. */
  useCertificate(certificate: CertificatePair): void;
  /** Ends all sessions and closes the database. */
  close(): Promise<void>;
  /** resolves when the server ends unexpectedly; never rejects */
  failed: Promise<Error>;
}

export interface BackendOptions extends WorkerData {
  /** receives a fault inside the room server, with its stack; the server goes on */
  onFault?: (message: string) => void;
}

/** Starts the thread, which loads its script while this thread goes on. */
export function startBackendThread(): Worker {
  return startThread('backend/worker', { maxYoungGenerationSizeMb: BACKEND_YOUNG_HEAP_MIB });
}

/**
 * Resolves when the server accepts connections. Throws AppError with a text for the operator. `worker`: a thread that
 * has been started already.
 */
export async function startBackend(options: BackendOptions, worker: Worker = startBackendThread()): Promise<Backend> {
  const { onFault, ...data } = options;
  worker.postMessage(data satisfies WorkerData);
  const send = (order: WorkerOrder) => worker.postMessage(order);
  let isClosing = false;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return new Promise<Backend>((resolve, reject) => {
    const failed = new Promise<Error>((report) => {
      const fail = (error: Error): void => {
        if (isClosing) return;
        report(error);
        // No effect once the server was ready.
        reject(error);
      };
      worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
      worker.on('exit', () => fail(new Error('The room server ended.')));
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'fault') onFault?.(message.message);
        if (message.type === 'failed') fail(new AppError('internal', message.message));
        // Everything is closed: do not wait for what may still keep the thread alive.
        if (message.type === 'failed' || message.type === 'closed') void worker.terminate();
        if (message.type === 'ready') {
          const { type: _type, ...ready } = message;
          resolve({
            ...ready,
            failed,
            useCertificate: (certificate) => send({ certificate }),
            close: async () => {
              isClosing = true;
              send('close');
              await ended;
            },
          });
        }
      });
    });
  });
}
