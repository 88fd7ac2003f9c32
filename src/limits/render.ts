// Bounds of rendering messages: threads, time, memory and waiting, each with its reason.

import { KIB, MIB } from './units.ts';

export { MAX_KEPT_READING_BYTES, MAX_WAITING_RENDERINGS, MAX_WAITING_RENDERINGS_PER_CALLER } from './settable.ts';

/** a smaller message is rendered where its request is: 0.3 to 1.2 ms, the worst takes 9; a thread would add 0.2 */
export const MAX_RENDERED_IN_PLACE_BYTES = 8 * KIB;
/** a smaller calendar object or card is checked where its request is: a third of a millisecond, at worst one */
export const MAX_CHECKED_IN_PLACE_BYTES = 32 * KIB;
/** JSON of one message; mail that people write stays below 1 MiB. Where it would be more, less is rendered */
export const MAX_READING_BYTES = 8 * MIB;
/**
 * half of the processors, so that the rest of the gateway goes on; two, so that one message does not keep the others
 * waiting
 */
export const MIN_RENDER_THREADS = 2;
export const MAX_RENDER_THREADS = 4;
/**
 * so much less of a processor than the rest of the gateway where both want it, as nice(1) counts: a third of the share,
 * so that a rendering still ends in time on a machine that is busy
 */
export const RENDER_NICENESS = 5;
/**
 * so many times as long as it worked, a place of the threads rests while the gateway answers others: by its priority
 * alone a rendering keeps each of them waiting for some milliseconds, until the system looks again
 */
export const RENDER_RESTS = 5;
export const MAX_RENDER_REST_MS = 500;
/** of one thread; 4 MiB of the worst HTML take a fifth */
export const MAX_RENDER_HEAP_MIB = 512;
/** then the thread is ended; the worst messages known take 3 seconds on a slow machine */
export const RENDER_TIMEOUT_MS = 10_000;
/** being fetched or rendered at a time: as many sources are in memory at most */
export const MAX_RENDERINGS = 16;
/** of these of one caller: others always find a place */
export const MAX_RENDERINGS_PER_CALLER = 4;
export const RENDER_WAIT_MS = 15_000; // then 503, as for a connection to the room server
/** what an entry costs beside its text: key, map, buffer */
export const READING_OVERHEAD_BYTES = 512;
