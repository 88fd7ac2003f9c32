// A fuzzer that is guided by coverage: what reaches something of src/ that nothing reached before, or ends in a way
// that nothing ended in before, is kept, and made others of. The same seed makes the same inputs, as far as V8 sees the
// same run.

import type { Random } from '../support/random.ts';
import { Coverage } from './coverage.ts';
import { mutated } from './mutate.ts';

export interface Target {
  name: string;
  /** what it begins with: well-formed, and of every kind there is */
  seeds: readonly Buffer[];
  /** more of them, which take servers to make */
  madeSeeds?(): Promise<readonly Buffer[]>;
  /** of the format: mutations put them anywhere */
  words: readonly string[];
  /** Of an input that was accepted another one that may be, where changed bytes seldom are. */
  vary?(input: Buffer, other: Buffer, random: Random): Buffer;
  /**
   * Takes an input and answers a word for how it ended; one that begins with `refused` has not got past the first
   * check. Throws where a property does not hold.
   */
  run(input: Buffer): string | Promise<string>;
  close?(): Promise<void>;
}

export interface Failure {
  input: Buffer;
  error: unknown;
}

export interface Outcome {
  inputs: number;
  /** of those, what got past the first check */
  accepted: number;
  kept: Buffer[];
  /** characters of src/ that ran */
  reached: number;
  slowest: { input: Buffer; ms: number };
  failure: Failure | undefined;
}

/** inputs between two questions what they reached: a question costs as much as some of them */
const ROUND = 8;
const MAX_KEPT = 2000;
/** what is longer is run, but others are not made of it: made of each other, inputs would grow without an end */
const MAX_KEPT_BYTES = 8192;
/** Of the inputs so far: where fewer got past the first check, only such are made as are likely to. */
const WANTED_SHARE = 0.6;

interface Taken {
  input: Buffer;
  isAccepted: boolean;
  /** it ended as no other before it */
  isNew: boolean;
}

/**
 * Runs until `isDone` or the first failure. `isDone` is asked with the number of inputs so far; `begin` gets each input
 * before it is run, for it may never end.
 */
export async function fuzz(
  target: Target,
  random: Random,
  isDone: (inputs: number) => boolean,
  begin: (input: Buffer) => void = () => {},
): Promise<Outcome> {
  const coverage = new Coverage();
  const kept: Buffer[] = [];
  /** of these, what got past the first check: most inputs are made of them */
  const accepted: Buffer[] = [];
  const words = new Set<string>();
  const outcome: Outcome = {
    inputs: 0,
    accepted: 0,
    kept,
    reached: 0,
    slowest: { input: Buffer.alloc(0), ms: 0 },
    failure: undefined,
  };
  const add = (list: Buffer[], input: Buffer): void => {
    if (list.length < MAX_KEPT) list.push(input);
    else list[random(MAX_KEPT)] = input;
  };
  const keep = ({ input, isAccepted }: Taken): void => {
    if (input.length > MAX_KEPT_BYTES) return;
    add(kept, input);
    if (isAccepted) add(accepted, input);
  };
  const one = (list: readonly Buffer[]): Buffer => list[random(list.length)]!;

  function next(): Buffer {
    const isBehind = outcome.accepted < WANTED_SHARE * outcome.inputs;
    if (isBehind && target.vary && accepted.length > 0) return target.vary(one(accepted), one(accepted), random);
    if (accepted.length === 0 || random(4) === 0) return mutated(one(kept), one(kept), target.words, random);
    if (target.vary && random(3) > 0) return target.vary(one(accepted), one(accepted), random);
    return mutated(one(accepted), one(kept), target.words, random);
  }

  async function take(input: Buffer): Promise<Taken> {
    begin(input);
    const started = performance.now();
    const word = await target.run(input);
    const ms = performance.now() - started;
    if (ms > outcome.slowest.ms) outcome.slowest = { input, ms };
    outcome.inputs++;
    const isAccepted = !word.startsWith('refused');
    if (isAccepted) outcome.accepted++;
    const isNew = !words.has(word);
    words.add(word);
    return { input, isAccepted, isNew };
  }

  const seeds = [...target.seeds, ...((await target.madeSeeds?.()) ?? [])];
  coverage.hasGrown();
  const loaded = coverage.size;
  let input: Buffer = Buffer.alloc(0);
  try {
    for (input of seeds) {
      keep(await take(input));
    }
    coverage.hasGrown();
    while (!isDone(outcome.inputs)) {
      const round: Taken[] = [];
      for (let i = 0; i < ROUND; i++) {
        input = next();
        const taken = await take(input);
        if (taken.isNew) keep(taken);
        else round.push(taken);
      }
      if (coverage.hasGrown()) for (const each of round) keep(each);
    }
  } catch (error) {
    outcome.failure = { input: await smallest(target, input, error), error };
  } finally {
    outcome.reached = coverage.size - loaded;
  }
  return outcome;
}

/** The input without whatever is not needed for the same failure. */
async function smallest(target: Target, input: Buffer, error: unknown): Promise<Buffer> {
  const fails = async (bytes: Buffer): Promise<boolean> => {
    try {
      await target.run(bytes);
      return false;
    } catch (other) {
      return nameOf(other) === nameOf(error);
    }
  };
  let bytes = input;
  for (let size = bytes.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at + size <= bytes.length; ) {
      const without = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
      if (await fails(without)) bytes = without;
      else at += size;
    }
  }
  return bytes;
}

/** What is the same of a failure while its input shrinks: where it was thrown. */
function nameOf(error: unknown): string {
  return error instanceof Error ? (/\n\s+at [^\n]*/.exec(error.stack ?? '')?.[0] ?? error.name) : String(error);
}
