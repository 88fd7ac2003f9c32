// A text without versions that others may change while it is written: what it was made from is kept with the draft, and
// what is there now is read before it is saved.

import { mergedText } from '../model/object-writing.js';
import { askVersion } from './versions.js';

/** @import { Draft } from '../model/drafts.js' */

/**
 * Saves what is written in `area`. `value` is what the form keeps beside its controls. `save` throws Undecided and
 * Problem.
 * @param {HTMLTextAreaElement} area @param {string} first @param {Draft} draft of the form
 * @param {{ read: () => Promise<string>, write: (text: string) => Promise<unknown> }} place
 */
export function sharedText(area, first, draft, { read, write }) {
  let seen = /** @type {string} */ (draft.read()?.value ?? first.trimEnd());
  return {
    value: () => seen,
    async save() {
      const mine = area.value.trimEnd();
      if (mine === seen) return;
      const there = (await read()).trimEnd();
      const text = await mergedText(seen, mine, there, askVersion);
      if (text !== there) await write(text);
      seen = text;
      if (area.value.trimEnd() === mine) area.value = text;
    },
  };
}
