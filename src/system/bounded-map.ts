// The cache of the product: a map that drops what has not been used for longest. Its bound is a number of entries, or,
// where each has a size, the sum of the sizes. For what may be forgotten; where a dropped entry would open a way around
// a bound (throttle.ts, known-networks.ts), the order of dropping is another one.
//
// What is got is only marked, and gets to the end of the line when room is made (the "second chance" of pagers). To
// move it each time would write to a map that lies in old space, and keep the key that was asked with, a new string
// with each request, in place of the old one.

interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly size: number;
  /** got since it came to the end of the line */
  isUsed: boolean;
}

export class BoundedMap<K, V> {
  readonly #entries = new Map<K, Entry<K, V>>();
  readonly #max: number;
  readonly #sizeOf: (value: V, key: K) => number;
  #size = 0;

  constructor(max: number, sizeOf: (value: V, key: K) => number = () => 1) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry) this.#drop(entry);
  }

  set(key: K, value: V): void {
    this.delete(key);
    const size = this.#sizeOf(value, key);
    if (size > this.#max) return; // it would drop everything else and still not fit
    this.#makeRoom(size);
    this.#entries.set(key, { key, value, size, isUsed: false });
    this.#size += size;
  }

  /** All values; to look at them is no use. */
  values(): IteratorObject<V> {
    return this.#entries.values().map(({ value }) => value);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  /** Each `get` costs one turn of this loop at most. */
  #makeRoom(size: number): void {
    while (this.#size + size > this.#max) {
      const oldest: Entry<K, V> = this.#entries.values().next().value!;
      if (!oldest.isUsed) {
        this.#drop(oldest);
        continue;
      }
      oldest.isUsed = false;
      this.#entries.delete(oldest.key);
      this.#entries.set(oldest.key, oldest);
    }
  }

  #drop(entry: Entry<K, V>): void {
    this.#entries.delete(entry.key);
    this.#size -= entry.size;
  }
}
