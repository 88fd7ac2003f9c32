// Runs the tests (`npm test`, `npm run test:unit` and its siblings): test files in shared processes, as many
// processes side by side as --jobs says (or the run: test-batches.ts), and what a process wrote in one piece when it
// has ended.
// Fails where a test fails, where a process ends otherwise than by itself, and where it ran no test.
// Run: node scripts/test.ts [--run unit|parts|clients|browser]… [--jobs N]

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { scriptOptions } from './script-options.ts';
import { type Batch, batchesOf, RUNS, type RunName, USUAL_RUNS } from './test-batches.ts';

/** all tests of a process; for one that hangs between tests, where the bound on each test does not hold */
const BATCH_TIMEOUT_MS = 900_000;
const PROCESS = join(import.meta.dirname, 'test-process.ts');
/** a file system in memory: a room server waits for the disk with each change, and thousands are made at a time */
const MEMORY = '/dev/shm';
const LEAST_MEMORY_BYTES = 4 * 2 ** 30;
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

export interface RunOptions {
  root: string;
  /** processes at a time */
  jobs: number;
  /** is told what each wrote */
  say(text: string): void;
  /** temporary files of the tests; those of the system unless given */
  folder?: string;
  /** where the sources are without their types; they are stripped in each process unless given */
  stripped?: string;
}

/** what is left of them when the run is broken off */
const running = new Set<ChildProcess>();

/** Runs the batches below `root`. */
export async function runBatches(batches: readonly Batch[], options: RunOptions): Promise<Tally> {
  const { jobs, say } = options;
  const counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Tally['counts'];
  const tally: Tally = { counts, failed: [], details: [] };
  const waiting = [...batches];
  const work = async () => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const began = performance.now();
      const { fault, said } = await runBatch(batch, options);
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
async function runBatch(
  batch: Batch,
  { root, folder, stripped }: RunOptions,
): Promise<{ fault: string | undefined; said: string }> {
  const child = spawn(process.execPath, [PROCESS, ...batch.files], {
    cwd: root,
    env: environmentOf(folder, stripped),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BATCH_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? code}`));
  });
  const [fault, ...said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  running.delete(child);
  return { fault, said: said.join('') };
}

function environmentOf(folder: string | undefined, stripped: string | undefined): NodeJS.ProcessEnv {
  // precise counts, of steps as of coverage, are of code that was compiled in the same process
  const { NODE_TEST_CONTEXT: _, NODE_COMPILE_CACHE: __, ...env } = process.env;
  if (folder !== undefined) env.TMPDIR = folder;
  if (stripped === undefined) return env;
  const preload = pathToFileURL(join(import.meta.dirname, 'test-sources.js'));
  preload.searchParams.set('folder', stripped);
  return { ...env, NODE_OPTIONS: `${env.NODE_OPTIONS ?? ''} --import=${preload.href}` };
}

/** A new folder, in memory where there is enough; gone when this process is. */
function scratchFolder(): string {
  const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  const free = Math.min(bavail * bsize, process.availableMemory());
  const folder = mkdtempSync(join(free < LEAST_MEMORY_BYTES ? tmpdir() : MEMORY, 'vestibule-'));
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return folder;
}

/** Writes the sources below `root` into `folder`, without their types. */
function stripSources(root: string, folder: string): void {
  for (const path of globSync('{src,test,scripts}/**/*.ts', { cwd: root })) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), stripTypeScriptTypes(readFileSync(join(root, path), 'utf8')));
  }
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
  const folder = scratchFolder();
  const stripped = join(folder, 'sources');
  stripSources(root, stripped);
  const tally = await runBatches(batches, {
    root,
    jobs: Number(jobs ?? availableParallelism() * Math.min(...names.map((name) => RUNS[name].perCore))),
    say: (said) => process.stdout.write(said),
    folder,
    stripped,
  });
  // the heading by which .ci/run finds them again
  if (tally.details.length > 0) console.log(['=== failed', ...tally.details].join('\n'));
  for (const name of COUNTS) console.log(`ℹ ${name} ${tally.counts[name]}`);
  console.log(`ℹ duration_ms ${(performance.now() - began).toFixed(0)}`);
  for (const reason of tally.failed) console.log(`✖ ${reason}`);
  process.exitCode = tally.failed.length > 0 || tally.counts.tests === 0 ? 1 : 0;
}
