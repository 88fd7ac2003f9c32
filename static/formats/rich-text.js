// Text with a little form, as a tree: what the editor writes, what Markdown becomes, what a message sends as HTML and
// as text. A node is a text or `{ tag, attributes, children }` with the tags of BLOCKS and INLINES and no others, so
// that whatever is made of it holds nothing else. Pure; the DOM is read by the few members that a node of it has.

/** @typedef {{ tag: string, attributes: Record<string, string>, children: RichNode[] }} RichElement */
/** @typedef {string | RichElement} RichNode */
/**
 * @typedef {object} DomNode what is read of a node of a document
 * @property {number} nodeType
 * @property {string} nodeName
 * @property {string | null} textContent
 * @property {ArrayLike<DomNode>} childNodes
 * @property {(name: string) => string | null} [getAttribute]
 */

/** quotes and lists inside each other; what is deeper is written at this depth */
export const MAX_RICH_DEPTH = 16;

const TEXT = 3;
const ELEMENT = 1;
/** of a page that is pasted: what is no text of it */
const UNSEEN = new Set(
  'SCRIPT STYLE TEMPLATE HEAD TITLE META LINK NOSCRIPT OBJECT IFRAME SVG SELECT BUTTON'.split(' '),
);
const INLINES = new Map(
  Object.entries({
    B: 'b',
    STRONG: 'b',
    I: 'i',
    EM: 'i',
    CODE: 'code',
    KBD: 'code',
    TT: 'code',
    S: 's',
    DEL: 's',
    STRIKE: 's',
  }),
);
/** what stands on lines of its own and is nothing else */
const PLAIN_BLOCKS = [
  ...'P DIV SECTION ARTICLE MAIN ASIDE HEADER FOOTER NAV FIGURE FIGCAPTION ADDRESS CENTER FORM FIELDSET'.split(' '),
  ...'DL DT DD DETAILS SUMMARY BODY HTML'.split(' '),
];
const BLOCKS = new Set([...PLAIN_BLOCKS, ...'H1 H2 H3 H4 H5 H6 BLOCKQUOTE UL OL LI PRE HR TABLE'.split(' ')]);

/**
 * @param {string} tag @param {RichNode[]} [children] @param {Record<string, string>} [attributes]
 * @returns {RichElement}
 */
export const rich = (tag, children = [], attributes = {}) => ({ tag, attributes, children });

/** An address that a link may have: http, https or mailto; undefined for any other. @param {string} text */
export function safeAddress(text) {
  // browsers leave these out before they look at the scheme
  const address = text.replaceAll(/[\t\n\r]/g, '').trim();
  return /^(?:https?:\/\/|mailto:)[^\s]/i.test(address) && address.length <= 2000 ? address : undefined;
}

/** An address in a text: a sentence's own signs at its end are none of it, nor a bracket that was opened before. */
export function withoutSigns(/** @type {string} */ found) {
  let end = found.length;
  const opened = found.split('(').length;
  let closed = found.split(')').length;
  for (; end > 0; end--) {
    const sign = found[end - 1];
    if (sign === ')' && closed > opened) closed--;
    else if (!'.,;:!?\'"]*_~'.includes(sign)) break;
  }
  return found.slice(0, end);
}

/** The blocks of a document or a part of one. @param {DomNode} node @returns {RichElement[]} */
export function readRich(node) {
  return blocksIn(node, 0);
}

/** @param {DomNode} node @param {number} depth @returns {RichElement[]} */
function blocksIn(node, depth) {
  /** @type {RichElement[]} */
  const blocks = [];
  /** @type {RichNode[]} */
  let run = [];
  const flush = () => {
    const children = trimmed(run);
    if (children.length > 0) blocks.push(rich('p', children));
    run = [];
  };
  for (const child of Array.from(node.childNodes)) {
    if (!holdsBlocks(child)) {
      run.push(...inlinesOf(child, depth));
      continue;
    }
    flush();
    for (const block of blockOf(child, depth)) {
      const last = blocks.at(-1);
      // browsers write a quote for each line of it
      if (block.tag === 'blockquote' && last?.tag === 'blockquote') last.children.push(...block.children);
      else blocks.push(block);
    }
  }
  flush();
  return blocks;
}

/** @param {DomNode} node @param {number} depth @returns {RichElement[]} */
function blockOf(node, depth) {
  const name = node.nodeName;
  if (name === 'HR') return [rich('hr')];
  if (name === 'PRE') return [rich('pre', [(node.textContent ?? '').replace(/\n$/, '')])];
  if (/^H[1-6]$/.test(name)) {
    const children = trimmed(inlinesIn(node, depth));
    return children.length > 0 ? [rich(name.toLowerCase(), children)] : [];
  }
  if (name === 'TABLE') return tableOf(node, depth);
  const isNesting = (name === 'BLOCKQUOTE' || name === 'UL' || name === 'OL') && depth < MAX_RICH_DEPTH;
  if (!isNesting) {
    const inside = blocksIn(node, depth);
    // an empty line that somebody left on purpose
    const isEmptyLine = inside.length === 0 && node.childNodes.length > 0 && (name === 'P' || name === 'DIV');
    return isEmptyLine ? [rich('p', [rich('br')])] : inside;
  }
  if (name === 'BLOCKQUOTE') return [rich('blockquote', blocksIn(node, depth + 1))];
  const items = itemsOf(node, depth + 1);
  const start = Number(node.getAttribute?.('start') ?? 1);
  /** @type {Record<string, string>} */
  const attributes = name === 'OL' && Number.isInteger(start) && start !== 1 ? { start: String(start) } : {};
  return items.length > 0 ? [rich(name.toLowerCase(), items, attributes)] : [];
}

/** A list right inside a list belongs to the item before it. @param {DomNode} list @param {number} depth */
function itemsOf(list, depth) {
  /** @type {RichElement[]} */
  const items = [];
  for (const child of Array.from(list.childNodes)) {
    const isText = child.nodeType === TEXT && (child.textContent ?? '').trim() === '';
    if (isText || (child.nodeType !== TEXT && child.nodeType !== ELEMENT)) continue;
    const holder = { ...emptyNode, childNodes: [child] };
    const blocks = child.nodeName === 'LI' ? blocksIn(child, depth) : blocksIn(holder, depth);
    const last = items.at(-1);
    if (last && (child.nodeName === 'UL' || child.nodeName === 'OL')) last.children.push(...blocks);
    else items.push(rich('li', tight(blocks)));
  }
  return items;
}

const emptyNode = { nodeType: ELEMENT, nodeName: 'DIV', textContent: '' };

/**
 * An item whose text is one paragraph has it without the paragraph.
 * @param {RichElement[]} blocks @returns {RichNode[]}
 */
export function tight(blocks) {
  const [first, ...others] = blocks;
  const isTight = first?.tag === 'p' && others.every(({ tag }) => tag === 'ul' || tag === 'ol');
  return isTight ? [...first.children, ...others] : blocks;
}

/** @param {DomNode} table @param {number} depth @returns {RichElement[]} */
function tableOf(table, depth) {
  /** @type {RichElement[]} */
  const rows = [];
  const look = (/** @type {DomNode} */ node) => {
    for (const child of Array.from(node.childNodes)) {
      if (child.nodeName === 'TR') rows.push(rich('tr', cellsOf(child, depth)));
      else if (/^(?:TBODY|THEAD|TFOOT)$/.test(child.nodeName)) look(child);
    }
  };
  look(table);
  return rows.length > 0 ? [rich('table', rows)] : [];
}

/** @param {DomNode} row @param {number} depth */
function cellsOf(row, depth) {
  return Array.from(row.childNodes)
    .filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH')
    .map((cell) => rich(cell.nodeName.toLowerCase(), trimmed(inlinesIn(cell, depth))));
}

/** @param {DomNode} node @param {number} depth @returns {RichNode[]} */
const inlinesIn = (node, depth) => Array.from(node.childNodes).flatMap((child) => inlinesOf(child, depth));

/** @param {DomNode} node @param {number} depth @returns {RichNode[]} */
function inlinesOf(node, depth) {
  if (node.nodeType === TEXT) return [spaced(node.textContent ?? '')];
  const name = node.nodeName.toUpperCase();
  if (node.nodeType !== ELEMENT || UNSEEN.has(name)) return [];
  if (name === 'BR') return [rich('br')];
  if (name === 'IMG') return imageOf(node);
  if (depth > MAX_RICH_DEPTH) return [spaced(node.textContent ?? '')];
  const children = inlinesIn(node, depth + 1);
  if (children.length === 0) return [];
  const page = name === 'A' ? node.getAttribute?.('data-page') : undefined;
  if (page) return [rich('a', children, { 'data-page': page })];
  const href = name === 'A' ? safeAddress(node.getAttribute?.('href') ?? '') : undefined;
  if (href !== undefined) return [rich('a', children, { href })];
  const style = node.getAttribute?.('style') ?? '';
  // how the editor marks code
  const tag = name === 'FONT' && node.getAttribute?.('face') === 'monospace' ? 'code' : INLINES.get(name);
  if (tag === 'b' && /font-weight:\s*(?:normal|[1-5]00)/i.test(style)) return children;
  if (tag !== undefined) return [rich(tag, children)];
  if (/font-weight:\s*(?:bold|[6-9]00)/i.test(style)) return [rich('b', children)];
  return /font-style:\s*italic/i.test(style) ? [rich('i', children)] : children;
}

/**
 * Pictures that come with the text; those elsewhere would tell who reads, and are named instead.
 * @param {DomNode} node
 */
function imageOf(node) {
  const src = node.getAttribute?.('data-source') ?? node.getAttribute?.('src') ?? '';
  const alt = node.getAttribute?.('alt') ?? '';
  if (/^(?:cid:|blob:|data:image\/(?:png|jpeg|gif|webp);base64,)/i.test(src)) return [rich('img', [], { src, alt })];
  return alt === '' ? [] : [alt];
}

/** @param {DomNode} node */
function holdsBlocks(node) {
  if (node.nodeType !== ELEMENT || UNSEEN.has(node.nodeName.toUpperCase())) return false;
  // anything around blocks (a span, an anchor, a custom element) is looked through, as far as one child says
  return BLOCKS.has(node.nodeName) || Array.from(node.childNodes).some(({ nodeName }) => BLOCKS.has(nodeName));
}

/** Line ends and further blanks of a source mean nothing; editors write no-break spaces for blanks side by side. */
const spaced = (/** @type {string} */ text) => text.replaceAll(/[ \t\n\r\f]+/g, ' ').replaceAll('\u00a0', ' ');

/** Without blanks and line breaks at the end, and without blanks at the start. @param {RichNode[]} nodes */
function trimmed(nodes) {
  const kept = nodes.filter((node) => node !== '');
  for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
    if (typeof last === 'string') {
      const text = last.trimEnd();
      if (text !== '') {
        kept[kept.length - 1] = text;
        break;
      }
    } else if (last.tag !== 'br') {
      break;
    }
    kept.pop();
  }
  while (typeof kept[0] === 'string' && kept[0].trim() === '') kept.shift();
  if (typeof kept[0] === 'string') kept[0] = kept[0].trimStart();
  return kept;
}
