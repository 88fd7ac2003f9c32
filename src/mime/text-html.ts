// Plain text as HTML, and the two line conventions that hide paragraphs in plain text: format=flowed (RFC 3676) and the
// room server's own format 0 ("variformat"). Called by the gateway's message rendering.
import { MAX_QUOTE_DEPTH } from '../limits/mime.ts';
import { escapeHtml } from './html-escape.ts';
import { linkAttributes, safeLink } from './html-links.ts';

const TAB_COLUMNS = 8;
const LINK = /\b(?:https?:\/\/|mailto:)[^\s<>"]+/gi;
/** punctuation that ends the sentence rather than the address */
const TRAILING = new Set('.,;:!?\'"*_~');
const BRACKETS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

const splitLines = (text: string): string[] => {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

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
  const surplus: Record<string, number> = { ')': 0, ']': 0, '}': 0 };
  for (const character of match) {
    const closing = Object.keys(BRACKETS).find((key) => key === character || BRACKETS[key] === character);
    if (closing) surplus[closing]! += closing === character ? 1 : -1;
  }
  let end = match.length;
  for (; end > 0; end--) {
    const character = match[end - 1]!;
    if (TRAILING.has(character)) continue;
    if (!(character in BRACKETS) || surplus[character]! <= 0) break;
    surplus[character]!--;
  }
  return end;
}

function linkify(line: string): string {
  if (!line.includes(':')) return escapeHtml(line);
  let html = '';
  let done = 0;
  for (const match of line.matchAll(LINK)) {
    const shown = match[0].slice(0, linkLength(match[0]));
    const href = safeLink(shown);
    if (href === undefined || /^mailto:$/i.test(href)) continue;
    html += `${escapeHtml(line.slice(done, match.index))}<a${linkAttributes(escapeHtml(href))}>${escapeHtml(shown)}</a>`;
    done = match.index + shown.length;
  }
  return html + escapeHtml(line.slice(done));
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  const [first, ...others] = line.split('\t');
  const pieces = [first!];
  let column = first!.length;
  for (const piece of others) {
    const blanks = TAB_COLUMNS - (column % TAB_COLUMNS);
    pieces.push(' '.repeat(blanks), piece);
    column += blanks + piece.length;
  }
  return pieces.join('');
}

/** Blanks that HTML would collapse, at the start of a line or after another one, become no-break spaces. */
const keepBlanks = (line: string): string =>
  expandTabs(line)
    .replace(/ {2,}/g, (blanks) => ` ${'\u00a0'.repeat(blanks.length - 1)}`)
    .replace(/^ /, '\u00a0');

/**
 * Text as HTML that `sanitise` leaves as it is: line breaks and indentation kept, quoted lines as nested blockquotes,
 * http, https and mailto addresses as links.
 */
export function textToHtml(text: string): string {
  const html: string[] = [];
  let depth = 0;
  let isOpen = false;
  for (const line of splitLines(text.toWellFormed())) {
    const quote = splitQuote(line);
    const lineDepth = Math.min(quote.depth, MAX_QUOTE_DEPTH);
    if (isOpen && lineDepth === depth) {
      html.push('<br>');
    } else {
      if (isOpen) html.push('</div>');
      for (; depth < lineDepth; depth++) html.push('<blockquote>');
      for (; depth > lineDepth; depth--) html.push('</blockquote>');
      html.push('<div>');
      isOpen = true;
    }
    html.push(linkify(keepBlanks(quote.text)));
  }
  if (isOpen) html.push('</div>', '</blockquote>'.repeat(depth));
  return html.join('');
}

/**
 * format=flowed (RFC 3676 section 4) with the soft line breaks taken out: a line that ends in a blank continues on the
 * next one of the same quote depth. `delsp`: that blank is no part of the text. Quote marks are kept as `>> text`.
 */
export function unflow(text: string, delsp: boolean): string {
  const output: string[] = [];
  let paragraph: string[] = [];
  let depth = 0;
  const endParagraph = (): void => {
    if (paragraph.length === 0) return;
    const line = paragraph.join('');
    // a line that only looks quoted keeps its stuffing
    if (depth === 0) output.push(line.replace(/^>/, ' >'));
    else output.push('>'.repeat(depth) + (line === '' ? '' : ` ${line}`));
    paragraph = [];
  };
  for (const line of splitLines(text)) {
    const lineDepth = line.length - line.replace(/^>+/, '').length;
    const rest = line.slice(lineDepth);
    const content = rest.startsWith(' ') ? rest.slice(1) : rest;
    const isSignature = content === '-- ';
    if (lineDepth !== depth || isSignature) endParagraph();
    depth = lineDepth;
    const isFlowed = content.endsWith(' ') && !isSignature;
    paragraph.push(isFlowed && delsp ? content.slice(0, -1) : content);
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
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.length > 0) output.push(paragraph.join(' '));
    paragraph = [];
  };
  for (const line of splitLines(text)) {
    if (/^[ \t]/.test(line) || line === '') endParagraph();
    const content = paragraph.length === 0 ? line.replace(/^[ \t]/, '').trimEnd() : line.trim();
    if (content === '') output.push('');
    else paragraph.push(content);
  }
  endParagraph();
  while (output.at(-1) === '') output.pop();
  return output.length === 0 ? '' : `${output.join('\n')}\n`;
}
