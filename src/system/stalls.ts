// The requests that are being answered, and a line in the log for each stall: one piece of work that kept this thread
// from everything else. A timer notices afterwards that it was late; no timer runs while there are no requests.

import { MAX_STALL_NAMES, STALL_BEAT_MS, STALL_MS } from '../limits/sessions.ts';

/** a request, as an Exchange is one */
interface Watched {
  method: string;
  /** the pattern of its route, empty where there is none */
  route: string;
  requestId: string;
}

/** called with the id of a request, or `-`, and with what to log */
type Log = (requestId: string, text: string) => void;

export class RequestsUnderWay {
  readonly #log: Log;
  readonly #requests = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  /** performance.now() at the last beat of the timer */
  #lastBeat = 0;
  /** no request has begun since */
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
    // coarse: the log counts what is the same
    const seconds = (stalledMs / 1000).toFixed(1);
    const id = requests.length === 1 ? requests[0]!.requestId : '-';
    this.#log(id, `stall: nothing else was done for ${seconds} s; under way: ${names}`);
  }
}
