// Markdown as wiki pages have it, as a tree of rich-text.js: headings, paragraphs, lists, quotes, code, rules, tables,
// `[[pages]]`. HTML in it is text. Blocks are found line by line; quotes and lists hold blocks to a bounded depth.

import { parseInline } from './markdown-inline.js';
import { MAX_RICH_DEPTH, rich, tight } from './rich-text.js';

/** @typedef {import('./rich-text.js').RichElement} RichElement */
/** @typedef {{ indent: number, width: number, sign: string, start: number, rest: string }} Marker of a list item */

const HEADING = /^ {0,3}(#{1,6})(?: |$)/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const QUOTE = /^ {0,3}> ?/;
const MARKER = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;

/** @param {string} text @returns {RichElement[]} */
export function parseMarkdown(text) {
  return blocksOf(text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n'), 0);
}

/** @param {string[]} lines @param {number} depth @returns {RichElement[]} */
function blocksOf(lines, depth) {
  /** @type {RichElement[]} */
  const blocks = [];
  /** @type {string[]} */
  let paragraph = [];
  const flush = () => {
    if (paragraph.length > 0) blocks.push(rich('p', parseInline(paragraph.map(leftTrimmed).join('\n').trimEnd())));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const under = paragraph.length > 0 ? /^ {0,3}(=+|-+)\s*$/.exec(line) : null;
    if (under) {
      const text = paragraph.map(leftTrimmed).join('\n').trimEnd();
      blocks.push(rich(under[1][0] === '=' ? 'h1' : 'h2', parseInline(text)));
      paragraph = [];
      at++;
      continue;
    }
    const found = line.trim() === '' ? { blocks: [], next: at + 1 } : blockAt(lines, at, depth, paragraph.length > 0);
    if (found === undefined) {
      paragraph.push(line);
      at++;
      continue;
    }
    flush();
    blocks.push(...found.blocks);
    at = found.next;
  }
  flush();
  return blocks;
}

/**
 * What begins at this line and is no paragraph.
 * @param {string[]} lines @param {number} at @param {number} depth @param {boolean} isInParagraph
 * @returns {{ blocks: RichElement[], next: number } | undefined}
 */
function blockAt(lines, at, depth, isInParagraph) {
  const line = lines[at];
  const heading = HEADING.exec(line);
  if (heading) {
    return { blocks: [rich(`h${heading[1].length}`, parseInline(headingText(line, heading[0])))], next: at + 1 };
  }
  const fence = FENCE.exec(line);
  if (fence) {
    const info = line.slice(fence[0].length).trim();
    // `` ```a``` `` is code within a line
    if (fence[1][0] === '~' || !info.includes('`')) return fenced(lines, at, fence[1], info.split(' ', 1)[0]);
  }
  if (isRule(line)) return { blocks: [rich('hr')], next: at + 1 };
  if (depth < MAX_RICH_DEPTH) {
    if (QUOTE.test(line)) return quote(lines, at, depth);
    const marker = markerOf(line);
    // a paragraph is not cut by a year at the start of a line
    if (marker && !(isInParagraph && (marker.rest === '' || marker.start !== 1))) {
      return list(lines, at, depth, marker);
    }
  }
  return isInParagraph ? undefined : table(lines, at);
}

/** Without the signs that may close it, behind a blank. @param {string} line @param {string} mark */
function headingText(line, mark) {
  const text = line.slice(mark.length).trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return end === 0 || text[end - 1] === ' ' ? text.slice(0, end).trimEnd() : text;
}

/** @param {string} line three or more of one sign, and blanks */
function isRule(line) {
  const signs = line.replaceAll(' ', '');
  return signs.length > 2 && /^(?:-+|\*+|_+)$/.test(signs) && !/^ {4}/.test(line);
}

/** @param {string[]} lines @param {number} at @param {string} fence @param {string} language */
function fenced(lines, at, fence, language) {
  let end = at + 1;
  const isEnd = (/** @type {string} */ line) => {
    const signs = line.trim();
    return signs.length >= fence.length && signs[0] === fence[0] && signs === fence[0].repeat(signs.length);
  };
  while (end < lines.length && !isEnd(lines[end])) end++;
  const text = lines.slice(at + 1, end).join('\n');
  return { blocks: [rich('pre', [text], language === '' ? {} : { 'data-language': language })], next: end + 1 };
}

/** @param {string[]} lines @param {number} at @param {number} depth */
function quote(lines, at, depth) {
  /** @type {string[]} */
  const inside = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next];
    if (QUOTE.test(line)) inside.push(line.replace(QUOTE, ''));
    else if (continues(line, inside)) inside.push(line);
    else break;
  }
  return { blocks: [rich('blockquote', blocksOf(inside, depth + 1))], next };
}

/**
 * Whether a line without its mark goes on with the paragraph before it.
 * @param {string} line @param {string[]} before
 */
function continues(line, before) {
  if (line.trim() === '' || (before.at(-1) ?? '').trim() === '') return false;
  return !HEADING.test(line) && !FENCE.test(line) && !isRule(line) && !QUOTE.test(line) && !markerOf(line);
}

/** @param {string} line @returns {Marker | undefined} */
function markerOf(line) {
  const match = MARKER.exec(line);
  if (!match || isRule(line)) return undefined;
  const [whole, blanks, mark] = match;
  const rest = line.slice(whole.length);
  // five blanks and more: the text itself begins with blanks
  const width = blanks.length + mark.length + (match[3].length > 4 || rest === '' ? 1 : match[3].length);
  const start = mark.length > 1 ? Number.parseInt(mark, 10) : 1;
  return { indent: blanks.length, width, sign: mark[mark.length - 1], start, rest: line.slice(width) };
}

/** @param {string[]} lines @param {number} at @param {number} depth @param {Marker} first */
function list(lines, at, depth, first) {
  /** @type {RichElement[]} */
  const items = [];
  let next = at;
  for (let marker = /** @type {Marker | undefined} */ (first); marker?.sign === first.sign; ) {
    /** @type {string[]} */
    const inside = [marker.rest];
    const { width } = marker;
    for (next++; next < lines.length; next++) {
      const line = lines[next];
      const isBlank = line.trim() === '';
      if (isBlank && !belongs(lines, next + 1, width)) break;
      const indent = indentOf(line);
      if (isBlank || indent >= Math.min(width, 2 + first.indent)) inside.push(line.slice(Math.min(width, indent)));
      else if (continues(line, inside)) inside.push(line);
      else break;
    }
    items.push(rich('li', tight(blocksOf(inside, depth + 1))));
    // an empty line between items does not end the list
    const after = next < lines.length && lines[next].trim() === '' ? next + 1 : next;
    marker = after < lines.length ? markerOf(lines[after]) : undefined;
    if (marker?.sign === first.sign) next = after;
  }
  const attributes = /** @type {Record<string, string>} */ (first.start === 1 ? {} : { start: String(first.start) });
  return { blocks: [rich(/[.)]/.test(first.sign) ? 'ol' : 'ul', items, attributes)], next };
}

/** @param {string[]} lines @param {number} at @param {number} width */
const belongs = (lines, at, width) => at < lines.length && lines[at].trim() !== '' && indentOf(lines[at]) >= width;

/** @param {string[]} lines @param {number} at */
function table(lines, at) {
  const heads = cellsOf(lines[at]);
  const rule = at + 1 < lines.length ? cellsOf(lines[at + 1]) : [];
  if (heads.length < 2 || rule.length !== heads.length || !rule.every((cell) => /^:?-+:?$/.test(cell)))
    return undefined;
  const rows = [
    rich(
      'tr',
      heads.map((cell) => rich('th', parseInline(cell))),
    ),
  ];
  let next = at + 2;
  for (; next < lines.length && lines[next].includes('|') && lines[next].trim() !== ''; next++) {
    const cells = cellsOf(lines[next]).slice(0, heads.length);
    rows.push(
      rich(
        'tr',
        cells.map((cell) => rich('td', parseInline(cell))),
      ),
    );
  }
  return { blocks: [rich('table', rows)], next };
}

/** `| a | b\|c |` → `a`, `b|c`. @param {string} line */
function cellsOf(line) {
  if (!line.includes('|')) return [];
  const inner = line.trim().replace(/^\|/, '');
  /** @type {string[]} */
  const cells = [];
  let cell = '';
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === '\\' && inner[at + 1] === '|') cell += inner[++at];
    else if (inner[at] !== '|') cell += inner[at];
    else {
      cells.push(cell.trim());
      cell = '';
    }
  }
  if (cell.trim() !== '') cells.push(cell.trim());
  return cells;
}

/** @param {string} line */
const indentOf = (line) => line.length - line.trimStart().length;

/** @param {string} line */
const leftTrimmed = (line) => line.trimStart();
