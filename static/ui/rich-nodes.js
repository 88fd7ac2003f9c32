// The tree of rich-text.js as elements of the page: every text becomes a text node, every tag is one of its own.

import { element } from '../core/dom.js';

/** @typedef {import('../formats/rich-text.js').RichNode} RichNode */

/**
 * @typedef {object} Places
 * @property {(src: string) => string | undefined} [image] where a picture of the message (`cid:`) is found
 * @property {(name: string) => string} [page] the address of a page of the same wiki
 * @property {number} [deeper] headings stand so many levels below those of the page around them
 */

/**
 * @param {readonly RichNode[]} nodes
 * @param {Places} [places]
 * @returns {(Node | string)[]}
 */
export function richNodes(nodes, places = {}) {
  const { deeper = 0 } = places;
  return nodes.map((node) => {
    if (typeof node === 'string') return node;
    const tag = /** @type {keyof HTMLElementTagNameMap} */ (
      /^h[1-6]$/.test(node.tag) ? `h${Math.min(6, Number(node.tag[1]) + deeper)}` : node.tag
    );
    return element(tag, { ...node.attributes, ...attributesOf(node, places) }, richNodes(node.children, places));
  });
}

/** @param {import('../formats/rich-text.js').RichElement} node @param {Places} places */
function attributesOf({ tag, attributes }, { image, page }) {
  const { src, href, 'data-page': name } = attributes;
  if (src !== undefined) return { 'data-source': src, src: image?.(src) ?? src };
  if (tag !== 'a') return {};
  if (name !== undefined) return { href: page?.(name) };
  return /^https?:/i.test(href ?? '') ? { target: '_blank', rel: 'noopener noreferrer' } : {};
}
