// The tree of rich-text.js as HTML of a message, and as text for those who read no HTML.

/** @typedef {import('./rich-text.js').RichNode} RichNode */
/** @typedef {import('./rich-text.js').RichElement} RichElement */

const EMPTY = new Set(['br', 'hr', 'img']);
const ESCAPES = /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });

/** As text within HTML. @param {string} text */
export const escaped = (text) => text.replaceAll(/[&<>"]/g, (char) => ESCAPES[char]);

/** Nothing but the tags and attributes of the tree. @param {readonly RichNode[]} nodes @returns {string} */
export function richToHtml(nodes) {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return escaped(node);
      const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
      const start = `<${node.tag}${attributes.join('')}>`;
      return EMPTY.has(node.tag) ? start : `${start}${richToHtml(node.children)}</${node.tag}>`;
    })
    .join('');
}

/** What a reader without HTML gets: quotes by `> `, items by `- `, links with their address behind. */
export function richToText(/** @type {readonly RichNode[]} */ nodes) {
  return linesOf(nodes).join('\n').trimEnd();
}

/** The lines of blocks, an empty one between two of them. @param {readonly RichNode[]} nodes @returns {string[]} */
function linesOf(nodes) {
  /** @type {string[]} */
  const lines = [];
  /** @type {RichNode[]} */
  let run = [];
  const add = (/** @type {string[]} */ more, isApart = true) => {
    if (lines.length > 0 && isApart) lines.push('');
    for (const line of more) lines.push(line);
  };
  const flush = () => {
    if (run.length > 0) add(wordsOf(run).split('\n'));
    run = [];
  };
  for (const node of nodes) {
    const block = typeof node === 'string' ? undefined : blockLines(node);
    if (block === undefined) {
      run.push(node);
      continue;
    }
    // a list belongs to the words before it in the same item
    const isApart = run.length === 0 || typeof node === 'string' || !/^[uo]l$/.test(node.tag);
    flush();
    add(block, isApart);
  }
  flush();
  return lines;
}

/** Undefined for what stands within a line. @param {RichElement} node @returns {string[] | undefined} */
function blockLines({ tag, children, attributes }) {
  if (tag === 'p' || /^h[1-6]$/.test(tag)) return wordsOf(children).split('\n');
  if (tag === 'hr') return ['---'];
  if (tag === 'pre') return wordsOf(children).split('\n');
  if (tag === 'blockquote') return linesOf(children).map((line) => (line === '' ? '>' : `> ${line}`));
  if (tag === 'table') return children.map((row) => (typeof row === 'string' ? row : cells(row)));
  if (tag !== 'ul' && tag !== 'ol') return undefined;
  const first = Number(attributes.start ?? 1);
  return children.flatMap((item, i) => {
    const mark = tag === 'ul' ? '- ' : `${first + i}. `;
    const lines = typeof item === 'string' ? [item] : linesOf(item.children);
    return lines.map((line, at) => (at === 0 ? mark + line : line === '' ? '' : ' '.repeat(mark.length) + line));
  });
}

/** @param {RichElement} row */
const cells = (row) => row.children.map((cell) => wordsOf([cell])).join(' | ');

/** @param {readonly RichNode[]} nodes @returns {string} */
function wordsOf(nodes) {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if (node.tag === 'br') return '\n';
      if (node.tag === 'img') return node.attributes.alt ? `[${node.attributes.alt}]` : '';
      const words = wordsOf(node.children);
      const { href } = node.attributes;
      const isSaid = href === undefined || href === words || href === `mailto:${words}` || href === `${words}/`;
      return isSaid ? words : `${words} (${href.replace(/^mailto:/i, '')})`;
    })
    .join('');
}

/** Text without form as paragraphs, each empty line between two of them. @param {string} text */
export const linesToHtml = (text) =>
  text
    .split(/\n{2,}/)
    .map((block) => `<p>${escaped(block).replaceAll('\n', '<br>')}</p>`)
    .join('');
