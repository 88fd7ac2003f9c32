// The text that Prometheus reads: families, samples, histograms, and labels that cannot leave their quotes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Histogram, MetricsText } from '../../src/telemetry/metrics-text.ts';

describe('the metrics text', () => {
  it('has a family with its help and type, and a line for each sample', () => {
    const out = new MetricsText();
    out.family('requests_total', 'counter', 'Requests.');
    out.sample('requests_total', 2, { method: 'GET', route: '/r/:room' });
    out.sample('requests_total', 1, { method: 'PUT', route: '/r/:room' });
    out.gauge('connections', 'Open ones.', 0);
    assert.equal(
      out.toString(),
      [
        '# HELP requests_total Requests.',
        '# TYPE requests_total counter',
        'requests_total{method="GET",route="/r/:room"} 2',
        'requests_total{method="PUT",route="/r/:room"} 1',
        '# HELP connections Open ones.',
        '# TYPE connections gauge',
        'connections 0',
        '',
      ].join('\n'),
    );
  });

  it('escapes what a label must not hold', () => {
    const out = new MetricsText();
    out.sample('a', 1, { b: 'x"} 1\na{b="\\' });
    assert.equal(out.toString(), 'a{b="x\\"} 1\\na{b=\\"\\\\"} 1\n');
  });

  it('sums the counts of a histogram up, a value on a bound included', () => {
    const histogram = new Histogram([0.5, 1]);
    for (const value of [0.25, 0.5, 0.75, 1, 2]) histogram.observe(value);
    const out = new MetricsText();
    out.histogram('t', histogram, { a: 'b' });
    assert.equal(
      out.toString(),
      [
        't_bucket{a="b",le="0.5"} 2',
        't_bucket{a="b",le="1"} 4',
        't_bucket{a="b",le="+Inf"} 5',
        't_sum{a="b"} 4.5',
        't_count{a="b"} 5',
        '',
      ].join('\n'),
    );
  });
});
