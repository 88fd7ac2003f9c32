// The metrics of a gateway, all together: requests, connections on both sides, event streams, uploads, faults, and the
// process. Gauges are read from the parts when somebody asks.

import type { PoolState } from '../client/connection/pool-entry.ts';
import type { Traffic } from '../http/listener.ts';
import { Histogram, MetricsText } from './metrics-text.ts';
import { ProcessMetrics } from './process-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';

/** What the parts tell of themselves. */
export interface GatewayState {
  traffic: Traffic;
  requestsUnderWay: number;
  pool: PoolState;
  eventStreams: number;
  uploads: { count: number; bytes: number };
}

/** seconds: the embedded room server answers in less than a millisecond, one far away in a round trip */
const ROUND_TRIP_BOUNDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10];

export class GatewayMetrics {
  readonly requests = new RequestMetrics();
  readonly #roundTrips = new Histogram(ROUND_TRIP_BOUNDS);
  readonly #process = new ProcessMetrics();
  #faults = 0;

  /** An answer of the room server has come. */
  readonly answered = (milliseconds: number): void => this.#roundTrips.observe(milliseconds / 1000);

  /** Something was logged as a fault. */
  faulted(): void {
    this.#faults++;
  }

  close(): void {
    this.#process.close();
  }

  /** In the format of Prometheus. `state` is undefined while the gateway starts. */
  text(state: GatewayState | undefined): string {
    const out = new MetricsText();
    this.requests.write(out);
    out.counter('vestibule_faults_total', 'Faults of the gateway or the room server, and stalls.', this.#faults);
    const trip = 'vestibule_backend_round_trip_seconds';
    out.family(trip, 'histogram', 'From a command to the room server until its answer has come.');
    out.histogram(trip, this.#roundTrips);
    if (state) writeState(out, state);
    this.#process.write(out);
    return out.toString();
  }
}

function writeState(out: MetricsText, { traffic, requestsUnderWay, pool, eventStreams, uploads }: GatewayState): void {
  out.gauge('vestibule_http_requests_in_flight', 'Requests that are being answered.', requestsUnderWay);
  out.gauge('vestibule_http_connections', 'Open connections of clients.', traffic.connections);
  out.counter('vestibule_http_received_bytes_total', 'Bytes from clients, heads included.', traffic.receivedBytes);
  out.counter('vestibule_http_sent_bytes_total', 'Bytes to clients, heads included.', traffic.sentBytes);
  const connections = 'vestibule_backend_connections';
  out.family(connections, 'gauge', 'Connections to the room server.');
  out.sample(connections, pool.open, { state: 'open' });
  out.sample(connections, pool.opening, { state: 'opening' });
  out.gauge('vestibule_backend_connections_max', 'As many there may be.', pool.max);
  out.gauge('vestibule_backend_waiting', 'Callers who wait for a place for their connection.', pool.waiting);
  out.gauge('vestibule_backend_identities', 'Callers that connections are kept for.', pool.identities);
  out.gauge('vestibule_event_streams', 'Event streams that are open.', eventStreams);
  out.gauge('vestibule_uploads', 'Uploads that are kept.', uploads.count);
  out.gauge('vestibule_upload_bytes', 'Their bytes on the disk.', uploads.bytes);
}
