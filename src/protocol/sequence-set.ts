// Sets of message numbers as the protocol writes them (verb GTSN, spec section 10): `*:8,10,12:20`. `*` as the high
// end has no limit, as the low end it is 0.

import { toInt } from './fields.ts';

export type Range = readonly [low: number, high: number];

/** `'*:8,10'` → `[[0, 8], [10, 10]]`, sorted, overlapping and touching ranges joined. Rubbish counts as 0. */
export function parseSequenceSet(text: string): Range[] {
  const ranges: Range[] = [];
  for (const item of text.split(',')) {
    if (item.trim() === '') continue;
    const [low, high = low] = item.split(':');
    const from = low === '*' ? 0 : toInt(low);
    const to = high === '*' ? Number.MAX_SAFE_INTEGER : toInt(high);
    if (to >= from) ranges.push([from, to]);
  }
  return joinRanges(ranges);
}

/** Sorts ranges and joins those that overlap or touch. */
export function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else joined.push([low, high]);
  }
  return joined;
}

/** Binary search over sorted, joined ranges. */
export function isInSet(ranges: readonly Range[], number: number): boolean {
  let from = 0;
  let to = ranges.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const [low, high] = ranges[middle]!;
    if (number < low) to = middle;
    else if (number > high) from = middle + 1;
    else return true;
  }
  return false;
}
