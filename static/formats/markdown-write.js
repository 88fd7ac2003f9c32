// A tree of rich-text.js as Markdown; markdown.js reads the same tree from it again.

import { isPadded } from './markdown-inline.js';

/** @typedef {import('./rich-text.js').RichNode} RichNode */
/** @typedef {import('./rich-text.js').RichElement} RichElement */

const MARKS = /** @type {Record<string, string>} */ ({ b: '**', i: '*', s: '~~' });

/** @param {readonly RichNode[]} nodes blocks */
export function writeMarkdown(nodes) {
  const lines = blockLines(nodes);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** @param {readonly RichNode[]} nodes @returns {string[]} */
function blockLines(nodes) {
  /** @type {string[]} */
  const lines = [];
  /** @type {RichNode[]} */
  let run = [];
  /** @type {string | undefined} */
  let before;
  let isSecond = false;
  const add = (/** @type {string[]} */ more, /** @type {string} */ tag) => {
    // a list right behind the words of its item
    const isClose = before === 'words' && /^[uo]l$/.test(tag);
    if (before !== undefined && !isClose) lines.push('');
    for (const line of more) lines.push(line);
    before = tag;
  };
  const flush = () => {
    if (run.length > 0) add(paragraph(run), 'words');
    run = [];
  };
  for (const node of nodes) {
    const { tag } = typeof node === 'string' ? { tag: '' } : node;
    // two lists of one kind, one behind the other, would be one
    isSecond = run.length === 0 && before === tag && !isSecond;
    const block = typeof node === 'string' ? undefined : blockOf(node, isSecond);
    if (block === undefined) {
      run.push(node);
      continue;
    }
    flush();
    add(block, tag);
  }
  flush();
  return lines;
}

/** @param {RichElement} node @param {boolean} isSecond @returns {string[] | undefined} */
function blockOf(node, isSecond) {
  const { tag, children, attributes } = node;
  if (tag === 'p') return paragraph(children);
  if (/^h[1-6]$/.test(tag)) return [`${'#'.repeat(Number(tag[1]))} ${inline(children).replaceAll('\n', ' ')}`];
  // other signs would be an item, behind the mark of one
  if (tag === 'hr') return ['___'];
  if (tag === 'blockquote') return orEmpty(blockLines(children)).map((line) => (line === '' ? '>' : `> ${line}`));
  if (tag === 'pre') return fenced(children.join(''), attributes['data-language'] ?? '');
  if (tag === 'table') return tableLines(node);
  return tag === 'ul' || tag === 'ol' ? listLines(node, isSecond) : undefined;
}

/** One line at least. @param {string[]} lines */
const orEmpty = (lines) => (lines.length === 0 ? [''] : lines);

/** @param {RichElement} list @param {boolean} isSecond */
function listLines({ tag, children, attributes }, isSecond) {
  const first = Number(attributes.start ?? 1);
  return children.flatMap((item, i) => {
    const mark = tag === 'ul' ? (isSecond ? '* ' : '- ') : `${first + i}${isSecond ? ')' : '.'} `;
    const lines = typeof item === 'string' ? [item] : orEmpty(blockLines(item.children));
    return lines.map((line, at) => (at === 0 ? mark + line : line === '' ? '' : ' '.repeat(mark.length) + line));
  });
}

/** @param {RichElement} table */
function tableLines({ children }) {
  const rows = children.flatMap((row) => (typeof row === 'string' ? [] : [row]));
  const written = rows.map((row) => {
    const cells = row.children.map((cell) => (typeof cell === 'string' ? cell : inline(cell.children)));
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\\?\n/g, ' ')).join(' | ')} |`;
  });
  const width = rows[0]?.children.length ?? 0;
  return [...written.slice(0, 1), `|${' --- |'.repeat(width)}`, ...written.slice(1)];
}

/** @param {string} text @param {string} language */
function fenced(text, language) {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return [fence + language, ...text.split('\n'), fence];
}

/** @param {string} text */
const longestTicks = (text) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** What would begin a block must not. @param {readonly RichNode[]} nodes */
function paragraph(nodes) {
  return inline(nodes)
    .split('\n')
    .map((line) =>
      line.trimStart().replace(/^(?:[#>+=|-]|~~~)|^(\d{1,9})([.)])/, (sign, number, dot) => {
        return number === undefined ? `\\${sign}` : `${number}\\${dot}`;
      }),
    );
}

/** @param {readonly RichNode[]} nodes @returns {string} */
function inline(nodes) {
  return nodes.map((node) => (typeof node === 'string' ? escaped(node) : inlineOf(node))).join('');
}

/** @param {RichElement} node @returns {string} */
function inlineOf({ tag, children, attributes }) {
  if (tag === 'br') return '\\\n';
  if (tag === 'img') return `![${escaped(attributes.alt ?? '')}](${attributes.src ?? ''})`;
  if (tag === 'code') return code(children.join(''));
  const text = inline(children);
  const page = attributes['data-page'];
  if (tag === 'a' && page !== undefined)
    return plain(children) === page ? `[[${page}]]` : `[[${page}|${plain(children)}]]`;
  if (tag === 'a') return link(text, plain(children), attributes.href ?? '');
  const mark = MARKS[tag];
  if (mark === undefined) return text;
  // a sign with a blank inside is none
  const inner = text.trim();
  return inner === '' ? text : text.replace(inner, () => mark + inner + mark);
}

/** @param {string} text @param {string} words @param {string} href */
function link(text, words, href) {
  if (words === href && /^https?:/i.test(href)) return `<${href}>`;
  const isPlain = /^[^()\s<>[\]]*(?:\([^()\s<>[\]]*\)[^()\s<>[\]]*)?$/.test(href);
  const coded = (/** @type {string} */ char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `[${text}](${isPlain ? href : href.replaceAll(/[()<>[\]\s]/g, coded)})`;
}

/** @param {readonly RichNode[]} nodes @returns {string} */
const plain = (nodes) => nodes.map((node) => (typeof node === 'string' ? node : plain(node.children))).join('');

/** @param {string} text */
function code(text) {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  const room = text.startsWith('`') || text.endsWith('`') || isPadded(text) ? ' ' : '';
  return ticks + room + text + room + ticks;
}

/** @param {string} text */
const escaped = (text) => text.replaceAll(/[\\`*_[\]<]|~(?=~)|:(?=\/\/)/g, '\\$&');
