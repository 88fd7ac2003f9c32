// What Node is started with, in the one-file binary, by `npm start` and in measurements of memory.

/**
 * MiB of new objects, of which V8 has two such halves in each thread. By itself it takes 32: a long list, of which
 * nothing lives long, would leave 60 MB more in memory, for no less time in the mix of `npm run bench`.
 */
const MAX_SEMI_SPACE_MIB = 8;

/**
 * Threads that collect garbage and compile for all others. Of the four that Node has by itself, those that collect for
 * the rendering threads take the processor from the one that answers.
 */
const V8_THREADS = 1;

/** eval() and its like throw, however a source comes by them: scripts/audit/ relies on it */
export const NO_CODE_FROM_TEXT = '--disallow-code-generation-from-strings';

export const NODE_FLAGS: readonly string[] = [
  NO_CODE_FROM_TEXT,
  `--max-semi-space-size=${MAX_SEMI_SPACE_MIB}`,
  `--v8-pool-size=${V8_THREADS}`,
];
