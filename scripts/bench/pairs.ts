// Two servers measured in turn, in the same run: what disturbs a machine disturbs both. Only ratios are worth quoting.

/** The one in the middle. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

/** Measures each of `ways` in turn, so many rounds; the results by way. */
export async function inTurn<T>(rounds: number, ways: readonly (() => T | Promise<T>)[]): Promise<T[][]> {
  const results: T[][] = ways.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, way] of ways.entries()) results[i]!.push(await way());
  }
  return results;
}

/** The median of what `first` is, as a multiple of its neighbour in time. */
export function medianRatio(first: readonly number[], second: readonly number[]): number {
  return median(first.map((value, i) => value / second[i]!));
}

/** A line of a table: the first cell to the left, the others to the right. */
export function row(cells: readonly (string | number)[], widths: readonly number[]): string {
  return cells
    .map((cell, i) => (i === 0 ? String(cell).padEnd(widths[0]!) : String(cell).padStart(widths[i] ?? 9)))
    .join(' ');
}
