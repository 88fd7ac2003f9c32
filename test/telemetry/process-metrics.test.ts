// What the process tells of itself.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ProcessMetrics } from '../../src/telemetry/gateway-metrics.ts';
import { MetricsText } from '../../src/telemetry/metrics-text.ts';

it('tells versions, memory, processor time, start and the delay of the event loop', (t) => {
  const metrics = new ProcessMetrics();
  t.after(() => metrics.close());
  const sampleOf = (name: string) => {
    const out = new MetricsText();
    metrics.write(out);
    const line = out
      .toString()
      .split('\n')
      .find((each) => each.startsWith(`${name}`));
    return Number(line?.split(' ').at(-1));
  };
  assert.equal(sampleOf('vestibule_build_info{version="'), 1);
  assert.ok(sampleOf('process_resident_memory_bytes ') > 1e6);
  assert.ok(sampleOf('process_cpu_seconds_total ') > 0);
  assert.ok(Math.abs(sampleOf('process_start_time_seconds ') - (Date.now() / 1000 - process.uptime())) < 5);
  for (const quantile of ['0.5', '0.9', '0.99', '1']) {
    assert.ok(sampleOf(`vestibule_event_loop_delay_seconds{quantile="${quantile}"}`) >= 0, quantile);
  }
});
