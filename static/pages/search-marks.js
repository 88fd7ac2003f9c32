// The words that were looked for, marked where they stand in an excerpt.

import { element } from '../core/dom.js';

/**
 * `marks` are starts and ends in the text, ascending; what lies outside of it is left out.
 * @param {string} text @param {number[][]} marks
 * @returns {(string | HTMLElement)[]}
 */
export function marked(text, marks) {
  /** @type {(string | HTMLElement)[]} */
  const pieces = [];
  let at = 0;
  for (const [start, end] of marks) {
    if (start < at || end > text.length) continue;
    pieces.push(text.slice(at, start), element('mark', {}, text.slice(start, end)));
    at = end;
  }
  return [...pieces, text.slice(at)].filter((piece) => piece !== '');
}
