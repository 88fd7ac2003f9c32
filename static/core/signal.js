// A value that others are told of when it changes.

/**
 * @template T
 * @typedef {{ get(): T, set(value: T): void, subscribe(listener: (value: T) => void): () => void }} Signal
 */

/**
 * `subscribe` answers what ends it. Setting what is there already tells nobody.
 * @template T
 * @param {T} value
 * @returns {Signal<T>}
 */
export function signal(value) {
  /** @type {Set<(value: T) => void>} */
  const listeners = new Set();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener(value);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
