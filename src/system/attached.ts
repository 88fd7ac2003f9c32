// What is made of an object, kept on the object itself: it goes when that goes. A WeakMap holds its values until the
// next collection of garbage has seen that their keys are gone; in a long list, whose rows are all young, each is
// copied for that, and many then lie where only full collections get to.

/** As a WeakMap, for objects that nobody freezes. Copies of an object have nothing of it, nor does its JSON. */
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
