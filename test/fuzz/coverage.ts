// What inputs reach: V8 tells which blocks of src/ have run since the last question.

import { Session } from 'node:inspector';

interface Taken {
  result: { url: string; functions: { ranges: CountedRange[] }[] }[];
}

interface CountedRange {
  startOffset: number;
  endOffset: number;
  count: number;
}

const SOURCES = new URL('../../src/', import.meta.url).href;

// One for the whole process, before anything of src/ is compiled: of what is compiled without it, V8 knows no blocks.
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });

/** What has run of a function, or not, by character. */
interface Seen {
  hasRun: Uint8Array;
  /** characters that have not */
  left: number;
}

export class Coverage {
  /** by script and place */
  readonly #functions = new Map<string, Seen>();
  #size = 0;

  /** characters of functions of src/ that have run so far; of what stands in another function, in both */
  get size(): number {
    return this.#size;
  }

  /** Whether something has run since the last call that had never run before. */
  hasGrown(): boolean {
    const before = this.#size;
    // the answer comes before `post` returns
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error) throw error;
      for (const { url, functions } of (taken as Taken).result) {
        if (!url.startsWith(SOURCES)) continue;
        for (const { ranges } of functions) if (ranges[0]!.count > 0) this.#add(url, ranges);
      }
    });
    return this.#size > before;
  }

  /**
   * Of a function. Ranges lie in each other, and the innermost counts: V8 names those that have not run, and of those
   * that have only what it cannot tell from what is around them.
   */
  #add(url: string, ranges: readonly CountedRange[]): void {
    const { startOffset: start, endOffset: end } = ranges[0]!;
    const seen = this.#functions.getOrInsertComputed(`${url}:${start}`, () => {
      return { hasRun: new Uint8Array(end - start), left: end - start };
    });
    if (seen.left === 0) return;
    const { hasRun } = seen;
    const now = new Uint8Array(end - start);
    for (const { startOffset, endOffset, count } of ranges) {
      now.fill(Math.sign(count), startOffset - start, endOffset - start);
    }
    for (let at = 0; at < now.length; at++) {
      if (now[at] === 0 || hasRun[at] === 1) continue;
      hasRun[at] = 1;
      seen.left--;
      this.#size++;
    }
  }
}
