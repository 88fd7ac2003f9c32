// Counts of changes (change-counts.ts) for other processes, which share no memory: a small file that the system keeps
// in its cache, where to read it takes less than any question to who writes it.

import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { ANY, COUNTS, type Counts, sumAt } from './change-counts.ts';

const BYTES = COUNTS * Int32Array.BYTES_PER_ELEMENT;

/** The side that counts; there is one. */
export class WrittenCounts {
  readonly #path: string;
  readonly #file: number;
  readonly #bytes = new Int32Array(1);

  /** Makes the file, of what was there nothing is left. */
  constructor(path: string) {
    this.#path = path;
    rmSync(path, { force: true });
    this.#file = openSync(path, 'wx', 0o600);
    writeSync(this.#file, Buffer.alloc(BYTES));
  }

  /** Everybody who reads from now on sees it. */
  write(place: number, count: number): void {
    this.#bytes[0] = count;
    try {
      writeSync(this.#file, this.#bytes, 0, Int32Array.BYTES_PER_ELEMENT, place * Int32Array.BYTES_PER_ELEMENT);
    } catch {
      ftruncateSync(this.#file, 0); // who reads nothing keeps nothing
    }
  }

  close(): void {
    ftruncateSync(this.#file, 0);
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}

/** The side that reads. Where nothing can be read all is taken for changed. */
export class ReadCounts implements Counts {
  readonly #file: number;
  readonly #counts = new Int32Array(COUNTS);

  /** Throws where there is no such file. */
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
