// Messages made ready for reading. Messages never change, so a reading is kept for a while, and requests for the same
// one share it while it is made. Small ones are made at once, others in a thread, each caller in turn.

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
import { FairQueue } from '../../system/fair-queue.ts';

export interface ReadingTurn {
  /** callers are served in turn: one has as much as another */
  caller: string;
  /** aborts when the client has gone */
  signal: AbortSignal;
}

export interface ReadingRequest {
  /** what is rendered and how: equal ones get the same bytes */
  key: string;
  /** asked for only when it has to be made */
  turn(): ReadingTurn | Promise<ReadingTurn>;
  /** the source is small, judged by its list of parts */
  isSmall: boolean;
  /** Fetches at most so many bytes of the source. */
  fetch(maxBytes: number): Promise<RenderJob>;
}

type Outcome = { json: Buffer | undefined } | { error: unknown };

/** What is being made, and for how many. */
interface Running {
  outcome: Promise<Outcome>;
  readers: number;
  /** No reader waits for it any more. What a thread has begun goes on: it is kept, and a new thread costs 0.1 s. */
  abandon(): void;
}

export class Readings {
  readonly #threads: RenderThreads;
  readonly #kept = new BoundedMap<string, Buffer>(
    MAX_KEPT_READING_BYTES,
    (json, key) => json.length + 2 * key.length + READING_OVERHEAD_BYTES,
  );
  readonly #running = new Map<string, Running>();
  // also bounds the sources that are in memory: of a message they are there from the first byte to the last of its JSON
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
   * What render.ts makes of it. All readers share these bytes, so they must not be changed. Throws what `fetch` throws,
   * not_rendered, busy; rejects when the signal is aborted before it is its turn.
   */
  async get(request: ReadingRequest): Promise<Buffer | undefined> {
    const known = this.#kept.get(request.key);
    if (known) return known;
    if (request.isSmall) {
      const job = await request.fetch(MAX_RENDERED_IN_PLACE_BYTES);
      if (job.isWhole) return this.#keep(request.key, render(job));
    }
    return this.#getLarge(request);
  }

  /** What render.ts makes of a job that is nobody else's, in a thread. It is not kept. Throws as `get`. */
  async makeOwn({ caller, signal }: ReadingTurn, fetch: () => Promise<RenderJob>): Promise<Buffer> {
    const leave = await this.#queue.enter(caller, signal);
    try {
      return (await this.#threads.run(await fetch(), caller, signal))!;
    } finally {
      leave();
    }
  }

  async #getLarge({ key, turn, fetch }: ReadingRequest): Promise<Buffer | undefined> {
    const { caller, signal } = await turn();
    for (;;) {
      const shared = this.#running.get(key);
      if (shared) {
        const outcome = await read(shared, signal);
        if (!isOfTheOther(outcome)) return jsonOf(outcome);
        continue;
      }
      const leave = await this.#queue.enter(caller, signal);
      const known = this.#kept.get(key);
      if (known || this.#running.has(key)) {
        leave();
        if (known) return known;
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

  async #make(key: string, caller: string, fetch: ReadingRequest['fetch'], abandoned: AbortSignal): Promise<Outcome> {
    try {
      const job = await fetch(MAX_RENDERED_SOURCE_BYTES);
      const isSmall = job.source.length <= MAX_RENDERED_IN_PLACE_BYTES;
      return { json: this.#keep(key, isSmall ? render(job) : await this.#threads.run(job, caller, abandoned)) };
    } catch (error) {
      return { error };
    }
  }

  #keep(key: string, json: Buffer | undefined): Buffer | undefined {
    if (json) this.#kept.set(key, json);
    return json;
  }
}

/** The outcome belongs to the reader that started it: it may have been refused, or have lost its connection. */
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
