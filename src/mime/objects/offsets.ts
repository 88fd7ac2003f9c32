// Offsets of local time from UTC, and local times made instants (RFC 5545 sections 3.3.5 and 3.8.5.3).
//
// Instants are Unix seconds; local times are the seconds of their digits taken as UTC; offsets are seconds, east
// positive.

/** What may still be looked at; where it has come to 0, what was found is not all. */
export interface Budget {
  steps: number;
}

export interface OffsetChange {
  /** instant */
  at: number;
  before: number;
  after: number;
}

/** Changes of offset, in order, and the offset before the first of them. */
export interface OffsetChanges {
  first: number;
  changes: readonly OffsetChange[];
}

export interface Zone {
  /** '' for the one of floating times */
  readonly name: string;
  /**
   * The changes that matter within two days of this time, instant or local. `budget`: what it takes to find them is
   * taken from it, and once it is spent, only what is at hand is told.
   */
  near(time: number, budget?: Budget): OffsetChanges;
}

/** Without changes: UTC is `fixedZone('UTC', 0)`. */
export function fixedZone(name: string, offset: number): Zone {
  const all: OffsetChanges = { first: offset, changes: [] };
  return { name, near: () => all };
}

export const UTC: Zone = fixedZone('UTC', 0);

/** The offset in force at an instant. */
export function offsetAt(zone: Zone, instant: number): number {
  const { first, changes } = zone.near(instant);
  const index = lastWhere(changes, (change) => change.at <= instant);
  return index < 0 ? first : changes[index]!.after;
}

/**
 * The instant of a local time. One that a change leaves out, and the first of one that it repeats, are counted with the
 * offset before the change (RFC 5545 section 3.3.5).
 */
export function instantOf(zone: Zone, local: number): number {
  const { first, changes } = zone.near(local);
  const index = lastWhere(changes, ({ at, before, after }) => at + Math.max(before, after) <= local);
  return local - (index < 0 ? first : changes[index]!.after);
}

/** What the clocks of a zone show at an instant. */
export function localOf(zone: Zone, instant: number): number {
  return instant + offsetAt(zone, instant);
}

/** Index of the last for which `holds`, which it does for all before it; -1 if for none. */
export function lastWhere<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
