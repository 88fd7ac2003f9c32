// All metrics of a gateway: those of its parts are there once it has started.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { GatewayMetrics } from '../../src/telemetry/gateway-metrics.ts';

const POOL = { open: 5, opening: 6, waiting: 7, max: 8, identities: 9, isAnswering: true };
const IDLE = { traffic: { connections: 0, receivedBytes: 0, sentBytes: 0 }, requestsUnderWay: 0, eventStreams: 0 };

it('tells of its parts, and while these start of itself', (t) => {
  const metrics = new GatewayMetrics();
  t.after(() => metrics.close());
  metrics.answeredBy('')(2);
  metrics.faulted();
  const early = metrics.text(undefined);
  assert.match(early, /^vestibule_faults_total 1$/m);
  assert.match(early, /^vestibule_backend_round_trip_seconds_bucket\{le="0\.0025"\} 1$/m);
  assert.match(early, /^vestibule_backend_round_trip_seconds_sum 0\.002$/m);
  assert.ok(!early.includes('vestibule_http_connections'));
  const text = metrics.text({
    traffic: { connections: 1, receivedBytes: 2, sentBytes: 3 },
    requestsUnderWay: 4,
    pools: new Map([['', POOL]]),
    eventStreams: 10,
    uploads: { count: 11, bytes: 12 },
  });
  for (const line of [
    'vestibule_http_connections 1',
    'vestibule_http_received_bytes_total 2',
    'vestibule_http_sent_bytes_total 3',
    'vestibule_http_requests_in_flight 4',
    'vestibule_backend_connections{state="open"} 5',
    'vestibule_backend_connections{state="opening"} 6',
    'vestibule_backend_waiting 7',
    'vestibule_backend_connections_max 8',
    'vestibule_backend_identities 9',
    'vestibule_backend_answering 1',
    'vestibule_event_streams 10',
    'vestibule_uploads 11',
    'vestibule_upload_bytes 12',
  ]) {
    assert.ok(text.split('\n').includes(line), line);
  }
  const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  assert.deepEqual(families, [...new Set(families)], 'each family once');
});

it('says nothing of uploads that others keep, rather than that there are none', (t) => {
  const metrics = new GatewayMetrics();
  t.after(() => metrics.close());
  assert.doesNotMatch(metrics.text({ ...IDLE, pools: new Map(), uploads: undefined }), /vestibule_upload/);
});

it('tells of each of several room servers by its name', (t) => {
  const metrics = new GatewayMetrics();
  t.after(() => metrics.close());
  metrics.answeredBy('')(1);
  metrics.answeredBy('b.example')(1);
  metrics.answeredBy('b.example')(1);
  const pools = new Map([
    ['', POOL],
    ['b.example', { ...POOL, open: 6, isAnswering: false }],
  ]);
  const lines = metrics.text({ ...IDLE, pools, uploads: { count: 0, bytes: 0 } }).split('\n');
  for (const line of [
    'vestibule_backend_connections{server="default",state="open"} 5',
    'vestibule_backend_connections{server="b.example",state="open"} 6',
    'vestibule_backend_answering{server="default"} 1',
    'vestibule_backend_answering{server="b.example"} 0',
    'vestibule_backend_round_trip_seconds_count{server="default"} 1',
    'vestibule_backend_round_trip_seconds_count{server="b.example"} 2',
  ]) {
    assert.ok(lines.includes(line), line);
  }
});
