// The pool of rendering threads. A job that takes too long, or breaks its thread, fails alone: a new thread takes the
// place. Threads start when they are first needed, since a gateway whose messages are small needs none.

import { availableParallelism } from 'node:os';
import { isMarkedAsUntransferable, type Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import {
  MAX_RENDER_HEAP_MIB,
  MAX_RENDER_REST_MS,
  MAX_RENDER_THREADS,
  MIN_RENDER_THREADS,
  RENDER_RESTS,
  RENDER_TIMEOUT_MS,
} from '../limits/render.ts';
import { startThread } from '../system/bundled-scripts.ts';
import { FairQueue } from '../system/fair-queue.ts';
import { requestTurns } from '../system/turn-queue.ts';
import type { RenderJob } from './job.ts';

/** What a thread says of its job. */
export type RenderAnswer = { json: Uint8Array | undefined } | { refusal: string } | { fault: unknown };

export interface RenderThreadsOptions {
  /** how a thread is made */
  spawn?: () => Worker;
  logError: (who: string, error: unknown) => void;
  count?: number;
  timeoutMs?: number;
}

interface Thread {
  worker: Worker;
  settle: ((outcome: Outcome) => void) | undefined;
}

/** `died`: for this cause */
type Outcome = RenderAnswer | { ended: AppError } | { died: unknown };

/** What is said of a message that is read, and of an object that is to be stored. */
const READING = {
  failed: 'This message could not be made ready for reading. It can be downloaded as it is.',
  tooSlow: 'This message takes too long to be made ready for reading. It can be downloaded as it is.',
};
const CHECKING = {
  failed: 'Whether this may be stored could not be found out. It was not stored.',
  tooSlow: 'To find out whether this may be stored takes too long. It was not stored.',
};

export class RenderThreads {
  readonly #options: RenderThreadsOptions;
  readonly #queue: FairQueue;
  readonly #threads = new Set<Thread>();
  #isClosed = false;

  constructor(options: RenderThreadsOptions) {
    this.#options = options;
    const places = options.count ?? threadCount();
    const unbounded = { maxWaiting: Number.POSITIVE_INFINITY, maxWaitingPerCaller: Number.POSITIVE_INFINITY };
    // one caller never has all threads; who waits here holds one of MAX_RENDERINGS
    const placesPerCaller = Math.max(1, Math.floor(places / 2));
    this.#queue = new FairQueue({
      places,
      placesPerCaller,
      ...unbounded,
      maxWaitMs: 2 ** 31 - 1,
      refused: tooMuchToRead,
    });
  }

  /**
   * What render.ts makes of the job, whose source is gone from here then. Throws not_rendered where the time or the
   * memory of a thread does not suffice, busy when the gateway stops.
   */
  async run(job: RenderJob, caller: string, signal: AbortSignal): Promise<Buffer | undefined> {
    const leave = await this.#queue.enter(caller, signal);
    const began = performance.now();
    const before = requestTurns.shortCount;
    try {
      return await this.#runIn(this.#idleThread(), job);
    } finally {
      // the place rests, and with it the caller's next job: this one's answer does not wait
      const rest = Math.min((performance.now() - began) * RENDER_RESTS, MAX_RENDER_REST_MS);
      if (requestTurns.shortCount === before) leave();
      else setTimeout(leave, rest).unref();
    }
  }

  /** What runs is broken off. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, stopping())));
  }

  async #runIn(thread: Thread, job: RenderJob): Promise<Buffer | undefined> {
    const { worker } = thread;
    const words = job.kind === 'object' ? CHECKING : READING;
    let timer: NodeJS.Timeout | undefined;
    const outcome = await new Promise<Outcome>((resolve) => {
      thread.settle = resolve;
      const { timeoutMs = RENDER_TIMEOUT_MS } = this.#options;
      timer = setTimeout(() => this.#end(thread, new AppError('not_rendered', words.tooSlow)), timeoutMs);
      worker.ref();
      const { buffer } = job.source;
      worker.postMessage(job, isMarkedAsUntransferable(buffer) ? [] : [buffer as ArrayBuffer]);
    });
    clearTimeout(timer);
    thread.settle = undefined;
    worker.unref(); // an idle thread keeps no program alive
    if ('ended' in outcome) throw outcome.ended;
    if ('refusal' in outcome) throw new AppError('not_rendered', outcome.refusal);
    if ('fault' in outcome) throw new AppError('not_rendered', words.failed, { cause: outcome.fault });
    if ('died' in outcome) throw new AppError('not_rendered', words.failed, { cause: outcome.died });
    const { json } = outcome;
    return json && Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  }

  #idleThread(): Thread {
    if (this.#isClosed) throw stopping();
    for (const thread of this.#threads) if (!thread.settle) return thread;
    const { spawn = spawnThread } = this.#options;
    const worker = spawn();
    const thread: Thread = { worker, settle: undefined };
    this.#threads.add(thread);
    worker.on('message', (answer: RenderAnswer) => thread.settle?.(answer));
    const died = (cause: unknown) => {
      if (!this.#threads.has(thread)) return;
      this.#threads.delete(thread);
      this.#options.logError('render', cause);
      thread.settle?.({ died: cause });
    };
    worker.on('error', died);
    worker.on('exit', () => died(new Error('A thread that renders messages ended.')));
    return thread;
  }

  async #end(thread: Thread, reason: AppError): Promise<void> {
    this.#threads.delete(thread);
    thread.settle?.({ ended: reason });
    await thread.worker.terminate();
  }
}

function spawnThread(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: MAX_RENDER_HEAP_MIB };
  return startThread('render/worker', { resourceLimits });
}

function threadCount(): number {
  return Math.min(MAX_RENDER_THREADS, Math.max(MIN_RENDER_THREADS, Math.floor(availableParallelism() / 2)));
}

function stopping(): AppError {
  return new AppError('busy', 'The gateway is stopping.', { retryAfterSeconds: 5 });
}

/** Of the queues for what is made ready for reading. */
export function tooMuchToRead(isOwnFault: boolean): AppError {
  const text = `Too much is to be read${isOwnFault ? ' for you' : ''} at once. Try again soon.`;
  return new AppError('busy', text, { retryAfterSeconds: 5 });
}
