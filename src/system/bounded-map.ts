// The cache of the product: a map that drops the least recently used entry. Its bound is a number of entries, or, where
// each has a size, the sum of the sizes. For what may be forgotten; where a dropped entry would open a way around a
// bound (throttle.ts, known-networks.ts), the order of dropping is another one.

export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #max: number;
  readonly #sizeOf: (value: V, key: K) => number;
  #size = 0;

  constructor(max: number, sizeOf: (value: V, key: K) => number = () => 1) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    // while half of it is free nothing is dropped soon, and the order does not matter yet
    if (value !== undefined && this.#size * 2 > this.#max) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  set(key: K, value: V): void {
    this.#delete(key);
    const size = this.#sizeOf(value, key);
    if (size > this.#max) return; // it would drop everything else and still not fit
    this.#entries.set(key, value);
    this.#size += size;
    while (this.#size > this.#max) this.#delete(this.#entries.keys().next().value!);
  }

  /** All values; to look at them is no use. */
  values(): MapIterator<V> {
    return this.#entries.values();
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  #delete(key: K): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#size -= this.#sizeOf(value, key);
  }
}
