// Plain text as HTML, and the two line conventions that hide paragraphs in plain text: format=flowed (RFC 3676) and the
// room server's own format 0 ("variformat").

import { MAX_QUOTE_DEPTH } from '../limits/mime.ts';
import { escapeHtml, removeControls } from './escape.ts';
import { linkAttributes, safeLink } from './links.ts';
import { OutputBound } from './output-bound.ts';

const TAB_COLUMNS = 8;
const LINK = /\b(?:https?:\/\/|mailto:)[^\s<>"]+/gi;
/** punctuation that ends the sentence rather than the address */
const TRAILING = new Set('.,;:!?\'"*_~');
/** those that open, then, in the same order, those that close */
const BRACKETS = '([{)]}';
/** what a line has that cannot stand in HTML as it is */
const SPECIAL = /[^ !#-%'-;=?-~\u00a0-\uffff]|^ | {2}/;
const LINK_START = /:\/\/|mailto:/i;

const splitLines = (text: string): string[] => {
  const lines = (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

const isBlankAt = (line: string, at: number): boolean => line[at] === ' ' || line[at] === '\t';

/** Marks of quoting at the start of a line: `> > a` and `>>a` are both twice quoted. */
function splitQuote(line: string): { depth: number; text: string } {
  let depth = 0;
  let at = 0;
  while (line[at] === '>') {
    depth++;
    at++;
    if (line[at] === ' ') at++;
  }
  return { depth, text: line.slice(at) };
}

/** Length of the address without what belongs to the sentence; a bracket belongs to it if the address opened it. */
function linkLength(match: string): number {
  /** by kind of bracket: how many more close than open */
  const surplus = [0, 0, 0];
  for (let i = 0; i < match.length; i++) {
    const bracket = BRACKETS.indexOf(match[i]!);
    if (bracket >= 0) surplus[bracket % 3]! += bracket < 3 ? -1 : 1;
  }
  let end = match.length;
  for (; end > 0; end--) {
    const character = match[end - 1]!;
    if (TRAILING.has(character)) continue;
    const closing = BRACKETS.indexOf(character) - 3;
    if (closing < 0 || surplus[closing]! <= 0) break;
    surplus[closing]!--;
  }
  return end;
}

function writeLinked(line: string, output: string[], bound: OutputBound): void {
  let done = 0;
  for (const match of LINK_START.test(line) ? line.matchAll(LINK) : []) {
    const shown = match[0].slice(0, linkLength(match[0]));
    const href = safeLink(shown);
    if (href === undefined || /^mailto:$/i.test(href)) continue;
    output.push(bound.takeText(escapeHtml(line.slice(done, match.index)), true));
    const link = `<a${linkAttributes(escapeHtml(href))}>${escapeHtml(shown)}</a>`;
    if (!bound.take(link.length)) return;
    output.push(link);
    done = match.index + shown.length;
  }
  output.push(bound.takeText(escapeHtml(line.slice(done)), true));
}

/** With blanks for tabs; those beyond `limit` columns stay. */
function expandTabs(line: string, limit: number): string {
  let result = '';
  let start = 0;
  for (let tab = line.indexOf('\t'); tab >= 0 && result.length <= limit; tab = line.indexOf('\t', start)) {
    result += line.slice(start, tab);
    result += ' '.repeat(TAB_COLUMNS - (result.length % TAB_COLUMNS));
    start = tab + 1;
  }
  return start === 0 ? line : result + line.slice(start);
}

/** Blanks that HTML would collapse, at the start of a line or after another one, become no-break spaces. */
const keepBlanks = (line: string): string =>
  line.replace(/ {2,}/g, (blanks) => ` ${'\u00a0'.repeat(blanks.length - 1)}`).replace(/^ /, '\u00a0');

function writeLine(line: string, output: string[], bound: OutputBound): void {
  if (line === '') return;
  const isSpecial = SPECIAL.test(line);
  if (!isSpecial && !LINK_START.test(line)) output.push(bound.takeText(line, true));
  else writeLinked(isSpecial ? keepBlanks(expandTabs(removeControls(line), bound.left)) : line, output, bound);
}

/**
 * Text as HTML that `sanitise` leaves as it is: line breaks and indentation kept, quoted lines as nested blockquotes,
 * http, https and mailto addresses as links. What goes beyond `bound` is left out, all elements ended.
 */
export function textToHtml(text: string, bound = new OutputBound()): string {
  const output: string[] = [];
  let depth = 0;
  let isOpen = false;
  // the end tag is counted with the start tag, so that it always fits
  const open = (tag: string, endTag: string): boolean => {
    const isTaken = bound.take(tag.length + endTag.length);
    if (isTaken) output.push(tag);
    return isTaken;
  };
  for (const line of splitLines(text.toWellFormed())) {
    const quote = line.startsWith('>') ? splitQuote(line) : { depth: 0, text: line };
    const lineDepth = Math.min(quote.depth, MAX_QUOTE_DEPTH);
    if (isOpen && lineDepth === depth) {
      open('<br>', '');
    } else {
      if (isOpen) output.push('</div>');
      for (; depth > lineDepth; depth--) output.push('</blockquote>');
      while (depth < lineDepth && open('<blockquote>', '</blockquote>')) depth++;
      isOpen = open('<div>', '</div>');
    }
    if (!bound.isCut) writeLine(quote.text, output, bound);
    if (bound.isCut) break;
  }
  if (isOpen) output.push('</div>');
  output.push('</blockquote>'.repeat(depth));
  return output.join('');
}

/**
 * format=flowed (RFC 3676 section 4) with the soft line breaks taken out: a line that ends in a blank continues on the
 * next one of the same quote depth. `delsp`: that blank is no part of the text. Quote marks are kept as `>> text`.
 */
export function unflow(text: string, delsp: boolean): string {
  const output: string[] = [];
  let paragraph = '';
  let isBegun = false;
  let depth = 0;
  const endParagraph = (): void => {
    if (!isBegun) return;
    // a line that only looks quoted keeps its stuffing
    if (depth === 0) output.push(paragraph.startsWith('>') ? ` ${paragraph}` : paragraph);
    else output.push('>'.repeat(depth) + (paragraph === '' ? '' : ` ${paragraph}`));
    paragraph = '';
    isBegun = false;
  };
  for (const line of splitLines(text)) {
    let lineDepth = 0;
    while (line[lineDepth] === '>') lineDepth++;
    const content = line.slice(line[lineDepth] === ' ' ? lineDepth + 1 : lineDepth);
    const isSignature = content === '-- ';
    if (lineDepth !== depth || isSignature) endParagraph();
    depth = lineDepth;
    const isFlowed = content.endsWith(' ') && !isSignature;
    paragraph += isFlowed && delsp ? content.slice(0, -1) : content;
    isBegun = true;
    if (!isFlowed) endParagraph();
  }
  endParagraph();
  return output.length === 0 ? '' : `${output.join('\n')}\n`;
}

/**
 * Message format 0: lines run together into paragraphs; a line that begins with a blank begins a new line of the text
 * (clients store what was typed with one blank before each line), an empty one leaves a line empty.
 */
export function variformatToText(text: string): string {
  const output: string[] = [];
  let paragraph = '';
  const endParagraph = (): void => {
    if (paragraph !== '') output.push(paragraph);
    paragraph = '';
  };
  for (const line of splitLines(text)) {
    const isIndented = isBlankAt(line, 0);
    if (isIndented || line === '') endParagraph();
    const content = paragraph === '' ? (isIndented ? line.slice(1) : line).trimEnd() : line.trim();
    if (content === '') output.push('');
    else paragraph += paragraph === '' ? content : ` ${content}`;
  }
  endParagraph();
  while (output.at(-1) === '') output.pop();
  return output.length === 0 ? '' : `${output.join('\n')}\n`;
}
