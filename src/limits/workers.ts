// Bounds of --workers: the processes that share a port, and how they are started again.

export const MAX_WORKERS = 64; // each takes some 100 MB: more are a mistake in typing
export const FIRST_RESTART_MS = 100; // a worker that has ended is started again so soon
/** one that ends again and again is started this often: it costs a second of a core each time */
export const LAST_RESTART_MS = 30_000;
/** one that ran for so long ended for another reason than the last: it is started again at once */
export const STEADY_WORKER_MS = 60_000;
/** beyond what running requests get at the end: a worker that is still there then is killed */
export const WORKER_END_MS = 5_000;
