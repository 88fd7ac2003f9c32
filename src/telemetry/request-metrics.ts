// Requests by route, method and status, and how long they took. A route is the pattern of the router, so that neither a
// name nor a secret of a path gets here, and the number of series has a bound: that of the routes.

import { Histogram, type MetricsText } from './metrics-text.ts';

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
