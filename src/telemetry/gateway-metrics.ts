// All metrics of a gateway: requests, connections, event streams, uploads, errors, and the process (with the `process_`
// names of Prometheus client libraries). Gauges are read on each scrape.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Traffic } from '../http/listener.ts';
import { EVENT_LOOP_SAMPLE_MS } from '../limits/processes.ts';
import type { PoolState } from '../room-server/connection/pool-entries.ts';
import { version } from '../system/assets.ts';
import { Histogram, type Labels, MetricsText } from './metrics-text.ts';
import { RequestMetrics } from './observer.ts';

/** Current values from the parts of the gateway. */
export interface GatewayState {
  traffic: Traffic;
  requestsUnderWay: number;
  /** by name of the room server */
  pools: ReadonlyMap<string, PoolState>;
  eventStreams: number;
  /** undefined: unknown to this process */
  uploads: { count: number; bytes: number } | undefined;
}

/** seconds, from the embedded room server (below 1 ms) to a distant one */
const ROUND_TRIP_BOUNDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10];

export class GatewayMetrics {
  readonly requests = new RequestMetrics();
  /** by name of the room server */
  readonly #roundTrips = new Map<string, Histogram>();
  readonly #process = new ProcessMetrics();
  #faults = 0;

  /** A callback for reply latencies of a room server; `''` for the default one. */
  answeredBy(server: string): (milliseconds: number) => void {
    const roundTrips = this.#roundTrips.getOrInsertComputed(server, () => new Histogram(ROUND_TRIP_BOUNDS));
    return (milliseconds) => roundTrips.observe(milliseconds / 1000);
  }

  /** An error was logged. */
  faulted(): void {
    this.#faults++;
  }

  close(): void {
    this.#process.close();
  }

  /** In Prometheus format. `state` undefined: the gateway is starting. */
  text(state: GatewayState | undefined): string {
    const out = new MetricsText();
    this.requests.write(out);
    out.counter('vestibule_faults_total', 'Faults of the gateway or the room server, and stalls.', this.#faults);
    const trip = 'vestibule_backend_round_trip_seconds';
    out.family(trip, 'histogram', 'Time from a command to the room server to its complete reply.');
    for (const [labels, roundTrips] of labelled(this.#roundTrips)) out.histogram(trip, roundTrips, labels);
    if (state) writeState(out, state);
    this.#process.write(out);
    return out.toString();
  }
}

function writeState(
  out: MetricsText,
  { traffic, requestsUnderWay, eventStreams, uploads, ...state }: GatewayState,
): void {
  out.gauge('vestibule_http_requests_in_flight', 'Requests in progress.', requestsUnderWay);
  out.gauge('vestibule_http_connections', 'Open connections of clients.', traffic.connections);
  out.counter('vestibule_http_received_bytes_total', 'Bytes from clients, heads included.', traffic.receivedBytes);
  out.counter('vestibule_http_sent_bytes_total', 'Bytes to clients, heads included.', traffic.sentBytes);
  writePools(out, labelled(state.pools));
  out.gauge('vestibule_event_streams', 'Open event streams.', eventStreams);
  if (!uploads) return;
  out.gauge('vestibule_uploads', 'Stored uploads.', uploads.count);
  out.gauge('vestibule_upload_bytes', 'Size of the stored uploads.', uploads.bytes);
}

function writePools(out: MetricsText, pools: readonly (readonly [Labels, PoolState])[]): void {
  const connections = 'vestibule_backend_connections';
  out.family(connections, 'gauge', 'Connections to the room server.');
  for (const [labels, pool] of pools) {
    out.sample(connections, pool.open, { ...labels, state: 'open' });
    out.sample(connections, pool.opening, { ...labels, state: 'opening' });
  }
  const gauge = (name: string, help: string, read: (pool: PoolState) => number) => {
    out.family(name, 'gauge', help);
    for (const [labels, pool] of pools) out.sample(name, read(pool), labels);
  };
  gauge('vestibule_backend_connections_max', 'Maximum number of connections.', ({ max }) => max);
  gauge('vestibule_backend_waiting', 'Callers waiting for a connection.', ({ waiting }) => waiting);
  gauge('vestibule_backend_identities', 'Callers with open connections.', ({ identities }) => identities);
  const answering = 'Processes for which the room server responds.';
  gauge('vestibule_backend_answering', answering, ({ isAnswering }) => Number(isAnswering));
}

/** A label for each room server; none if there is only one. */
function labelled<T>(servers: ReadonlyMap<string, T>): (readonly [Labels, T])[] {
  return Array.from(servers, ([name, value]) => [servers.size === 1 ? {} : { server: serverLabel(name) }, value]);
}

/** The name of a room server for operators. */
export function serverLabel(name: string): string {
  return name || 'default';
}

const QUANTILES = [0.5, 0.9, 0.99, 1];
const NANOSECONDS = 1e9;

export class ProcessMetrics {
  readonly #delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_SAMPLE_MS });
  readonly #startSeconds = Date.now() / 1000 - process.uptime();

  constructor() {
    this.#delay.enable();
  }

  close(): void {
    this.#delay.disable();
  }

  /** Event loop delays are those since the last call. */
  write(out: MetricsText): void {
    const info = 'vestibule_build_info';
    out.family(info, 'gauge', 'Versions; the value is always 1.');
    out.sample(info, 1, { version: version(), node: process.versions.node });
    const delay = 'vestibule_event_loop_delay_seconds';
    out.family(delay, 'gauge', 'Event loop delay since the last scrape; quantile 1 is the maximum.');
    for (const quantile of QUANTILES) {
      const late = this.#delay.count === 0 ? 0 : this.#delay.percentile(quantile * 100) / NANOSECONDS;
      out.sample(delay, Math.max(0, late - EVENT_LOOP_SAMPLE_MS / 1000), { quantile: String(quantile) });
    }
    this.#delay.reset();
    const { rss, heapUsed, external } = process.memoryUsage();
    out.gauge('process_resident_memory_bytes', 'Resident memory.', rss);
    out.gauge('vestibule_heap_used_bytes', 'Heap size of the main thread.', heapUsed);
    out.gauge('vestibule_external_memory_bytes', 'Buffers and other memory outside the heap.', external);
    const { user, system } = process.cpuUsage();
    out.counter('process_cpu_seconds_total', 'CPU time of all threads.', (user + system) / 1e6);
    out.gauge('process_start_time_seconds', 'Start time of the process, Unix time.', this.#startSeconds);
  }
}
