// Plain text as HTML, and the two formats with soft line breaks: format=flowed (RFC 3676) and the room server's format
// 0 ("variformat").

import { MAX_QUOTE_DEPTH } from '../limits/mime.ts';
import { escapeHtml, removeControls } from './escape.ts';
import { linkAttributes, safeLink } from './links.ts';
import { OutputBound } from './output-bound.ts';

const TAB_COLUMNS = 8;
/** an address with a scheme, one of a web site without, or a mailbox */
const LINK = new RegExp(
  String.raw`(?=\S)(?:\b(?:https?:\/\/|mailto:)[^\s<>"]+|` +
    String.raw`(?<![\w@./-])www\.[a-z\d\u00a1-\uffff-]{1,63}\.[^\s<>"]+|` +
    "(?<![\\w.!#$%&'*+/=?^`{|}~@-])[\\w.!#$%&'*+=?^`{|}~-]{1,64}@[a-z\\d-]{1,63}(?:\\.[a-z\\d-]{1,63}){1,8}(?![\\w@-]))",
  'gi',
);
/** punctuation that belongs to the sentence, not to the URL */
const TRAILING = new Set('.,;:!?\'"*_~');
/** opening brackets, then the matching closing ones */
const BRACKETS = '([{)]}';
/** a character that needs escaping, or blanks that HTML collapses */
const SPECIAL = /[^ !#-%'-;=?-~\u00a0-\uffff]|^ | {2}/;
const mayLink = (line: string): boolean => line.includes('@') || line.includes('://') || /mailto:|www\./i.test(line);
/** the line above a signature (RFC 3676 section 4.3) */
const SIGNATURE = /^-- $/;

/** dark enough to be read: 7:1 on white */
const DIMMED = '<div style="opacity: 0.7">';

/** what text/enriched (RFC 1896) and text/richtext (RFC 1341) call otherwise than HTML, and `/` closes */
const ENRICHED: Readonly<Record<string, string>> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  fixed: 'tt',
  smaller: 'small',
  bigger: 'big',
  center: 'center',
  flushleft: 'div',
  flushright: 'div align="right"',
  flushboth: 'div align="justify"',
  indent: 'blockquote',
  excerpt: 'blockquote',
  paraindent: 'blockquote',
  paragraph: 'p',
};
/** commands whose parameter is the value of an attribute */
const ENRICHED_FONTS: Readonly<Record<string, string>> = { color: 'color', fontfamily: 'face' };

/** The HTML that an enriched text means, not yet safe: see sanitise.ts. */
export function enrichedToHtml(text: string): string {
  let html = '';
  let isFilled = true;
  /** of the last command, of which a parameter may follow */
  let attribute: string | undefined;
  let parameter: string | undefined;
  for (const piece of text.split(/(<<|<\/?[a-z\d-]{1,60}>|\n+)/i)) {
    if (piece === '') continue;
    const [, slash = '', word = ''] = /^<(\/?)([a-z\d-]+)>$/i.exec(piece) ?? [];
    const command = word.toLowerCase();
    if (command === 'param') {
      if (slash === '') parameter = '';
      else if (attribute !== undefined && parameter) html += ` ${attribute}="${escapeHtml(parameter.trim())}"`;
      if (slash !== '') {
        if (attribute !== undefined) html += '>';
        attribute = parameter = undefined;
      }
      continue;
    }
    if (parameter !== undefined) {
      parameter += piece;
      continue;
    }
    if (attribute !== undefined) html += '>';
    attribute = undefined;
    if (command === 'nofill') isFilled = slash !== '';
    else if (command === 'nl' || command === 'np') html += '<br>';
    else if (command === 'lt' || piece === '<<') html += '&lt;';
    else if (Object.hasOwn(ENRICHED_FONTS, command)) {
      html += slash === '' ? '<font' : '</font>';
      if (slash === '') attribute = ENRICHED_FONTS[command];
    } else if (Object.hasOwn(ENRICHED, command)) {
      const element = ENRICHED[command]!;
      html += slash === '' ? `<${element}>` : `</${element.split(' ')[0]}>`;
    } else if (piece.startsWith('\n'))
      html += piece.length === 1 && isFilled ? ' ' : '<br>'.repeat(piece.length - (isFilled ? 1 : 0));
    else if (command === '') html += escapeHtml(piece);
  }
  return attribute === undefined ? html : `${html}>`;
}

const splitLines = (text: string): string[] => {
  const lines = (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

const isBlankAt = (line: string, at: number): boolean => line[at] === ' ' || line[at] === '\t';

/** Quote marks at the start of a line: `> > a` and `>>a` both have depth 2. */
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

/** Length of a URL without trailing punctuation. A closing bracket belongs to the URL if it was opened in it. */
function linkLength(match: string): number {
  /** by bracket type: closing minus opening */
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

/** A mailbox without a scheme. */
const mailboxLink = (shown: string): string | undefined =>
  shown.includes('@') && !shown.includes(':')
    ? safeLink(`mailto:${shown.replace(/[%?#&]/g, encodeURIComponent)}`)
    : undefined;

function writeLinked(line: string, output: string[], bound: OutputBound): void {
  let done = 0;
  for (const match of mayLink(line) ? line.matchAll(LINK) : []) {
    const shown = match[0].slice(0, linkLength(match[0]));
    const href = safeLink(/^www\./i.test(shown) ? `http://${shown}` : shown) ?? mailboxLink(shown);
    if (href === undefined || /^mailto:$/i.test(href)) continue;
    output.push(bound.takeText(escapeHtml(line.slice(done, match.index)), true));
    const link = `<a${linkAttributes(escapeHtml(href))}>${escapeHtml(shown)}</a>`;
    if (!bound.take(link.length)) return;
    output.push(link);
    done = match.index + shown.length;
  }
  output.push(bound.takeText(escapeHtml(line.slice(done)), true));
}

/** Replaces tabs by blanks; those after `limit` columns stay. */
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

/** Turns blanks that HTML would collapse into no-break spaces. */
const keepBlanks = (line: string): string =>
  line.replace(/ {2,}/g, (blanks) => ` ${'\u00a0'.repeat(blanks.length - 1)}`).replace(/^ /, '\u00a0');

function writeLine(line: string, output: string[], bound: OutputBound): void {
  if (line === '') return;
  const isSpecial = SPECIAL.test(line);
  if (!isSpecial && !mayLink(line)) output.push(bound.takeText(line, true));
  else writeLinked(isSpecial ? keepBlanks(expandTabs(removeControls(line), bound.left)) : line, output, bound);
}

/**
 * Text as HTML that `sanitise` does not change: line breaks and indentation are kept, quoted lines become nested
 * blockquotes, http, https and mailto URLs, `www.` addresses and
 * mailboxes become links, a signature is dimmed. Stops at `bound` and closes all elements.
 */
export function textToHtml(text: string, bound = new OutputBound()): string {
  const output: string[] = [];
  let depth = 0;
  let isOpen = false;
  // the end tag is charged with the start tag, so that it always fits
  const open = (tag: string, endTag: string): boolean => {
    const isTaken = bound.take(tag.length + endTag.length);
    if (isTaken) output.push(tag);
    return isTaken;
  };
  for (const line of splitLines(text.toWellFormed())) {
    const quote = line.startsWith('>') ? splitQuote(line) : { depth: 0, text: line };
    const lineDepth = Math.min(quote.depth, MAX_QUOTE_DEPTH);
    const isSignature = lineDepth === 0 && SIGNATURE.test(line);
    if (isOpen && lineDepth === depth && !isSignature) {
      open('<br>', '');
    } else {
      if (isOpen) output.push('</div>');
      for (; depth > lineDepth; depth--) output.push('</blockquote>');
      while (depth < lineDepth && open('<blockquote>', '</blockquote>')) depth++;
      isOpen = open(isSignature ? DIMMED : '<div>', '</div>');
    }
    if (!bound.isCut) writeLine(quote.text, output, bound);
    if (bound.isCut) break;
  }
  if (isOpen) output.push('</div>');
  output.push('</blockquote>'.repeat(depth));
  return output.join('');
}

/**
 * Joins the soft line breaks of format=flowed (RFC 3676 section 4): a line that ends in a blank continues on the next
 * one with the same quote depth. `delsp`: drop that blank. Quoted lines become `>> text`.
 */
export function unflow(text: string, delsp: boolean): string {
  const output: string[] = [];
  let paragraph = '';
  let isBegun = false;
  let depth = 0;
  const endParagraph = (): void => {
    if (!isBegun) return;
    // an unquoted line that starts with ">" stays stuffed
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

/** Message format 0: lines are joined to paragraphs. A leading blank starts a new line; an empty line stays empty. */
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
