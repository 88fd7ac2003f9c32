// Sets of message numbers as the protocol writes them (verb GTSN, protocol section 10): `*:24,30,40:*`, kept as
// sorted ranges. Which messages a user has read.

export interface NumberRange {
  low: number;
  /** Infinity for `*` */
  high: number;
}

export class SequenceSet {
  readonly ranges: readonly NumberRange[];

  private constructor(ranges: readonly NumberRange[]) {
    this.ranges = ranges;
  }

  /** Ranges in any order; those that overlap or touch become one. */
  static of(ranges: readonly NumberRange[]): SequenceSet {
    return new SequenceSet(merge([...ranges]));
  }

  /** Reads the stored form; what cannot be read is left out. Ranges may come in any order and may touch. */
  static parse(text: string): SequenceSet {
    const ranges: NumberRange[] = [];
    for (const item of text.split(',')) {
      const match = /^(\d+|\*)(?::(\d+|\*))?$/.exec(item);
      if (!match) continue;
      const low = match[1] === '*' ? 0 : Number(match[1]);
      const high = match[2] === undefined ? low : match[2] === '*' ? Number.POSITIVE_INFINITY : Number(match[2]);
      if (low <= high) ranges.push({ low, high });
    }
    return SequenceSet.of(ranges);
  }

  /** `*:highest`: everything up to a number */
  static upTo(highest: number): SequenceSet {
    return new SequenceSet([{ low: 0, high: Math.max(0, highest) }]);
  }

  contains(msgnum: number): boolean {
    let from = 0;
    let to = this.ranges.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const range = this.ranges[middle]!;
      if (msgnum < range.low) to = middle;
      else if (msgnum > range.high) from = middle + 1;
      else return true;
    }
    return false;
  }

  /** What lies between the ranges, from 1 up: where new messages are. */
  gaps(): NumberRange[] {
    const gaps: NumberRange[] = [];
    let next = 1;
    for (const { low, high } of this.ranges) {
      if (low > next) gaps.push({ low: next, high: low - 1 });
      next = Math.max(next, high + 1);
    }
    if (next !== Number.POSITIVE_INFINITY) gaps.push({ low: next, high: Number.POSITIVE_INFINITY });
    return gaps;
  }

  toString(): string {
    return this.ranges
      .map(({ low, high }) => {
        const start = low === 0 ? '*' : String(low);
        if (high === Number.POSITIVE_INFINITY) return `${start}:*`;
        return low === high && low !== 0 ? start : `${start}:${high}`;
      })
      .join(',');
  }
}

function merge(ranges: NumberRange[]): NumberRange[] {
  ranges.sort((a, b) => a.low - b.low);
  const merged: NumberRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last && range.low <= last.high + 1) last.high = Math.max(last.high, range.high);
    else merged.push({ ...range });
  }
  return merged;
}
