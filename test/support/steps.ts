// Counts what code does in steps, which are the same in every run, unlike times: blocks of this repository's code that
// V8's precise coverage saw run, what built-in functions looked at or copied (steps/built-ins.ts), and the ways that a
// regular expression took (steps/regexp-steps.ts). For test/growth/ and for whoever says that something is linear.
//
// Import this file before the code that is counted: what V8 compiled before it counts as one step a call.

import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { getCompileCacheDir } from 'node:module';
import { replaceBuiltIns } from './steps/built-ins.ts';

const ROOT = new URL('../../', import.meta.url).href;
const OWN = [import.meta.url, new URL('./steps/', import.meta.url).href];

interface Coverage {
  result: {
    url: string;
    functions: { functionName: string; isBlockCoverage: boolean; ranges: { startOffset: number; count: number }[] }[];
  }[];
}

assert.equal(getCompileCacheDir(), undefined, 'functions that come compiled out of a cache are not seen to run');

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** The steps that `run` takes, over all that it waits for. Throws what it throws, and TooManySteps. */
export async function countSteps(run: () => unknown): Promise<number> {
  let steps = 0;
  let excess: unknown;
  takeBlocks();
  const undo = replaceBuiltIns(
    (more) => {
      steps += more;
    },
    (error) => {
      excess = error;
    },
  );
  try {
    await run();
  } catch (error) {
    excess ??= error;
  } finally {
    undo();
  }
  // what was too much is thrown whether or not the code that was counted caught it
  if (excess !== undefined) throw excess;
  return steps + takeBlocks();
}

/** How often blocks of the repository ran since the last call. */
function takeBlocks(): number {
  let sum = 0;
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) throw error;
    for (const { url, functions } of (answer as Coverage).result) {
      if (!url.startsWith(ROOT) || OWN.some((own) => url.startsWith(own)) || url.includes('/node_modules/')) continue;
      for (const { ranges } of functions) {
        for (const { count } of ranges) sum += count;
      }
    }
  });
  return sum;
}
