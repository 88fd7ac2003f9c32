// Fuzzes what reads a peer's bytes, for as long as one likes; a failing input is kept in test/fixtures/fuzz, where the
// tests find it from then on. Each target has a thread of its own, so that an input that never ends is found, too.
// Run: npm run fuzz [-- --seconds 60 --target xml --seed 7]

import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { fuzz, type Outcome } from '../test/fuzz/engine.ts';
import { TARGETS } from '../test/fuzz/targets/all.ts';
import { newSeed, randomFrom } from '../test/support/random.ts';
import { scriptOptions } from './script-options.ts';

interface Task {
  name: string;
  seed: number;
  seconds: number;
  /** what is run: its length, how many there were before it, its bytes */
  current: SharedArrayBuffer;
}

type Report = Omit<Outcome, 'kept' | 'failure'> & {
  kept: number;
  failure: { input: Uint8Array; error: unknown } | undefined;
};

const KEPT = join(import.meta.dirname, '../test/fixtures/fuzz');
const MOST_BYTES = 1 << 20;
const HEAD_BYTES = 8;
/** an input takes milliseconds, or seconds where it is the worst; this long on a machine that stands still */
const ENDLESS_MS = 60_000;

if (isMainThread) await fuzzAll();
else await fuzzOne(workerData as Task);

async function fuzzAll(): Promise<void> {
  const values = scriptOptions(import.meta.filename, {
    seconds: { type: 'string', default: '60' },
    target: { type: 'string', default: '' },
    seed: { type: 'string', default: String(newSeed()) },
  });
  const names = TARGETS.map(({ name }) => name).filter((name) => values.target === '' || name === values.target);
  if (names.length === 0) throw new Error(`--target is one of ${TARGETS.map(({ name }) => name).join(', ')}`);
  console.log(`seed ${values.seed}, ${values.seconds} s for each of ${names.length} targets`);
  for (const name of names) {
    const current = new SharedArrayBuffer(HEAD_BYTES + MOST_BYTES);
    await watch({ name, seed: Number(values.seed), seconds: Number(values.seconds), current });
  }
}

/** Runs it in a thread, and prints what came of it. */
async function watch(task: Task): Promise<void> {
  const thread = new Worker(import.meta.filename, { workerData: task });
  const [length, count] = [new Int32Array(task.current, 0, 1), new Int32Array(task.current, 4, 1)];
  let [seen, since] = [-1, performance.now()];
  const guard = setInterval(() => {
    if (Atomics.load(count, 0) !== seen) [seen, since] = [Atomics.load(count, 0), performance.now()];
    else if (performance.now() - since > ENDLESS_MS) void thread.terminate();
  }, 1000);
  let why: unknown = `no end after ${ENDLESS_MS / 1000} s`;
  const ended = Promise.race([once(thread, 'message'), once(thread, 'exit')]).catch((error: unknown) => {
    why = error; // nobody has caught it
    return [];
  });
  const [report] = (await ended) as [Report | number | undefined];
  clearInterval(guard);
  await thread.terminate();
  if (typeof report === 'object') return print(task.name, report);
  const input = Buffer.from(task.current, HEAD_BYTES, Atomics.load(length, 0));
  keep(task.name, input, why);
}

async function fuzzOne({ name, seed, seconds, current }: Task): Promise<void> {
  const target = TARGETS.find((each) => each.name === name)!;
  const [length, count] = [new Int32Array(current, 0, 1), new Int32Array(current, 4, 1)];
  const bytes = new Uint8Array(current, HEAD_BYTES);
  const begin = (input: Buffer): void => {
    bytes.set(input.subarray(0, MOST_BYTES));
    Atomics.store(length, 0, Math.min(input.length, MOST_BYTES));
    Atomics.add(count, 0, 1);
  };
  const end = performance.now() + 1000 * seconds;
  const outcome = await fuzz(target, randomFrom(seed), () => performance.now() > end, begin);
  await target.close?.();
  parentPort!.postMessage({ ...outcome, kept: outcome.kept.length } satisfies Report);
}

function print(name: string, { inputs, accepted, kept, reached, slowest, failure }: Report): void {
  const share = `${Math.round((100 * accepted) / Math.max(1, inputs))} %`;
  const slow = `${slowest.ms.toFixed(0)} ms for ${slowest.input.length} bytes`;
  console.log(
    `${name.padEnd(12)} ${inputs} inputs, ${share} past the first check, ${kept} kept, ` +
      `${reached} characters of src/ reached; slowest ${slow}`,
  );
  if (failure) keep(name, failure.input, failure.error);
}

function keep(name: string, input: Uint8Array, why: unknown): void {
  const folder = join(KEPT, name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, hash('sha256', input).slice(0, 12));
  writeFileSync(file, input);
  console.log(`  fails; kept as ${file}\n`, why);
  process.exitCode = 1;
}
