// Limits of --workers: processes that share a port, and their restarts.

export const MAX_WORKERS = 64; // each takes some 100 MB
export const FIRST_RESTART_MS = 100; // delay of the first restart
/** longest delay for a worker that keeps crashing: each start costs a second of CPU time */
export const LAST_RESTART_MS = 30_000;
/** a worker that ran this long is restarted without delay */
export const STEADY_WORKER_MS = 60_000;
/** additional time after the grace period before a worker is killed */
export const WORKER_END_MS = 5_000;
