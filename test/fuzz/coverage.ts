// What inputs reach: V8 tells which blocks of src/ have run for the first time since the last question.

import { Session } from 'node:inspector';

interface Taken {
  result: {
    url: string;
    functions: { isBlockCoverage: boolean; ranges: { startOffset: number; count: number }[] }[];
  }[];
}

const SOURCES = new URL('../../src/', import.meta.url).href;

export class Coverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();

  /** Counts from now on, in what is compiled from now on. */
  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  }

  /** blocks seen so far */
  get size(): number {
    return this.#seen.size;
  }

  /** Whether a block has run since the last call that had never run before. */
  hasGrown(): boolean {
    const before = this.#seen.size;
    // the answer comes before `post` returns
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error) throw error;
      for (const { url, functions } of (taken as Taken).result) {
        if (!url.startsWith(SOURCES)) continue;
        for (const { ranges } of functions)
          for (const { startOffset, count } of ranges) if (count > 0) this.#seen.add(`${url}:${startOffset}`);
      }
    });
    return this.#seen.size > before;
  }

  close(): void {
    this.#session.disconnect();
  }
}
