// What the parts of a running server share: how they are closed, and what the caller of `start` passes in.

import type { Worker } from 'node:worker_threads';
import type { CreatedAdmin } from '../backend/maintenance/bootstrap.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { RequestEntry } from '../telemetry/log-line.ts';

/** Opened parts. They are closed in the opposite order, also when opening a later one fails. */
export class Parts extends AsyncDisposableStack {
  keep<T extends { close(): void | Promise<void> }>(part: T): T {
    return this.adopt(part, (it) => it.close());
  }
}

export interface StartHooks {
  /** Receives a new administrator, whose password is shown once; called even if the start fails later. */
  tellAdmin?: (admin: CreatedAdmin) => void;
  logRequest?: (entry: RequestEntry) => void;
  /** receives information for the operator: a certificate was replaced, or is about to expire */
  tell?: (text: string) => void;
  /** starts a thread that renders messages */
  spawnRenderer?: (() => Worker) | undefined;
  /** thread of the embedded room server, if it was started early (startBackendThread) */
  backendThread?: Worker | undefined;
  /** set in a worker: what the first process provides */
  sharing?: Sharing | undefined;
}

/** What a worker gets from the first process of the server (workers/workers.ts). */
export interface Sharing {
  fleet: Fleet;
  /** of the embedded room server; undefined with `--backend` */
  socketPath: string | undefined;
  /** number of the worker, from 1 on */
  number: number;
}
