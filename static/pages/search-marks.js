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

/**
 * Where words begin that begin as those looked for do, which a subject is not told with.
 * @param {string} text @param {string} words
 */
export function marksIn(text, words) {
  const wanted = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    .filter(([found]) => wanted.some((word) => found.toLowerCase().startsWith(word)))
    .map(({ 0: found, index }) => [index, index + found.length]);
}
