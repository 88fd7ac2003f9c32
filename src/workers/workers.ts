// --workers: further processes of one server, managed by the first one, which has the room server, the fleet and the
// administration listener. Each worker has a gateway that listens on the same port (SO_REUSEPORT) and calls the first
// process for shared state (fleet/shared-fleet.ts). They are processes rather than threads, so that a crash or memory
// shortage affects only one.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isSea } from 'node:sea';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WORKER_COMMAND } from '../cli/command-table.ts';
import type { ServeOptions } from '../cli/serve-options.ts';
import { type CallMessage, Calls } from '../fleet/calls.ts';
import type { SharedFleet } from '../fleet/shared-fleet.ts';
import { FIRST_RESTART_MS, LAST_RESTART_MS, STEADY_WORKER_MS, WORKER_END_MS } from '../limits/processes.ts';

/** the first message to a worker */
export interface WorkerStart {
  options: ServeOptions;
  /** socket of the embedded room server; undefined with `--backend` */
  socketPath: string | undefined;
  /** from 1; stable across restarts */
  number: number;
}

export interface Workers {
  /** Passes on the live options. */
  reload(options: ServeOptions): void;
  /** The metrics of all responsive workers, as text. */
  metrics(): Promise<string[]>;
  /** Lets running requests finish; resolves when all workers have ended. */
  close(): Promise<void>;
}

interface WorkerHost extends Omit<WorkerStart, 'number'> {
  /** undefined: each process has its own client of the shared store */
  shared: SharedFleet | undefined;
  log: (requestId: string, error: unknown) => void;
}

/** Resolves when all listen. Throws if one fails to start, and stops the others. */
export async function startWorkers(count: number, host: WorkerHost): Promise<Workers> {
  const workers = Array.from({ length: count }, (_, i) => new WorkerProcess(host, i + 1));
  const close = async () => void (await Promise.all(workers.map((worker) => worker.close())));
  try {
    await Promise.all(workers.map((worker) => worker.start()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    reload(options) {
      host.options = options;
      for (const worker of workers) worker.reload(options);
    },
    async metrics() {
      const texts = await Promise.allSettled(workers.map((worker) => worker.metrics()));
      return texts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    },
    close,
  };
}

class WorkerProcess {
  readonly #host: WorkerHost;
  readonly #number: number;
  readonly #closing = new AbortController();
  #running: { child: ChildProcess; calls: Calls; ended: Promise<unknown> } | undefined;
  #restarting: Promise<void> | undefined;
  /** delay of the next restart in milliseconds */
  #pause = 0;

  constructor(host: WorkerHost, number: number) {
    this.#host = host;
    this.#number = number;
  }

  /** Resolves when it listens. From then on it is restarted whenever it ends. */
  async start(): Promise<void> {
    const { child, calls, ended } = this.#spawn();
    const started = performance.now();
    try {
      const { options, socketPath } = this.#host;
      await calls.call('start', { options, socketPath, number: this.#number } satisfies WorkerStart);
    } catch (error) {
      child.kill('SIGKILL');
      await ended;
      throw error;
    }
    void ended.then(() => {
      if (!this.#closing.signal.aborted) this.#restarting = this.#restart(child, performance.now() - started);
    });
  }

  reload(options: ServeOptions): void {
    this.#running?.calls.call('reload', options).catch((error: unknown) => this.#host.log('-', error));
  }

  metrics(): Promise<string> {
    return this.#running?.calls.call<string>('metrics') ?? Promise.reject(new Error('It does not run.'));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#restarting;
    if (!this.#running) return;
    const { child, calls, ended } = this.#running;
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#host.options.drainSeconds * 1000 + WORKER_END_MS);
    await calls.call('close').catch(() => undefined); // it may have ended already
    if (child.connected) child.disconnect();
    await ended;
    clearTimeout(timer);
  }

  #spawn() {
    const { shared } = this.#host;
    const script = isSea() ? [] : [...process.execArgv, fileURLToPath(new URL('../main.ts', import.meta.url))];
    const { NOTIFY_SOCKET: _, ...env } = process.env; // only this process notifies the service manager
    const child = spawn(process.execPath, [...script, WORKER_COMMAND], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
      env,
    });
    const calls: Calls = new Calls(
      // messages to a process that has ended are dropped
      (message) => child.connected && child.send(message, () => {}),
      shared?.join(() => calls) ?? {},
    );
    child.on('message', (message) => calls.take(message as CallMessage));
    const ended = Promise.race([once(child, 'exit'), once(child, 'error')]).finally(() => {
      shared?.leave(calls);
      calls.end();
      if (this.#running?.child === child) this.#running = undefined;
    });
    this.#running = { child, calls, ended };
    return this.#running;
  }

  async #restart({ exitCode, signalCode }: ChildProcess, ranMs: number): Promise<void> {
    const { signal } = this.#closing;
    const how = signalCode ?? `exit code ${exitCode}`;
    this.#host.log('-', `Worker ${this.#number} ended (${how}) and is being restarted.`);
    this.#pause = ranMs > STEADY_WORKER_MS ? 0 : nextPause(this.#pause);
    for (; ; this.#pause = nextPause(this.#pause)) {
      await sleep(this.#pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.start();
        return;
      } catch (error) {
        this.#host.log('-', error);
      }
    }
  }
}

function nextPause(pause: number): number {
  return Math.min(Math.max(2 * pause, FIRST_RESTART_MS), LAST_RESTART_MS);
}
