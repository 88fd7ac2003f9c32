// Follows each request from its head to the end of its answer: for the metrics, and for the log of requests. Nothing is
// measured where neither is wanted.

import type { Exchange } from '../http/exchange.ts';
import { WaitClock } from '../system/wait-clock.ts';
import type { RequestEntry } from './log-line.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { continuedTrace, formatTraceParent, parseTraceParent } from './trace-context.ts';

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
