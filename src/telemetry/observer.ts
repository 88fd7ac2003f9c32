// Follows each request from its head to the end of its answer, for the metrics and the request log; measures nothing if
// neither is wanted. `traceparent` (W3C Trace Context) joins a request to the logs of a proxy or another program; a
// request without one starts a new trace.

import type { Exchange } from '../http/exchange.ts';
import { randomId } from '../system/random-id.ts';
import { WaitClock } from '../system/wait-clock.ts';
import type { RequestEntry } from './log-line.ts';
import { Histogram, type MetricsText } from './metrics-text.ts';

/** the number that nginx gave to a client that left before it was answered */
const LEFT = 499;

export interface Observers {
  metrics: RequestMetrics | undefined;
  /** asked for each request: it may be switched while the server runs */
  isLogged: () => boolean;
  log: (entry: RequestEntry) => void;
}

/** What the listener calls with each request. A `traceparent` that it has is answered with its continuation. */
export function requestObserver({ metrics, isLogged, log }: Observers): (exchange: Exchange) => void {
  return (exchange) => {
    const caller = parseTraceParent(exchange.header('traceparent'));
    const isInLog = isLogged();
    const trace = caller || isInLog ? continuedTrace(caller) : undefined;
    if (caller) exchange.addHeader('traceparent', formatTraceParent(trace!));
    if (!metrics && !isInLog) return;
    const started = performance.now();
    const clock = isInLog ? new WaitClock() : undefined;
    exchange.backendTime = clock;
    exchange.response.on('close', () => {
      const { response, route, method } = exchange;
      const status = response.headersSent ? response.statusCode : LEFT;
      const milliseconds = performance.now() - started;
      metrics?.record(route, method, status, milliseconds);
      if (!clock) return;
      const { requestId, user, sentBytes: bytes } = exchange;
      const times = { milliseconds, backendMilliseconds: clock.ms };
      log({ requestId, traceId: trace!.traceId, user, method, route, status, bytes, ...times });
    });
  };
}

interface TraceParent {
  /** 32 hex digits, not all 0 */
  traceId: string;
  /** 16 hex digits: who called, or the request itself */
  parentId: string;
  /** the caller records this trace */
  isSampled: boolean;
}

const VERSION_00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** later versions may add fields behind a dash */
const LATER = /^(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Undefined for what is none: then a new trace is begun. */
export function parseTraceParent(text: string | undefined): TraceParent | undefined {
  if (text === undefined) return undefined;
  const [, traceId = '', parentId = '', flags = ''] = VERSION_00.exec(text) ?? LATER.exec(text) ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(parentId)) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** What this request is, as a part of the trace of its caller, or of a new one. */
export function continuedTrace(caller: TraceParent | undefined): TraceParent {
  return {
    traceId: caller?.traceId ?? randomId(16),
    parentId: randomId(8),
    isSampled: caller?.isSampled ?? false,
  };
}

export function formatTraceParent({ traceId, parentId, isSampled }: TraceParent): string {
  return `00-${traceId}-${parentId}-${isSampled ? '01' : '00'}`;
}

/** seconds: a list in a millisecond, a search in some, a large download in many */
export const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** what could not be routed: unknown paths, refused requests */
const NO_ROUTE = '(none)';

interface Series {
  duration: Histogram;
  byStatus: Map<number, number>;
}

export class RequestMetrics {
  /** route → method */
  readonly #series = new Map<string, Map<string, Series>>();

  /** `route`: empty where there is none. */
  record(route: string, method: string, status: number, milliseconds: number): void {
    const ofRoute = this.#series.getOrInsertComputed(route || NO_ROUTE, () => new Map());
    const series = ofRoute.getOrInsertComputed(method, newSeries);
    series.duration.observe(milliseconds / 1000);
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
  }

  write(out: MetricsText): void {
    const requests = 'vestibule_http_requests_total';
    out.family(requests, 'counter', 'Requests that are finished. 499: the client left before it was answered.');
    for (const [labels, { byStatus }] of this.#all()) {
      for (const [status, count] of byStatus) out.sample(requests, count, { ...labels, status: String(status) });
    }
    const duration = 'vestibule_http_request_duration_seconds';
    out.family(duration, 'histogram', 'From the head of a request to the end of its answer.');
    for (const [labels, series] of this.#all()) out.histogram(duration, series.duration, labels);
  }

  *#all(): Generator<[labels: { route: string; method: string }, series: Series]> {
    for (const [route, methods] of this.#series) {
      for (const [method, series] of methods) yield [{ route, method }, series];
    }
  }
}

function newSeries(): Series {
  return { duration: new Histogram(DURATION_BOUNDS), byStatus: new Map() };
}
