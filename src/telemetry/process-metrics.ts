// What the process itself tells: delay of the event loop, memory, processor time. Names that begin with `process_` are
// those of Prometheus' client libraries.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { EVENT_LOOP_SAMPLE_MS } from '../limits/telemetry.ts';
import { version } from '../system/assets.ts';
import type { MetricsText } from './metrics-text.ts';

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

  /** The delays of the event loop are those since the last call. */
  write(out: MetricsText): void {
    const info = 'vestibule_build_info';
    out.family(info, 'gauge', 'Versions; the value is always 1.');
    out.sample(info, 1, { version: version(), node: process.versions.node });
    const delay = 'vestibule_event_loop_delay_seconds';
    out.family(delay, 'gauge', 'How late the event loop was, since the last scrape; quantile 1 is the worst.');
    for (const quantile of QUANTILES) {
      const late = this.#delay.count === 0 ? 0 : this.#delay.percentile(quantile * 100) / NANOSECONDS;
      out.sample(delay, Math.max(0, late - EVENT_LOOP_SAMPLE_MS / 1000), { quantile: String(quantile) });
    }
    this.#delay.reset();
    const { rss, heapUsed, external } = process.memoryUsage();
    out.gauge('process_resident_memory_bytes', 'Memory that is really there.', rss);
    out.gauge('vestibule_heap_used_bytes', 'JavaScript objects, of the main thread.', heapUsed);
    out.gauge('vestibule_external_memory_bytes', 'Buffers and other memory beside the heap.', external);
    const { user, system } = process.cpuUsage();
    out.counter('process_cpu_seconds_total', 'Processor time of all threads.', (user + system) / 1e6);
    out.gauge('process_start_time_seconds', 'When the process started, Unix time.', this.#startSeconds);
  }
}
