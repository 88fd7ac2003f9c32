// Rendered messages. Messages never change, so results are cached for a while, and concurrent requests share one
// rendering. Small messages are rendered at once, others in a thread; callers take turns.

import { AppError } from '../../errors.ts';
import {
  MAX_KEPT_READING_BYTES,
  MAX_RENDERED_IN_PLACE_BYTES,
  MAX_RENDERINGS,
  MAX_RENDERINGS_PER_CALLER,
  MAX_WAITING_RENDERINGS,
  MAX_WAITING_RENDERINGS_PER_CALLER,
  READING_OVERHEAD_BYTES,
  RENDER_WAIT_MS,
} from '../../limits/http.ts';
import { MAX_RENDERED_SOURCE_BYTES } from '../../limits/mime.ts';
import type { RenderJob } from '../../render/job.ts';
import { render } from '../../render/render.ts';
import { type RenderThreads, tooMuchToRead } from '../../render/threads.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import { FairQueue, runningAsker } from '../../system/fair-queue.ts';

export interface RenderRequest {
  /** what is rendered and how: equal keys get the same bytes */
  key: string;
  /** the source is small according to its list of parts */
  isSmall: boolean;
  /** Fetches at most this many bytes of the source. */
  fetch(maxBytes: number): Promise<RenderJob>;
}

type Outcome = { json: Buffer | undefined } | { error: unknown };

/** A rendering in progress, and its readers. */
interface Running {
  outcome: Promise<Outcome>;
  readers: number;
  /**
   * No reader waits any more. A thread finishes what it has begun: the result is cached, and a new thread costs 0.1 s.
   */
  abandon(): void;
}

export class RenderedMessages {
  readonly #threads: RenderThreads;
  readonly #cache = new BoundedMap<string, Buffer>(
    MAX_KEPT_READING_BYTES,
    (json, key) => json.length + 2 * key.length + READING_OVERHEAD_BYTES,
  );
  readonly #running = new Map<string, Running>();
  // also bounds sources in memory: a message stays there until its JSON is complete
  readonly #queue = new FairQueue({
    slots: MAX_RENDERINGS,
    slotsPerCaller: MAX_RENDERINGS_PER_CALLER,
    maxWaiting: MAX_WAITING_RENDERINGS,
    maxWaitingPerCaller: MAX_WAITING_RENDERINGS_PER_CALLER,
    maxWaitMs: RENDER_WAIT_MS,
    refused: tooMuchToRead,
  });

  constructor(threads: RenderThreads) {
    this.#threads = threads;
  }

  /**
   * The result of render.ts, shared by all readers: it must not be changed. Throws as `fetch`, not_rendered, busy;
   * rejects if the signal aborts before its turn.
   */
  async get(request: RenderRequest): Promise<Buffer | undefined> {
    const cached = this.#cache.get(request.key);
    if (cached) return cached;
    if (request.isSmall) {
      const job = await request.fetch(MAX_RENDERED_IN_PLACE_BYTES);
      if (job.isWhole) return this.#add(request.key, render(job));
    }
    return this.#getLarge(request);
  }

  /** The result of render.ts for a job of one reader, in a thread; not cached. Throws as `get`. */
  async makeOwn(fetch: () => Promise<RenderJob>): Promise<Buffer> {
    const { turnKey: caller, gone: signal } = runningAsker();
    const leave = await this.#queue.enter(caller, signal);
    try {
      return (await this.#threads.run(await fetch(), caller, signal))!;
    } finally {
      leave();
    }
  }

  async #getLarge({ key, fetch }: RenderRequest): Promise<Buffer | undefined> {
    const { turnKey: caller, gone: signal } = runningAsker();
    for (;;) {
      const shared = this.#running.get(key);
      if (shared) {
        const outcome = await read(shared, signal);
        if (!isOfTheOther(outcome)) return jsonOf(outcome);
        continue;
      }
      const leave = await this.#queue.enter(caller, signal);
      const cached = this.#cache.get(key);
      if (cached || this.#running.has(key)) {
        leave();
        if (cached) return cached;
        continue;
      }
      const abandoned = new AbortController();
      const outcome = this.#make(key, caller, fetch, abandoned.signal).finally(() => {
        this.#running.delete(key);
        leave();
      });
      const running = { outcome, readers: 0, abandon: () => abandoned.abort(signal.reason) };
      this.#running.set(key, running);
      return jsonOf(await read(running, signal));
    }
  }

  async #make(key: string, caller: string, fetch: RenderRequest['fetch'], abandoned: AbortSignal): Promise<Outcome> {
    try {
      const job = await fetch(MAX_RENDERED_SOURCE_BYTES);
      const isSmall = job.source.length <= MAX_RENDERED_IN_PLACE_BYTES;
      return { json: this.#add(key, isSmall ? render(job) : await this.#threads.run(job, caller, abandoned)) };
    } catch (error) {
      return { error };
    }
  }

  #add(key: string, json: Buffer | undefined): Buffer | undefined {
    if (json) this.#cache.set(key, json);
    return json;
  }
}

/** The error belongs to the reader that started it: it may have been refused or disconnected. */
function isOfTheOther(outcome: Outcome): boolean {
  return 'error' in outcome && !(outcome.error instanceof AppError && outcome.error.code === 'not_rendered');
}

function jsonOf(outcome: Outcome): Buffer | undefined {
  if ('error' in outcome) throw outcome.error;
  return outcome.json;
}

function read(running: Running, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    running.readers++;
    const leave = () => {
      if (--running.readers === 0) running.abandon();
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    void running.outcome.then((outcome) => {
      signal.removeEventListener('abort', leave);
      resolve(outcome);
    });
  });
}
