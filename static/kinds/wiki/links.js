// Links between pages: in Markdown they are `[[name]]`, in HTML links whose address is a name alone. Both are links to
// `data-page` while they are shown or edited.

/** @import { RichNode } from '../../formats/rich-text.js' */

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

/** A page as the editor takes it. @param {Document} page */
export function withPageLinks(page) {
  for (const link of page.querySelectorAll('a[href]')) {
    const name = pageNamed(link.getAttribute('href') ?? '');
    if (name !== undefined) link.setAttribute('data-page', name);
  }
  return page;
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
  return pieces.flatMap(nodesOf);
}

/** @param {string} piece @returns {RichNode[]} */
function nodesOf(piece) {
  const [, name, words] = /^\[\[([^[\]|\n]+)(?:\|([^[\]|\n]+))?\]\]$/.exec(piece) ?? [];
  if (name === undefined) return piece === '' ? [] : [piece];
  const attributes = { href: encodeURIComponent(name.trim()) };
  return [{ tag: 'a', attributes, children: [(words ?? name).trim()] }];
}

/** What rich text would not keep of a page, by name: `<font>`, `style`. @param {Document} page */
export function lostAsRich(page) {
  /** @type {Set<string>} */
  const lost = new Set();
  for (const node of page.body.querySelectorAll('*')) {
    if (!KEPT.has(node.nodeName)) lost.add(`<${node.nodeName.toLowerCase()}>`);
    for (const { name } of node.attributes) if (!KEPT_ATTRIBUTES.has(name)) lost.add(name);
    const src = node.getAttribute('src');
    if (src !== null && !/^(?:cid:|data:image\/)/.test(src)) lost.add('<img>');
  }
  return [...lost];
}
