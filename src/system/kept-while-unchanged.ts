// What has been made of a server's answers, kept for as long as nothing changes that it depends on: a look at counts in
// shared memory (change-counts.ts) tells, so that nobody has to be asked.

import { BoundedMap } from './bounded-map.ts';
import type { Counts } from './change-counts.ts';

interface Kept<V> {
  value: V;
  /** of what it depends on; undefined: of everything */
  places: readonly number[] | undefined;
  /** of the changes there, when it was made */
  count: number;
  size: number;
}

export class KeptWhileUnchanged<V> {
  readonly #changes: Counts;
  readonly #kept: BoundedMap<string, Kept<V>>;

  /** `maxBytes`: of all sizes together. */
  constructor(changes: Counts, maxBytes: number) {
    this.#changes = changes;
    this.#kept = new BoundedMap(maxBytes, ({ size }) => size);
  }

  /** Stays the same while nothing changes anywhere: to be read before what `set` is given is asked for. */
  get moment(): number {
    return this.#changes.any;
  }

  /** What was kept, while it still holds. */
  get(key: string): V | undefined {
    const kept = this.#kept.get(key);
    return kept && this.#countAt(kept.places) === kept.count ? kept.value : undefined;
  }

  /** `since`: the moment before it was asked for. Keeps nothing where anything has changed meanwhile. */
  set(key: string, value: V, { places, size, since }: Pick<Kept<V>, 'places' | 'size'> & { since: number }): void {
    const count = this.#countAt(places);
    // only then it is known that the value is of this state, and not of one before it
    if (this.#changes.any === since) this.#kept.set(key, { value, places, count, size });
  }

  #countAt(places: readonly number[] | undefined): number {
    return places ? this.#changes.at(places) : this.#changes.any;
  }
}
