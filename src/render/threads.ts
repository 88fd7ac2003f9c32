// The pool of rendering threads. A job that takes too long or crashes its thread fails alone, and a new thread replaces
// it. Threads start on demand, since small messages need none.

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
} from '../limits/http.ts';
import { startThread } from '../system/assets.ts';
import { FairQueue } from '../system/fair-queue.ts';
import { requestTurns } from '../system/turn-queue.ts';
import type { RenderJob } from './job.ts';

export type RenderAnswer = { json: Uint8Array | undefined } | { refusal: string } | { fault: unknown };

export interface RenderThreadsOptions {
  spawn?: () => Worker;
  logError: (who: string, error: unknown) => void;
  count?: number;
  timeoutMs?: number;
}

interface Thread {
  worker: Worker;
  settle: ((outcome: Outcome) => void) | undefined;
}

/** `ended`: by us; `died`: the thread crashed */
type Outcome = RenderAnswer | { ended: AppError } | { died: unknown };

/** error texts for a message to read, and for an object to store */
const READING = {
  failed: 'This message could not be rendered. It can still be downloaded.',
  tooSlow: 'This message takes too long to render. It can still be downloaded.',
};
const CHECKING = {
  failed: 'The object could not be checked, so it was not stored.',
  tooSlow: 'Checking the object takes too long, so it was not stored.',
};

export class RenderThreads {
  readonly #options: RenderThreadsOptions;
  readonly #queue: FairQueue;
  readonly #threads = new Set<Thread>();
  #isClosed = false;

  constructor(options: RenderThreadsOptions) {
    this.#options = options;
    const slots = options.count ?? threadCount();
    const unbounded = { maxWaiting: Number.POSITIVE_INFINITY, maxWaitingPerCaller: Number.POSITIVE_INFINITY };
    // no caller gets all threads; MAX_RENDERINGS already limits who waits here
    const slotsPerCaller = Math.max(1, Math.floor(slots / 2));
    this.#queue = new FairQueue({
      slots,
      slotsPerCaller,
      ...unbounded,
      maxWaitMs: 2 ** 31 - 1,
      refused: tooMuchToRead,
    });
  }

  /** Renders a job and takes its source. Throws not_rendered (timeout or out of memory) or busy (shutting down). */
  async run(job: RenderJob, caller: string, signal: AbortSignal): Promise<Buffer | undefined> {
    const leave = await this.#queue.enter(caller, signal);
    const began = performance.now();
    const before = requestTurns.shortCount;
    try {
      return await this.#runIn(this.#idleThread(), job);
    } finally {
      // the slot stays occupied for a while, which delays the caller's next job, not this reply
      const rest = Math.min((performance.now() - began) * RENDER_RESTS, MAX_RENDER_REST_MS);
      if (requestTurns.shortCount === before) leave();
      else setTimeout(leave, rest).unref();
    }
  }

  /** Aborts running jobs. */
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
    worker.unref(); // an idle thread must not keep the process alive
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
    worker.on('exit', () => died(new Error('A rendering thread exited.')));
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
  return startThread('render/worker', resourceLimits);
}

function threadCount(): number {
  return Math.min(MAX_RENDER_THREADS, Math.max(MIN_RENDER_THREADS, Math.floor(availableParallelism() / 2)));
}

function stopping(): AppError {
  return new AppError('busy', 'The gateway is stopping.', { retryAfterSeconds: 5 });
}

/** For the queues of rendering jobs. */
export function tooMuchToRead(isOwnFault: boolean): AppError {
  const text = `Too many messages are being rendered${isOwnFault ? ' for you' : ''}. Try again soon.`;
  return new AppError('busy', text, { retryAfterSeconds: 5 });
}
