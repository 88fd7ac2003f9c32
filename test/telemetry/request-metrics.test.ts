// Requests are counted by route, method and status, and timed by route and method.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MetricsText } from '../../src/telemetry/metrics-text.ts';
import { DURATION_BOUNDS, RequestMetrics } from '../../src/telemetry/observer.ts';

it('counts requests by route, method and status, those without a route together', () => {
  const metrics = new RequestMetrics();
  metrics.record('/r/:room', 'GET', 200, 1);
  metrics.record('/r/:room', 'GET', 200, 20_000);
  metrics.record('/r/:room', 'GET', 404, 3);
  metrics.record('/r/:room', 'PUT', 201, 3);
  metrics.record('', 'GET', 404, 3);
  const out = new MetricsText();
  metrics.write(out);
  const lines = out.toString().split('\n');
  assert.deepEqual(
    lines.filter((line) => line.startsWith('vestibule_http_requests_total{')),
    [
      'vestibule_http_requests_total{route="/r/:room",method="GET",status="200"} 2',
      'vestibule_http_requests_total{route="/r/:room",method="GET",status="404"} 1',
      'vestibule_http_requests_total{route="/r/:room",method="PUT",status="201"} 1',
      'vestibule_http_requests_total{route="(none)",method="GET",status="404"} 1',
    ],
  );
  const name = 'vestibule_http_request_duration_seconds';
  const bucket = (le: string) =>
    lines.find(
      (line) => line.startsWith(`${name}_bucket{route="/r/:room",method="GET"`) && line.includes(`le="${le}"`),
    );
  assert.match(bucket(String(DURATION_BOUNDS[0]))!, / 1$/);
  assert.match(bucket(String(DURATION_BOUNDS.at(-1)))!, / 2$/);
  assert.match(bucket('+Inf')!, / 3$/);
  assert.ok(lines.includes(`${name}_count{route="/r/:room",method="GET"} 3`));
  assert.ok(lines.includes(`${name}_sum{route="/r/:room",method="GET"} 20.004`));
});
