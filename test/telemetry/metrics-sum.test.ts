import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sumMetrics } from '../../src/telemetry/admin.ts';
import { Histogram, MetricsText } from '../../src/telemetry/metrics-text.ts';

function textOf(requests: Record<string, number>, seconds: number[], startedAt: number): string {
  const out = new MetricsText();
  out.family('requests_total', 'counter', 'Requests # of all.');
  for (const [route, count] of Object.entries(requests)) out.sample('requests_total', count, { route });
  const histogram = new Histogram([1, 2]);
  for (const each of seconds) histogram.observe(each);
  out.family('took_seconds', 'histogram', 'Time.');
  out.histogram('took_seconds', histogram);
  out.gauge('process_start_time_seconds', 'When it was started.', startedAt);
  return out.toString();
}

describe('metrics of several processes', () => {
  it('are those of one process where there is but one', () => {
    const text = textOf({ '/a': 1 }, [1], 100);
    assert.equal(sumMetrics([text]), text);
  });

  it('are added up by name and labels, what only one has among them', () => {
    const sum = sumMetrics([textOf({ '/a b': 1, '/c': 2 }, [0.5, 5], 100), textOf({ '/d': 4, '/c': 3 }, [1.5], 200)]);
    assert.equal(sum, textOf({ '/a b': 1, '/c': 5, '/d': 4 }, [0.5, 5, 1.5], 200));
  });

  it('has a family of only one process, too', () => {
    const [one, other] = [new MetricsText(), new MetricsText()];
    one.gauge('a', 'A.', 1);
    other.gauge('b', 'B.', 2);
    assert.equal(
      sumMetrics([one.toString(), other.toString()]),
      '# HELP a A.\n# TYPE a gauge\na 1\n# HELP b B.\n# TYPE b gauge\nb 2\n',
    );
  });
});
