// Runs the tests (`npm test`, `npm run test:unit` and its siblings): test files in shared processes, as many
// processes side by side as --jobs says (or the run: test-batches.ts), and what a process wrote in one piece when it
// has ended.
// Fails where a test fails, where a process ends otherwise than by itself, and where it ran no test.
// Run: node scripts/test.ts [--run unit|parts|clients|browser]… [--jobs N]

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { scriptOptions } from './script-options.ts';
import { type Batch, batchesOf, RUNS, type RunName, USUAL_RUNS } from './test-batches.ts';

/** all tests of a process; for one that hangs between tests, where the bound on each test does not hold */
const BATCH_TIMEOUT_MS = 900_000;
const PROCESS = join(import.meta.dirname, 'test-process.ts');
/** the heading under which the reporter `spec` tells once more of the tests that failed, at its end */
const FAILING = '✖ failing tests:';
const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const;

export interface Tally {
  counts: Record<(typeof COUNTS)[number], number>;
  /** names of the batches that failed, with the reason */
  failed: string[];
  /** what these wrote of the tests that failed */
  details: string[];
}

/** Runs the batches below `root`, `jobs` at a time, and tells `say` what each wrote. */
export async function runBatches(
  batches: readonly Batch[],
  { root, jobs, say }: { root: string; jobs: number; say(text: string): void },
): Promise<Tally> {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Tally['counts'];
  const tally: Tally = { counts, failed: [], details: [] };
  const waiting = [...batches];
  const work = async () => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const began = performance.now();
      const { fault, said } = await runBatch(batch, root);
      for (const name of COUNTS) counts[name] += countIn(said, name);
      const reason = fault ?? (countIn(said, 'tests') > 0 ? undefined : 'it ran no test');
      if (reason !== undefined) {
        tally.failed.push(`${batch.name}: ${reason}`);
        tally.details.push(said.slice(Math.max(0, said.indexOf(FAILING))));
      }
      say(`▸ ${batch.name}: ${((performance.now() - began) / 1000).toFixed(1)} s\n${said}\n`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return tally;
}

/** What the process wrote, and why it failed, if it did. */
async function runBatch(batch: Batch, root: string): Promise<{ fault: string | undefined; said: string }> {
  const child = spawn(process.execPath, [PROCESS, ...batch.files], {
    cwd: root,
    env: environmentOf(batch, root),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BATCH_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? code}`));
  });
  const [fault, ...said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { fault, said: said.join('') };
}

/** Precise counts, of steps as of coverage, are of code that was compiled in the same process. */
function environmentOf({ isCounting }: Batch, root: string): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, NODE_COMPILE_CACHE: __, ...env } = process.env;
  if (isCounting || env.NODE_V8_COVERAGE !== undefined) return env;
  return { ...env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') };
}

/** Of the last lines of the reporter `spec`. */
function countIn(said: string, name: string): number {
  const last = [...stripVTControlCharacters(said).matchAll(/^ℹ (\w+) (\d+)$/gm)].findLast(([, word]) => word === name);
  return Number(last?.[2] ?? 0);
}

if (import.meta.main) {
  const { run, jobs } = scriptOptions(import.meta.filename, {
    run: { type: 'string', multiple: true },
    jobs: { type: 'string' },
  });
  const root = join(import.meta.dirname, '..');
  const began = performance.now();
  const runs = run ?? USUAL_RUNS;
  const unknown = runs.find((name) => !Object.hasOwn(RUNS, name));
  if (unknown !== undefined) throw new Error(`no run is called ${unknown}`);
  const names = runs as RunName[];
  const batches = names.flatMap((name) => batchesOf(name, root));
  const tally = await runBatches(batches, {
    root,
    jobs: Number(jobs ?? availableParallelism() * Math.min(...names.map((name) => RUNS[name].perCore))),
    say: (said) => process.stdout.write(said),
  });
  // the heading by which .ci/run finds them again
  if (tally.details.length > 0) console.log(['=== failed', ...tally.details].join('\n'));
  for (const name of COUNTS) console.log(`ℹ ${name} ${tally.counts[name]}`);
  console.log(`ℹ duration_ms ${(performance.now() - began).toFixed(0)}`);
  for (const reason of tally.failed) console.log(`✖ ${reason}`);
  process.exitCode = tally.failed.length > 0 || tally.counts.tests === 0 ? 1 : 0;
}
