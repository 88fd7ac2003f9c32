// Texts of objects and pages; those that were read last are kept, for when there is no connection.

import { readEntry } from '../api/groupware.js';

const MOST = 50;

export class WholeTexts {
  /** by number @type {Map<number, string>} */
  #texts = new Map();

  /** @param {string} room */
  constructor(room) {
    this.room = room;
  }

  /** Throws Problem. @param {number} msgnum @param {AbortSignal} [signal] */
  async read(msgnum, signal) {
    const text = this.#texts.get(msgnum) ?? (await readEntry(this.room, msgnum, { signal }));
    this.#texts.delete(msgnum);
    this.#texts.set(msgnum, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MOST) this.#texts.delete(oldest);
    return text;
  }
}
