// The mark and the name of the house.

import { element } from '../core/dom.js';

const DOOR = 'M10 26V15a6 6 0 0 1 12 0v11M7 26h18M18.5 19.5h.01';
const SVG = 'http://www.w3.org/2000/svg';

/** `set` changes the name. @param {string} [name] */
export function brand(name = '') {
  const text = element('span', { dir: 'auto' }, name);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'logo');
  svg.setAttribute('viewBox', '0 0 32 32');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', DOOR);
  svg.append(path);
  const node = element('p', { class: 'brand' }, element('a', { href: '#/' }, svg, text));
  return { node, set: (/** @type {string} */ words) => text.replaceChildren(words) };
}
