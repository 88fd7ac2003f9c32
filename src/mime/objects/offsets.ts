// Offsets from UTC, and conversion of local times to instants (RFC 5545 sections 3.3.5 and 3.8.5.3). Instants are Unix
// seconds. Local times are the seconds of their digits read as UTC. Offsets are seconds, positive to the east.

/** Steps left for a query. At 0, results may be incomplete. */
export interface Budget {
  steps: number;
}

export interface OffsetChange {
  /** instant */
  at: number;
  before: number;
  after: number;
}

/** Offset changes in order, and the offset before the first one. */
export interface OffsetChanges {
  first: number;
  changes: readonly OffsetChange[];
}

export interface Zone {
  /** '' for floating times */
  readonly name: string;
  /** The changes within two days of this instant or local time. Without budget left, only those that are cached. */
  near(time: number, budget?: Budget): OffsetChanges;
}

export function fixedZone(name: string, offset: number): Zone {
  const all: OffsetChanges = { first: offset, changes: [] };
  return { name, near: () => all };
}

export const UTC: Zone = fixedZone('UTC', 0);

export function offsetAt(zone: Zone, instant: number): number {
  const { first, changes } = zone.near(instant);
  const index = lastWhere(changes, (change) => change.at <= instant);
  return index < 0 ? first : changes[index]!.after;
}

/** Times skipped by a change, and repeated ones, use the offset before the change (RFC 5545 section 3.3.5). */
export function instantOf(zone: Zone, local: number): number {
  const { first, changes } = zone.near(local);
  const index = lastWhere(changes, ({ at, before, after }) => at + Math.max(before, after) <= local);
  return local - (index < 0 ? first : changes[index]!.after);
}

export function localOf(zone: Zone, instant: number): number {
  return instant + offsetAt(zone, instant);
}

/** Binary search: index of the last item for which `holds`, or -1. `holds` must be true for a prefix of the items. */
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
