// How often what a server keeps has changed, counted in memory that threads share: a thread that has kept an answer
// sees without asking whether it still holds; another process reads them from a file (counts-file.ts). Rooms and users
// share their counts with others, so that a count may stand for a change of somebody else's, too; it never stands still
// when there was one.

/** What a change is confined to, or an answer depends on. */
export interface ChangeScope {
  /** keys of the names of rooms that are nobody's own */
  rooms?: readonly string[];
  /** numbers of users: their rooms, and what they have read anywhere */
  users?: readonly number[];
}

/** What tells whether anything may have changed. */
export interface Counts {
  /** Stays the same while nothing at all changes. */
  readonly any: number;
  /** Stays the same while nothing changes at these places, nor what is confined to none. */
  at(places: readonly number[]): number;
}

/** Where counts are told to other processes. */
interface Told {
  write(place: number, count: number): void;
}

const PLACES = 1024;
export const ANY = 0;
const WIDE = 1;
const ROOMS = 2;
const USERS = ROOMS + PLACES;
/** how many there are */
export const COUNTS = USERS + PLACES;

export class ChangeCounts implements Counts {
  readonly buffer: SharedArrayBuffer;
  readonly #counts: Int32Array;
  readonly #told: Told | undefined;

  constructor(buffer = new SharedArrayBuffer(COUNTS * Int32Array.BYTES_PER_ELEMENT), told?: Told) {
    this.buffer = buffer;
    this.#counts = new Int32Array(buffer);
    this.#told = told;
  }

  /** To be called before anybody is told of the change. `scope` undefined: anything may have changed. */
  count(scope: ChangeScope | undefined): void {
    // first of all: who sees this one stand still has seen no other of the same change
    this.#add(ANY);
    for (const place of scope ? placesOf(scope) : [WIDE]) this.#add(place);
  }

  #add(place: number): void {
    const count = Atomics.add(this.#counts, place, 1) + 1;
    this.#told?.write(place, count);
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

/** What several changes are confined to together. */
export function unionOf(scopes: readonly ChangeScope[]): ChangeScope {
  return { rooms: scopes.flatMap(({ rooms = [] }) => rooms), users: scopes.flatMap(({ users = [] }) => users) };
}

/** Where changes of this scope are counted. */
export function placesOf({ rooms = [], users = [] }: ChangeScope): number[] {
  return [...rooms.map((key) => ROOMS + (hashOf(key) % PLACES)), ...users.map((number) => USERS + (number % PLACES))];
}

/** FNV-1a, 32 bits */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
