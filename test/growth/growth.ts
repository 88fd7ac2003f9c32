// What the tests of growth have in common: a parser is run on worst cases of n and of 4n characters, and its steps must
// have grown no more than the input, with a small constant for each character. Import this file first (see steps.ts).

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { countSteps } from '../support/steps.ts';
import { between, halves, repeats, type WorstCase } from '../support/worst-pieces.ts';

/** linear is 4; sorting, the doubling of buffers and depths that reach their bound go a little over it */
const MAX_GROWTH = 4.8;
/** what is done once, whatever the input */
const ONCE = 2000;
const HAS_ALL_CASES = process.env.GROWTH_CASES === 'all'; // all.slow.ts
/** pairs that are made with each word */
const PAIRS = HAS_ALL_CASES ? Number.POSITIVE_INFINITY : 4;

export interface Growth {
  /** what a character or byte may cost at most */
  perUnit: number;
  /** characters of the small input, 500: as many as the bounds leave room for */
  size?: number;
}

/** A test: `run` on each case, at `size` and four times as much. What it throws as a refusal is an answer. */
export function grows<T extends { length: number }>(
  name: string,
  cases: readonly { name: string; make(n: number): T }[],
  run: (input: T) => unknown,
  { perUnit, size = 500 }: Growth,
): void {
  it(`${name}: ${cases.length} cases`, async () => {
    const faults: string[] = [];
    let worst = 0;
    // what is made once and kept is not of the input
    await stepsOf(run, cases[0]!.make(16));
    for (const { name: input, make } of cases) {
      const large = make(4 * size);
      const [some, more] = [await stepsOf(run, make(size)), await stepsOf(run, large)];
      const each = more / Math.max(large.length, 4 * size);
      worst = Math.max(worst, each);
      if (more > MAX_GROWTH * some + ONCE || each > perUnit) {
        faults.push(`${input}: ${some} steps, then ${more}, ${each.toFixed(1)} for each character`);
      }
    }
    if (process.env.GROWTH) console.log(`${name}: ${worst.toFixed(1)} of ${perUnit}`);
    assert.deepEqual(faults, []);
  });
}

async function stepsOf<T>(run: (input: T) => unknown, input: T): Promise<number> {
  return countSteps(async () => {
    try {
      await run(input);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  });
}

/**
 * The words of a grammar in the ways that make parsers go back: one over and over, two in turn, many of one and then
 * many of another; and between the beginning and the end of each of `frames`.
 */
export function mixtures(words: readonly string[], ...frames: readonly (readonly [before: string, after: string])[]) {
  const cases: WorstCase[] = repeats(...words);
  for (const [i, one] of words.entries()) {
    const others = [...words.slice(i + 1), ...words.slice(0, i)];
    cases.push(...repeats(...others.slice(0, PAIRS).map((other) => one + other)));
    const next = words[(i + 1) % words.length]!;
    cases.push(halves(one, next));
    for (const [before, after] of frames) cases.push(between(before, one, after), between(before, one + next, after));
  }
  return cases;
}

/** Every fourth of many that are much alike. */
export const someOf = (cases: readonly WorstCase[]) => cases.filter((_, i) => HAS_ALL_CASES || i % 4 === 0);

/** The same as bytes. */
export const asBytes = (cases: readonly WorstCase[]) =>
  cases.map(({ name, make }) => ({ name, make: (n: number) => Buffer.from(make(n)) }));

/** One chunk, or many of `size` bytes: peers decide how their bytes arrive. */
export function cut(bytes: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}
