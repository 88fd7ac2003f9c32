// The picture of a person: initials on a hue that the name decides. Hidden from screen readers, the name stands beside.

import { element } from '../core/dom.js';

/** 2^32 divided by the golden ratio: neighbouring sums come apart (Fibonacci hashing) */
const SPREAD = 2654435761;

/**
 * @param {string} name
 * @param {{ size?: 'small' | 'large', isOnline?: boolean }} [options]
 */
export function avatar(name, { size, isOnline = false } = {}) {
  const attributes = { 'data-hue': hueOf(name), 'data-size': size, 'data-online': isOnline };
  return element('span', { class: 'avatar', 'aria-hidden': 'true', ...attributes }, initialsOf(name));
}

/** 0 to 7, the hues of tokens.css. @param {string} name */
export function hueOf(name) {
  let sum = 6;
  for (const char of name) sum = (Math.imul(sum, 31) + /** @type {number} */ (char.codePointAt(0))) >>> 0;
  return Math.imul(sum, SPREAD) >>> 29;
}

/** `Ruth Anna Feld` → `RF`, `ruth.feld@x.example` → `RF`. @param {string} name */
export function initialsOf(name) {
  const own = name.trim().split('@', 1)[0];
  const words = own.split(/[\s._-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const ends = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return ends
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? '')
    .join('')
    .toUpperCase();
}
