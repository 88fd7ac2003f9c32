// Sets of message numbers (verb GTSN, protocol section 10): `*:24,30,40:*`, as sorted ranges. They hold read marks.

export interface NumberRange {
  low: number;
  /** Infinity: `*` */
  high: number;
}

export class SequenceSet {
  readonly ranges: readonly NumberRange[];

  private constructor(ranges: readonly NumberRange[]) {
    this.ranges = ranges;
  }

  /** Ranges in any order. Merges those that overlap or touch. */
  static of(ranges: readonly NumberRange[]): SequenceSet {
    return new SequenceSet(merge([...ranges]));
  }

  /** Skips malformed items. Ranges may be in any order. */
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

  /** `*:highest` */
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

  /** The numbers from 1 that are not in the set. */
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
