// An LRU cache bounded by number of entries or by their total size. Not for data whose eviction would open a way around
// a limit (throttle.ts has its own order).
//
// Reads only set a flag; entries are reordered when room is needed ("second chance"). Reordering on each read would
// write to old space, and would replace the key by the one of each request.

interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly size: number;
  /** read since it was queued */
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

  /** All values, without marking them as used. */
  values(): IteratorObject<V> {
    return this.#entries.values().map(({ value }) => value);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  /** Each `get` causes at most one extra iteration. */
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
