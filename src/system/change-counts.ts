// Change counters in memory shared by threads, to validate caches without asking the server; other processes read them
// from a file. Rooms and users are hashed to counters, so a counter may also move for another room or user, but never
// misses a change.

import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { BoundedMap } from './bounded-map.ts';

/** What a change affects, or a reply depends on. */
export interface ChangeScope {
  /** keys of names of shared rooms */
  rooms?: readonly string[];
  /** user numbers: their rooms and all their read marks */
  users?: readonly number[];
}

export interface Counts {
  /** changes with every change */
  readonly any: number;
  /** Changes with every change in these places, and with unscoped ones. */
  at(places: readonly number[]): number;
}

/** Publishes counters to other processes. */
interface Publisher {
  write(place: number, count: number): void;
}

const PLACES = 1024;
export const ANY = 0;
const WIDE = 1;
const ROOMS = 2;
const USERS = ROOMS + PLACES;
/** number of counters */
export const COUNTS = USERS + PLACES;

export class ChangeCounts implements Counts {
  readonly buffer: SharedArrayBuffer;
  readonly #counts: Int32Array;
  readonly #publisher: Publisher | undefined;

  constructor(buffer = new SharedArrayBuffer(COUNTS * Int32Array.BYTES_PER_ELEMENT), publisher?: Publisher) {
    this.buffer = buffer;
    this.#counts = new Int32Array(buffer);
    this.#publisher = publisher;
  }

  /** Call before anybody is notified of the change. `scope` undefined: anything may have changed. */
  count(scope: ChangeScope | undefined): void {
    // first: whoever sees this one unchanged has not seen the others changed
    this.#add(ANY);
    for (const place of scope ? placesOf(scope) : [WIDE]) this.#add(place);
  }

  #add(place: number): void {
    const count = Atomics.add(this.#counts, place, 1) + 1;
    this.#publisher?.write(place, count);
  }

  get any(): number {
    return Atomics.load(this.#counts, ANY);
  }

  at(places: readonly number[]): number {
    return sumAt(this.#counts, places);
  }
}

export function sumAt(counts: Int32Array, places: readonly number[]): number {
  let sum = Atomics.load(counts, WIDE);
  for (const place of places) sum = (sum + Atomics.load(counts, place)) | 0;
  return sum;
}

/** The combined scope of several changes. */
export function unionOf(scopes: readonly ChangeScope[]): ChangeScope {
  return { rooms: scopes.flatMap(({ rooms = [] }) => rooms), users: scopes.flatMap(({ users = [] }) => users) };
}

/** The counters of a scope. */
export function placesOf({ rooms = [], users = [] }: ChangeScope): number[] {
  return [...rooms.map((key) => ROOMS + (hashOf(key) % PLACES)), ...users.map((number) => USERS + (number % PLACES))];
}

/** FNV-1a, 32 bits */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

const BYTES = COUNTS * Int32Array.BYTES_PER_ELEMENT;

/** The writer; there is one. */
export class WrittenCounts {
  readonly #path: string;
  readonly #file: number;
  readonly #bytes = new Int32Array(1);

  /** Replaces the file. */
  constructor(path: string) {
    this.#path = path;
    rmSync(path, { force: true });
    this.#file = openSync(path, 'wx', 0o600);
    writeSync(this.#file, Buffer.alloc(BYTES));
  }

  /** Visible to all readers at once. */
  write(place: number, count: number): void {
    this.#bytes[0] = count;
    try {
      writeSync(this.#file, this.#bytes, 0, Int32Array.BYTES_PER_ELEMENT, place * Int32Array.BYTES_PER_ELEMENT);
    } catch {
      ftruncateSync(this.#file, 0); // an unreadable file disables caching
    }
  }

  close(): void {
    ftruncateSync(this.#file, 0);
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}

/** A reader. If the file is unreadable, everything counts as changed. */
export class ReadCounts implements Counts {
  readonly #file: number;
  readonly #counts = new Int32Array(COUNTS);

  /** Throws if the file does not exist. */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  get any(): number {
    return this.#read(Int32Array.BYTES_PER_ELEMENT) ? this.#counts[ANY]! : Number.NaN;
  }

  at(places: readonly number[]): number {
    return this.#read(BYTES) ? sumAt(this.#counts, places) : Number.NaN;
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(bytes: number): boolean {
    return readSync(this.#file, this.#counts, 0, bytes, 0) === bytes;
  }
}

interface Entry<V> {
  value: V;
  /** counters it depends on; undefined: all */
  places: readonly number[] | undefined;
  /** their sum when it was cached */
  count: number;
  size: number;
}

export class KeptWhileUnchanged<V> {
  readonly #changes: Counts;
  readonly #entries: BoundedMap<string, Entry<V>>;

  /** `maxBytes`: limit for the total size. */
  constructor(changes: Counts, maxBytes: number) {
    this.#changes = changes;
    this.#entries = new BoundedMap(maxBytes, ({ size }) => size);
  }

  /** Read this before fetching what is passed to `set`. */
  get moment(): number {
    return this.#changes.any;
  }

  /** The cached value if it is still valid. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#countAt(entry.places) === entry.count ? entry.value : undefined;
  }

  /** `since`: `moment` before the fetch. Caches nothing if anything has changed since. */
  set(key: string, value: V, { places, size, since }: Pick<Entry<V>, 'places' | 'size'> & { since: number }): void {
    const count = this.#countAt(places);
    // only then is the value known to be of this state
    if (this.#changes.any === since) this.#entries.set(key, { value, places, count, size });
  }

  #countAt(places: readonly number[] | undefined): number {
    return places ? this.#changes.at(places) : this.#changes.any;
  }
}
