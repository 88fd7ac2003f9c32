// Any piece of any input that the fuzzer begins with, over and over in its place, costs steps in proportion to its
// length: what nobody has thought of as a worst case, too. At 1 MiB each parser comes to its end, with memory that is
// bounded.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Target } from '../fuzz/engine.ts';
import { TARGETS } from '../fuzz/targets/all.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { grows } from './growth.ts';

/** of what reads a peer's bytes where they lie; the others run a server around it, which has to be closed */
const PARSERS = TARGETS.filter(({ close }) => !close);
const CASES = 12;
const MAX_PIECE = 40;
const LARGE = 1 << 20;
/** of an input of LARGE bytes: what is made of it, and of that the copies that round trips compare */
const MAX_MEBIBYTES = 400;

interface Pumped {
  name: string;
  make(n: number): Buffer;
}

function pumped(seed: Buffer, random: Random): Pumped {
  const start = random(seed.length);
  const end = Math.min(seed.length, start + 1 + random(MAX_PIECE));
  const [head, piece, tail] = [seed.subarray(0, start), seed.subarray(start, end), seed.subarray(end)];
  return {
    name: JSON.stringify(piece.toString('latin1')),
    make: (n) => Buffer.concat([head, Buffer.alloc(n, piece), tail]),
  };
}

function casesOf({ seeds }: Target): Pumped[] {
  const random = randomFrom(20_261_126);
  return Array.from({ length: CASES }, () => pumped(seeds[random(seeds.length)]!, random));
}

describe('steps of what is pumped up', () => {
  for (const target of PARSERS) grows(target.name, casesOf(target), (input) => target.run(input), { perUnit: 1000 });
});

describe('an input of 1 MiB', () => {
  // that others take what has come byte by byte, whatever the bytes, is what these are for
  for (const target of PARSERS.filter(({ name }) => !['multipart', 'resp'].includes(name))) {
    it(`comes to its end as ${target.name}`, async () => {
      const peak = () => process.resourceUsage().maxRSS / 1024;
      const before = peak();
      for (const { make } of casesOf(target).slice(0, 2)) await target.run(make(LARGE));
      assert.ok(peak() - before < MAX_MEBIBYTES, `${peak() - before} MiB`);
      if (process.env.GROWTH) console.log(`${target.name}: ${peak() - before} MiB`);
    });
  }
});
