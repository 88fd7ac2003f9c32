// Markdown within a line: emphasis, code, links, pictures, `[[pages]]`. One pass over the text with a short stack of
// what is open, so that no text takes more than linear time.

import { rich, safeAddress, withoutSigns } from './rich-text.js';

/** @typedef {import('./rich-text.js').RichNode} RichNode */
/** @typedef {{ mark: string, children: RichNode[] }} Frame what is open, with what stands in it so far */

const ESCAPED = /\\([!-/:-@[-`{-~])/y;
const PAGE = /\[\[([^[\]|\n]+)(?:\|([^[\]|\n]+))?\]\]/y;
const PICTURE = /!\[([^[\]]*)\]\(([^()\s<>[\]]+)\)/y;
const TARGET = /\]\(([^()\s<>[\]]*(?:\([^()\s<>[\]]*\)[^()\s<>[\]]*)?)\)/y;
const BRACKETED = /<((?:https?:\/\/|mailto:)[^\s<>]+|[^\s<>@:/]+@[^\s<>@:/]+)>/y;
const ADDRESS = /https?:\/\/[^\s<>]+/y;
const PLAIN = /[^\\`*_~[\]!<h\n]+/y;
const TAGS = /** @type {Record<string, string>} */ ({ '*': 'i', _: 'i', '**': 'b', __: 'b', '~~': 's' });

/** The nodes of a line or of several with line ends between. @param {string} text @returns {RichNode[]} */
export function parseInline(text) {
  const line = new Line(text);
  while (line.at < text.length) line.step();
  return line.end();
}

class Line {
  at = 0;
  /** @type {Frame[]} */
  #open = [{ mark: '', children: [] }];
  #text;
  #ticks;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
    this.#ticks = tickRuns(text);
  }

  step() {
    const plain = this.#match(PLAIN);
    if (plain) return this.#add(plain[0]);
    const char = this.#text[this.at];
    if (char === '`') return this.#code();
    if (char === '*' || char === '_' || char === '~') return this.#emphasis(char);
    if (char === '[') return this.#bracket();
    if (char === ']') return this.#link();
    if (char === '\n') return this.#lineEnd();
    const escaped = char === '\\' ? this.#match(ESCAPED) : null;
    if (escaped) return this.#add(escaped[1]);
    const picture = char === '!' ? this.#match(PICTURE) : null;
    if (picture) return this.#picture(picture);
    const bracketed = char === '<' ? this.#match(BRACKETED) : null;
    if (bracketed) return this.#address(bracketed[1]);
    if (char === 'h' && !/\w/.test(this.#text[this.at - 1] ?? '') && this.#match(ADDRESS, false)) return this.#bare();
    this.#take(char);
  }

  end() {
    while (this.#open.length > 1) this.#giveUp();
    return this.#open[0].children;
  }

  /** @param {RegExp} pattern sticky @param {boolean} [takes] */
  #match(pattern, takes = true) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    if (match && takes) this.at += match[0].length;
    return match;
  }

  /** @param {RichNode} node */
  #add(node) {
    const { children } = this.#open[this.#open.length - 1];
    const last = children.at(-1);
    if (typeof node === 'string' && typeof last === 'string') children[children.length - 1] = last + node;
    else children.push(node);
  }

  /** @param {string} piece that says no more than it shows */
  #take(piece) {
    this.at += piece.length;
    this.#add(piece);
  }

  /** The innermost that is open was none: its sign is text. */
  #giveUp() {
    const { mark, children } = /** @type {Frame} */ (this.#open.pop());
    this.#add(mark);
    for (const child of children) this.#add(child);
  }

  /** @param {string} mark @returns {RichNode[] | undefined} what stands in it; undefined where it is not open */
  #close(mark) {
    if (!this.#open.some((frame) => frame.mark === mark)) return undefined;
    while (this.#open[this.#open.length - 1].mark !== mark) this.#giveUp();
    return /** @type {Frame} */ (this.#open.pop()).children;
  }

  #code() {
    const start = this.at;
    let length = 0;
    while (this.#text[start + length] === '`') length++;
    const runs = this.#ticks.get(length) ?? [];
    while (runs.length > 0 && runs[runs.length - 1] <= start) runs.pop();
    const end = runs.at(-1);
    if (end === undefined) return this.#take('`'.repeat(length));
    const inside = this.#text.slice(start + length, end).replaceAll('\n', ' ');
    this.at = end + length;
    this.#add(rich('code', [isPadded(inside) ? inside.slice(1, -1) : inside]));
  }

  /** @param {string} char */
  #emphasis(char) {
    let length = 1;
    while (this.#text[this.at + length] === char) length++;
    const run = char.repeat(length);
    const before = this.#text[this.at - 1] ?? ' ';
    const after = this.#text[this.at + length] ?? ' ';
    this.at += length;
    const isWord = char === '_' && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
    if (length > 3 || isWord || (char === '~' && length !== 2)) return this.#add(run);
    let left = run;
    // what closes first is the inner one
    for (let frame = this.#closing(left); frame && !/\s/.test(before); frame = this.#closing(left)) {
      const children = /** @type {RichNode[]} */ (this.#close(frame));
      left = left.slice(frame.length);
      if (children.length > 0) this.#add(rich(TAGS[frame], children));
      else this.#add(frame + frame);
    }
    if (left === '') return;
    if (/\s/.test(after)) return this.#add(left);
    for (const mark of left.length === 3 ? [left.slice(2), left.slice(1)] : [left]) {
      this.#open.push({ mark, children: [] });
    }
  }

  /** The innermost that this run of signs can close. @param {string} run */
  #closing(run) {
    if (run === '') return undefined;
    for (let i = this.#open.length - 1; i > 0; i--) {
      const { mark } = this.#open[i];
      if (mark[0] === run[0] && mark.length <= run.length && TAGS[mark]) return mark;
    }
    return undefined;
  }

  #bracket() {
    const page = this.#match(PAGE);
    if (page) {
      const name = page[1].trim();
      return this.#add(rich('a', [page[2]?.trim() || name], { 'data-page': name }));
    }
    // no link holds another
    const before = this.#close('[');
    if (before) for (const node of ['[', ...before]) this.#add(node);
    this.#open.push({ mark: '[', children: [] });
    this.at++;
  }

  #link() {
    const target = this.#match(TARGET);
    const href = target && safeAddress(target[1]);
    const children = this.#close('[');
    if (href && children) return this.#add(children.length > 0 ? rich('a', children, { href }) : href);
    // a link to nowhere good is what was written
    if (children) for (const node of ['[', ...children]) this.#add(node);
    if (target) this.#add(target[0]);
    else this.#take(']');
  }

  /** @param {RegExpExecArray} match */
  #picture([whole, alt, src]) {
    const isOurs = /^(?:cid:|data:image\/(?:png|jpeg|gif|webp);base64,|[\w./%-]+$)/i.test(src);
    this.#add(isOurs ? rich('img', [], { src, alt }) : whole);
  }

  #bare() {
    const [found] = /** @type {RegExpExecArray} */ (this.#match(ADDRESS, false));
    const address = withoutSigns(found);
    this.at += address.length;
    this.#address(address);
  }

  /** @param {string} text */
  #address(text) {
    const href = safeAddress(text.includes('://') || /^mailto:/i.test(text) ? text : `mailto:${text}`);
    const shown = text.replace(/^mailto:/i, '');
    this.#add(href ? rich('a', [shown], { href }) : text);
  }

  /** Two blanks or a backslash before it make it a line break, else it is a blank. */
  #lineEnd() {
    this.at++;
    const { children } = this.#open[this.#open.length - 1];
    const last = children.at(-1);
    const isBreak = typeof last === 'string' && (last.endsWith('  ') || last.endsWith('\\'));
    if (typeof last === 'string') {
      const kept = isBreak && last.endsWith('\\') ? last.slice(0, -1) : last.trimEnd();
      if (kept === '') children.pop();
      else children[children.length - 1] = kept;
    }
    this.#add(isBreak ? rich('br') : ' ');
  }
}

/** Code that begins or ends with a backtick has blanks around it, which are none of it. @param {string} code */
export const isPadded = (code) => code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';

/** Where runs of backticks begin, by their length, the last first. @param {string} text */
function tickRuns(text) {
  /** @type {Map<number, number[]>} */
  const runs = new Map();
  for (let at = text.lastIndexOf('`'); at >= 0; at = at < 1 ? -1 : text.lastIndexOf('`', at - 1)) {
    const end = at;
    while (text[at - 1] === '`') at--;
    const length = end - at + 1;
    const known = runs.get(length);
    if (known) known.push(at);
    else runs.set(length, [at]);
  }
  return runs;
}
