// Caches what is derived from an object on the object itself. The values of a WeakMap survive until the next garbage
// collection has seen that their keys are gone; with many young keys they get promoted to old space.

/** Like a WeakMap, for objects that are not frozen. The value is not copied, and is not part of the JSON. */
export class Attached<K extends object, V> {
  readonly #name = Symbol('attached');

  get(key: K): V | undefined {
    return (key as { [name: symbol]: V })[this.#name];
  }

  set(key: K, value: V): void {
    Object.defineProperty(key, this.#name, { value, configurable: true });
  }

  getOrInsertComputed(key: K, make: (key: K) => V): V {
    if (this.#name in key) return this.get(key) as V;
    const value = make(key);
    this.set(key, value);
    return value;
  }
}

/** `make`, called once per argument object. It must be pure, and nobody may change what it returns. */
export function memoised<A extends object, B>(make: (from: A) => B): (from: A) => B {
  const made = new Attached<A, B>();
  return (from) => made.getOrInsertComputed(from, make);
}
