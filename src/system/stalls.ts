// Tracks requests in progress and logs stalls: work that blocked this thread. A timer detects afterwards that it was
// late; it does not run while there are no requests.

import { MAX_STALL_NAMES, STALL_BEAT_MS, STALL_MS } from '../limits/sessions.ts';

interface Watched {
  method: string;
  /** the pattern of its route; may be empty */
  route: string;
  requestId: string;
}

/** receives the id of a request, or `-`, and the text */
type Log = (requestId: string, text: string) => void;

export class RequestsUnderWay {
  readonly #log: Log;
  readonly #requests = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  /** performance.now() at the last beat of the timer */
  #lastBeat = 0;
  /** no request has begun since the last beat */
  #isQuiet = true;
  /** the first request to end after a beat was missed: its work may have been the stall */
  #suspect: Watched | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  get size(): number {
    return this.#requests.size;
  }

  begin(request: Watched): void {
    this.#requests.add(request);
    this.#isQuiet = false;
    if (this.#timer) return;
    this.#lastBeat = performance.now();
    this.#timer = setInterval(() => this.#beat(), STALL_BEAT_MS).unref();
  }

  end(request: Watched): void {
    this.#requests.delete(request);
    if (!this.#suspect && performance.now() - this.#lastBeat > STALL_MS) this.#suspect = request;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    const now = performance.now();
    const stalledMs = now - this.#lastBeat - STALL_BEAT_MS;
    this.#lastBeat = now;
    if (stalledMs > STALL_MS) this.#tell(stalledMs);
    this.#suspect = undefined;
    if (this.#isQuiet && this.#requests.size === 0) this.close();
    this.#isQuiet = true;
  }

  #tell(stalledMs: number): void {
    const requests = [...(this.#suspect ? [this.#suspect] : []), ...this.#requests].slice(0, MAX_STALL_NAMES);
    const names = requests.map(({ method, route }) => `${method} ${route || '(no route)'}`).join(', ') || 'no request';
    // rounded, because the log counts equal lines
    const seconds = (stalledMs / 1000).toFixed(1);
    const id = requests.length === 1 ? requests[0]!.requestId : '-';
    this.#log(id, `stall: the event loop was blocked for ${seconds} s; requests in progress: ${names}`);
  }
}
