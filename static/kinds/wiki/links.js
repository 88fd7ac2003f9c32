// Links between pages: in Markdown they are `[[name]]`, in HTML links whose address is a name alone. Both are links to
// `data-page` while they are shown or edited.

import { parseHtml } from '../../formats/html-tree.js';

/** @import { DomNode, RichNode } from '../../formats/rich-text.js' */
/** @typedef {DomNode & { attributes?: Map<string, string> }} HtmlNode */

/** tags and attributes that rich text keeps; what else is in a page would be lost with it */
const KEPT = new Set(
  ['P DIV BR HR H1 H2 H3 H4 H5 H6 UL OL LI PRE CODE B STRONG I EM S DEL A IMG BLOCKQUOTE', 'TABLE TBODY THEAD TR TD TH']
    .join(' ')
    .split(' '),
);
const KEPT_ATTRIBUTES = new Set(['href', 'data-page', 'start', 'src', 'alt']);

/** The name that an address stands for, undefined for what leads elsewhere: `second%20stair` → `second stair` @param {string} href */
export function pageNamed(href) {
  if (href === '' || /^(?:[a-z][a-z\d+.-]*:|[/#?.])/i.test(href) || href.includes('/')) return undefined;
  try {
    return decodeURIComponent(href);
  } catch {
    return undefined;
  }
}

/** A page of HTML, its links to pages marked as such. @param {string} html */
export function parsePage(html) {
  const page = parseHtml(html);
  for (const { nodeName, attributes } of nodesOf(page)) {
    const name = nodeName === 'A' ? pageNamed(attributes?.get('href') ?? '') : undefined;
    if (name !== undefined) attributes?.set('data-page', name);
  }
  return page;
}

/** All that is inside. @param {DomNode} node @returns {Generator<HtmlNode, void>} */
function* nodesOf(node) {
  for (const child of Array.from(node.childNodes)) {
    yield child;
    yield* nodesOf(child);
  }
}

/**
 * As it is kept: links to pages by their address, `[[name]]` in the text as well.
 * @param {readonly RichNode[]} nodes @returns {RichNode[]}
 */
export function withAddresses(nodes) {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return linksIn(node);
    const { 'data-page': page, ...attributes } = node.attributes;
    // what is code is no link
    const children =
      node.tag === 'pre' || node.tag === 'code' || node.tag === 'a' ? node.children : withAddresses(node.children);
    if (page === undefined) return [{ ...node, children }];
    return [{ ...node, attributes: { ...attributes, href: encodeURIComponent(page) }, children }];
  });
}

/** @param {string} text @returns {RichNode[]} */
function linksIn(text) {
  const pieces = text.split(/(\[\[[^[\]|\n]+(?:\|[^[\]|\n]+)?\]\])/);
  return pieces.flatMap(linkIn);
}

/** @param {string} piece @returns {RichNode[]} */
function linkIn(piece) {
  const [, name, words] = /^\[\[([^[\]|\n]+)(?:\|([^[\]|\n]+))?\]\]$/.exec(piece) ?? [];
  if (name === undefined) return piece === '' ? [] : [piece];
  const attributes = { href: encodeURIComponent(name.trim()) };
  return [{ tag: 'a', attributes, children: [(words ?? name).trim()] }];
}

/** What rich text would not keep of a page, by name: `<font>`, `style`. @param {DomNode} page */
export function lostAsRich(page) {
  /** @type {Set<string>} */
  const lost = new Set();
  for (const { nodeType, nodeName, attributes = new Map() } of nodesOf(page)) {
    if (nodeType !== 1) continue;
    if (!KEPT.has(nodeName)) lost.add(`<${nodeName.toLowerCase()}>`);
    for (const name of attributes.keys()) if (!KEPT_ATTRIBUTES.has(name)) lost.add(name);
    const src = attributes.get('src');
    if (src !== undefined && !/^(?:cid:|data:image\/)/.test(src)) lost.add('<img>');
  }
  return [...lost];
}
