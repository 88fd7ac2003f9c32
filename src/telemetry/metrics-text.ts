// The Prometheus exposition format 0.0.4: families, samples, histograms. The only place that escapes label values.

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string>>;

/** Counts of values by bucket. */
export class Histogram {
  readonly bounds: readonly number[];
  /** not cumulative; the last one counts values above all bounds */
  readonly counts: number[];
  sum = 0;

  /** `bounds` must be ascending. */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let i = 0;
    while (i < this.bounds.length && value > this.bounds[i]!) i++;
    this.counts[i]!++;
    this.sum += value;
  }
}

export class MetricsText {
  readonly #lines: string[] = [];

  /** Starts a family; its samples follow. */
  family(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): void {
    this.#lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
  }

  sample(name: string, value: number, labels: Labels = {}): void {
    this.#lines.push(`${name}${labelText(labels)} ${value}`);
  }

  /** A family of one sample. */
  gauge(name: string, help: string, value: number): void {
    this.family(name, 'gauge', help);
    this.sample(name, value);
  }

  /** The same; `name` ends in `_total`. */
  counter(name: string, help: string, value: number): void {
    this.family(name, 'counter', help);
    this.sample(name, value);
  }

  /** The samples of a histogram, of a family that has begun. */
  histogram(name: string, { bounds, counts, sum }: Histogram, labels: Labels = {}): void {
    let count = 0;
    for (const [i, each] of counts.entries()) {
      count += each;
      this.sample(`${name}_bucket`, count, { ...labels, le: i < bounds.length ? String(bounds[i]) : '+Inf' });
    }
    this.sample(`${name}_sum`, sum, labels);
    this.sample(`${name}_count`, count, labels);
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
