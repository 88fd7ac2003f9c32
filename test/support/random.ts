// Repeatable randomness for tests and for scripts/generate.ts: numbers, bytes, and cuts of a stream into chunks. A
// failing test names its seed.

export type Random = (below: number) => number;

/** A generator that gives whole numbers from 0 up to, not including, its argument (xorshift32). */
export function randomFrom(seed: number): Random {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

/**
 * A new seed for each run, so that runs together cover more; printed by the assertions that use it. TEST_SEED runs the
 * same again, as .ci/run does: what it says of a tree is to be about the tree.
 */
export function newSeed(): number {
  if (process.env.TEST_SEED !== undefined) return Number(process.env.TEST_SEED);
  return Math.floor(Math.random() * 0x7fffffff) + 1;
}

export function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random(256)));
}

/** The bytes in chunks of 1 to `longest`. */
export function cutUp(bytes: Buffer, random: Random, longest: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random(longest);
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}

/** Whole, byte by byte, and cut at random. */
export function waysToCut(bytes: Buffer, seed: number): Buffer[][] {
  const random = randomFrom(seed);
  return [[bytes], cutUp(bytes, random, 1), cutUp(bytes, random, 7), cutUp(bytes, random, 100)];
}
