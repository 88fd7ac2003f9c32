// Logs each stall: one piece of work that kept this thread from everything else, and the request it was done for. A
// second thread notices that the beat has stopped, and asks by way of the inspector (node:inspector, no port is opened)
// what is running: that works in the middle of a loop, too. Both rest while there are no requests: an idle gateway has
// neither the beat nor the thread.

import { AsyncLocalStorage } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import { MAX_STALL_NAMES, STALL_BEAT_MS, STALL_MS, STALL_REST_MS } from '../limits/sessions.ts';
import { andFinally } from './at-hand.ts';
import type { WaitClock } from './wait-clock.ts';

/** a request, as an Exchange is one */
export interface Watched {
  method: string;
  /** the pattern of its route, empty where there is none */
  route: string;
  requestId: string;
  /** undefined where nobody wants to know */
  backendTime?: WaitClock | undefined;
}

export interface StallWatch {
  /** Calls `handle` with it; what that does, now and behind each `await`, is done for `request`. */
  run<R extends Watched>(request: R, handle: (request: R) => Promise<void> | undefined): Promise<void> | undefined;
  close(): Promise<void>;
}

/** called with the id of a request, or `-`, and with what to log */
type Log = (requestId: string, text: string) => void;

const running = new AsyncLocalStorage<Watched>();
const watching = new Set<{ log: Log; underWay: ReadonlySet<Watched> }>();
/** what was running when the other thread asked; undefined: what belongs to no request */
let seen: (Watched | undefined)[] = [];
/** while there are requests, and STALL_REST_MS longer */
let stop: (() => Promise<unknown>) | undefined;
/** requests that are being answered */
let count = 0;
/** performance.now() when the last of them ended */
let quietSince = 0;

/** What is done now is done for this request; undefined: for none. */
export function runningRequest(): Watched | undefined {
  return running.getStore();
}

/**
 * `underWay`: the requests that are being answered, named where none can be said to have run. Several gateways of one
 * process share what watches.
 */
export function watchStalls(log: Log, underWay: ReadonlySet<Watched>): StallWatch {
  const own = { log, underWay };
  watching.add(own);
  return {
    run(request, handle) {
      stop ??= begin();
      count++;
      return andFinally(() => running.run(request, handle, request), ended);
    },
    async close() {
      watching.delete(own);
      if (watching.size === 0) await rest();
    },
  };
}

function ended(): void {
  if (--count === 0) quietSince = performance.now();
}

async function rest(): Promise<void> {
  const stopping = stop;
  stop = undefined;
  await stopping?.();
}

function begin(): () => Promise<unknown> {
  const beat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  Object.defineProperty(globalThis, 'vestibuleRunning', {
    value: () => void (seen.length < MAX_STALL_NAMES && seen.push(running.getStore())),
    configurable: true,
  });
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const stalled = now - last - STALL_BEAT_MS;
    last = now;
    Atomics.add(beat, 0, 1);
    if (stalled > STALL_MS) tell(stalled);
    seen = [];
    if (count === 0 && now - quietSince > STALL_REST_MS) void rest();
    else watcher ??= startWatcher(beat); // here, and not while the first request waits
  }, STALL_BEAT_MS);
  timer.unref();
  let watcher: Worker | undefined;
  return async () => {
    clearInterval(timer);
    await watcher?.terminate();
  };
}

function startWatcher(beat: Int32Array): Worker {
  const watcher = new Worker(`(${watch})()`, {
    eval: true,
    workerData: { beat, beatMs: STALL_BEAT_MS, askAfterMs: STALL_MS / 2 },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  watcher.unref();
  watcher.on('error', () => {}); // without it a stall is logged, but not what ran
  return watcher;
}

/** The other thread, a script of its own: it can use nothing of this file. Asks once in `askAfterMs` of each stall. */
function watch(): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { Session } = process.getBuiltinModule('node:inspector');
  const { beat, beatMs, askAfterMs } = workerData as { beat: Int32Array; beatMs: number; askAfterMs: number };
  let known = -1;
  let since = performance.now();
  setInterval(() => {
    const now = performance.now();
    const value = Atomics.load(beat, 0);
    if (value === known && now - since < askAfterMs) return;
    since = now;
    if (value !== known) {
      known = value;
      return;
    }
    const session = new Session();
    session.connectToMainThread();
    // connected only while it asks: a process with a session that is open waits for it at its end
    session.post('Runtime.evaluate', { expression: 'vestibuleRunning()' }, () => session.disconnect());
  }, beatMs);
}

function tell(stalledMs: number): void {
  // coarse: the log counts what is the same
  const words = `stall: nothing else was done for ${(stalledMs / 1000).toFixed(1)} s`;
  const asked = [...new Set(seen)];
  const requests = asked.filter((request) => request !== undefined);
  for (const { log, underWay } of watching) {
    if (requests.length > 0) {
      for (const request of requests) log(request.requestId, `${words}, by ${nameOf(request)}`);
    } else {
      const names = [...underWay].slice(0, MAX_STALL_NAMES).map(nameOf).join(', ') || 'no request';
      log('-', `${words}${asked.length > 0 ? ', by no single request' : ''}; under way: ${names}`);
    }
  }
}

function nameOf({ method, route }: Watched): string {
  return `${method} ${route || '(no route)'}`;
}
