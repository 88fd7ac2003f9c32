// The tree of rich-text.js as elements of the page: every text becomes a text node, every tag is one of its own.

import { element } from '../core/dom.js';

/** @typedef {import('../formats/rich-text.js').RichNode} RichNode */

/**
 * @param {readonly RichNode[]} nodes
 * @param {{ image?: (src: string) => string | undefined, deeper?: number }} [options] `image`: where a picture of the
 *   message (`cid:`) is found; `deeper`: headings stand so many levels below those of the page around them
 * @returns {(Node | string)[]}
 */
export function richNodes(nodes, { image, deeper = 0 } = {}) {
  return nodes.map((node) => {
    if (typeof node === 'string') return node;
    const { src } = node.attributes;
    const attributes =
      src === undefined ? node.attributes : { ...node.attributes, 'data-source': src, src: image?.(src) ?? src };
    const isAway = node.tag === 'a' && /^https?:/i.test(node.attributes.href ?? '');
    const link = isAway ? { target: '_blank', rel: 'noopener noreferrer' } : {};
    const tag = /** @type {keyof HTMLElementTagNameMap} */ (
      /^h[1-6]$/.test(node.tag) ? `h${Math.min(6, Number(node.tag[1]) + deeper)}` : node.tag
    );
    return element(tag, { ...attributes, ...link }, richNodes(node.children, { image, deeper }));
  });
}
