// The numbers of the messages that came into one room while it is watched. For watch.ts.

import { MAX_EVENT_NUMBERS } from '../limits/events.ts';
import type { RoomRef } from './goto.ts';

export class WatchedRoom {
  readonly ref: RoomRef;
  /** as the room server writes it */
  readonly name: string;
  /** the highest number that was ever seen here */
  highest: number;
  /** all numbers above it are in #numbers */
  #floor: number;
  #numbers: number[] = [];

  constructor(ref: RoomRef, name: string, highest: number) {
    this.ref = ref;
    this.name = name;
    this.highest = highest;
    this.#floor = highest;
  }

  /** Ascending; what is known already does not count. Only the last MAX_EVENT_NUMBERS are kept. */
  add(numbers: readonly number[]): void {
    for (const number of numbers) {
      if (number <= this.highest) continue;
      this.#numbers.push(number);
      this.highest = number;
    }
    if (this.#numbers.length <= MAX_EVENT_NUMBERS) return;
    const dropped = this.#numbers.splice(0, this.#numbers.length - MAX_EVENT_NUMBERS);
    this.#floor = dropped.at(-1)!;
  }

  /** The numbers above `number`, ascending; undefined when that is too long ago to be known. */
  above(number: number): number[] | undefined {
    if (number < this.#floor) return undefined;
    return this.#numbers.filter((each) => each > number);
  }
}
