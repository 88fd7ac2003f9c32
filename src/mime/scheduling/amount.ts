// How much one change makes: a line of a series goes into each of its instances, an event to each of its guests. It is
// counted on the way, since what is too much is not even to be made.

import { MAX_MESSAGE_CHARACTERS, MAX_MESSAGE_LINES } from '../../limits/mime.ts';
import type { Component } from '../objects/content-lines.ts';

export class Amount {
  #lines = 0;
  #characters = 0;

  /** Counts this component and what is in it; false: that is too much by now. */
  holds({ lines, components }: Component): boolean {
    this.#lines += lines.length;
    for (const { text } of lines) this.#characters += text.length;
    const isFine = this.#lines <= MAX_MESSAGE_LINES && this.#characters <= MAX_MESSAGE_CHARACTERS;
    return isFine && components.every((inner) => this.holds(inner));
  }
}
