// Tokenizes HTML (HTML section 13.2.5): data, RCDATA, RAWTEXT, script data with its escaped states and PLAINTEXT;
// tags.ts does what begins with "<". Also decides which element ends which, and filters tokens. Linear in the input.

import { ELEMENT_NAMES } from './attributes.ts';
import { decodeReferences } from './references.ts';
import { type HtmlToken, readBogusComment, readDeclaration, readTag, replaceNul, type TagRead } from './tags.ts';

/** elements with text content, and their end; noscript as with scripts enabled */
const END_TAGS: ReadonlyMap<string, RegExp> = new Map([
  ['style', /<\/style(?=[\t\n\f />])/gi],
  ['xmp', /<\/xmp(?=[\t\n\f />])/gi],
  ['iframe', /<\/iframe(?=[\t\n\f />])/gi],
  ['noembed', /<\/noembed(?=[\t\n\f />])/gi],
  ['noframes', /<\/noframes(?=[\t\n\f />])/gi],
  ['noscript', /<\/noscript(?=[\t\n\f />])/gi],
  ['title', /<\/title(?=[\t\n\f />])/gi],
  ['textarea', /<\/textarea(?=[\t\n\f />])/gi],
]);
const RCDATA = ['title', 'textarea'];

function isLetterAt(input: string, at: number): boolean {
  const lower = input.charCodeAt(at) | 32;
  return lower >= 97 && lower <= 122;
}

function endOfText(name: string, input: string, start: number): number {
  const pattern = END_TAGS.get(name)!;
  pattern.lastIndex = start;
  return pattern.exec(input)?.index ?? input.length;
}

/** The script data states. After `<!--`, a `<script` hides the next `</script`, until `-->`. */
function endOfScript(input: string, start: number): number {
  const marks = /<!--|-->|<(\/?)script(?=[\t\n\f />])/gi;
  marks.lastIndex = start;
  let state: 'plain' | 'escaped' | 'double escaped' = 'plain';
  for (let mark = marks.exec(input); mark; mark = marks.exec(input)) {
    if (mark[0] === '<!--') {
      if (state === 'plain') state = 'escaped';
      // its hyphens may belong to "-->": "<!-->" opens and closes
      marks.lastIndex = mark.index + 2;
    } else if (mark[0] === '-->') {
      state = 'plain';
    } else if (mark[1] === '/') {
      if (state !== 'double escaped') return mark.index;
      state = 'escaped';
    } else if (state === 'escaped') {
      state = 'double escaped';
    }
  }
  return input.length;
}

/** The construct at "<", or undefined if it is a literal character. */
function readMarkup(input: string, open: number, isForeign: boolean): TagRead | undefined {
  if (isLetterAt(input, open + 1)) return readTag(input, open + 1, false);
  const next = input[open + 1];
  if (next === '!') return readDeclaration(input, open + 2, isForeign);
  if (next === '?') return readBogusComment(input, open + 1);
  if (next === '/') {
    const first = input[open + 2];
    if (isLetterAt(input, open + 2)) return readTag(input, open + 2, true);
    if (first === undefined) return undefined;
    if (first === '>') return { token: undefined, end: open + 3 };
    return readBogusComment(input, open + 2);
  }
  return undefined;
}

/**
 * Joins adjacent text to one token. NUL stays in data (the tree builder drops it there) and becomes U+FFFD elsewhere.
 * `isForeign`: whether the consumer is inside SVG or MathML, where CDATA sections exist and no element switches to raw
 * text; called after each tag.
 */
export function* tokenize(html: string, isForeign: () => boolean = () => false): Generator<HtmlToken> {
  const input = html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html;
  let text = '';
  /** start of the input that is not in `text` yet */
  let from = 0;
  let at = 0;
  for (let open = input.indexOf('<'); open >= 0; open = input.indexOf('<', at)) {
    const markup = readMarkup(input, open, isForeign());
    at = markup?.end ?? open + 1;
    if (!markup) continue;
    text += decodeReferences(input.slice(from, open), false);
    from = at;
    const { token } = markup;
    if (token?.type === 'text') {
      text += token.data;
      continue;
    }
    if (token === undefined) continue;
    if (text !== '') yield { type: 'text', data: text };
    text = '';
    yield token;
    if (token.type !== 'start' || isForeign()) continue;
    const { name } = token;
    if (!END_TAGS.has(name) && name !== 'script' && name !== 'plaintext') continue;
    let close = input.length;
    if (name === 'script') close = endOfScript(input, at);
    else if (name !== 'plaintext') close = endOfText(name, input, at);
    const content = replaceNul(input.slice(at, close));
    text = RCDATA.includes(name) ? decodeReferences(content, false) : content;
    from = at = close;
  }
  if (from < input.length) text += decodeReferences(input.slice(from), false);
  if (text !== '') yield { type: 'text', data: text };
}

/** An allowed element and its nesting rules. */
export interface Element {
  name: string;
  /** the name it is written with */
  tag: string;
  endTag: string;
  /** has no content and no end tag */
  isVoid: boolean;
  /** often misplaced between the tags of a table, where it has no effect */
  isFormatting: boolean;
  /** contains only rows and cells: browsers move other content out of the table */
  isRowHolder: boolean;
  isHeading: boolean;
  /** for table parts: the elements, by number, that may contain it */
  context: readonly number[] | undefined;
  /** open elements that its start tag ends */
  endings: readonly Ending[];
  number: number;
  /** a list of `number` only */
  itself: readonly number[];
}

/** ends the innermost of `names` unless one of `fence` is inside it; both are element numbers */
interface Ending {
  names: readonly number[];
  fence: readonly number[];
}

const words = (names: string): string[] => names.split(' ');
const set = (names: string): ReadonlySet<string> => new Set(words(names));
const numbers = new Map(ELEMENT_NAMES.map((name, number) => [name, number]));
const numbersOf = (names: string): number[] => words(names).map((name) => numbers.get(name)!);

const VOID = set('br hr img wbr col area');
/** what else an element is written as */
const WRITTEN_AS: Readonly<Record<string, string>> = { body: 'div' };
const TABLE_CONTEXT: Record<string, string> = {
  caption: 'table',
  colgroup: 'table',
  col: 'table colgroup',
  thead: 'table',
  tbody: 'table',
  tfoot: 'table',
  tr: 'table thead tbody tfoot',
  td: 'table thead tbody tfoot tr',
  th: 'table thead tbody tfoot tr',
};
const ROW_HOLDERS = set('table thead tbody tfoot tr colgroup');
const FORMATTING = set('b i u s strike em strong small big sub sup tt code font span center nobr body');
const HEADINGS = set('h1 h2 h3 h4 h5 h6');
const ENDS_PARAGRAPH = set(
  'p div body hr pre blockquote ul ol dl li dt dd table center h1 h2 h3 h4 h5 h6 figure figcaption details summary ' +
    'address article section header footer main aside nav',
);
const CELLS = 'table td th caption';
const ending = (names: string, fence: string): Ending => ({ names: numbersOf(names), fence: numbersOf(fence) });
/** start tags that end an open element, and the elements that hide it */
const ENDS: Record<string, Ending> = {
  li: ending('li', `ul ol ${CELLS}`),
  dt: ending('dt dd', `dl ${CELLS}`),
  dd: ending('dt dd', `dl ${CELLS}`),
  a: ending('a', CELLS),
  rt: ending('rt rp', `ruby ${CELLS}`),
  rp: ending('rt rp', `ruby ${CELLS}`),
};
const PARAGRAPH = ending('p', CELLS);
const CELL_NUMBERS = numbersOf(CELLS);
const TABLE_NUMBERS = numbersOf('table');

function describe(name: string, number: number): Element {
  const own = Object.hasOwn(ENDS, name) ? [ENDS[name]!] : [];
  const tag = Object.hasOwn(WRITTEN_AS, name) ? WRITTEN_AS[name]! : name;
  return {
    name,
    tag,
    endTag: VOID.has(name) ? '' : `</${tag}>`,
    isVoid: VOID.has(name),
    isFormatting: FORMATTING.has(name),
    isRowHolder: ROW_HOLDERS.has(name),
    isHeading: HEADINGS.has(name),
    context: Object.hasOwn(TABLE_CONTEXT, name) ? numbersOf(TABLE_CONTEXT[name]!) : undefined,
    endings: ENDS_PARAGRAPH.has(name) ? [...own, PARAGRAPH] : own,
    number,
    itself: [number],
  };
}

const elements = new Map([...numbers].map(([name, number]) => [name, describe(name, number)]));

/** Takes a lower-case name; undefined if it is not allowed. */
export const allowedElement = (name: string): Element | undefined => elements.get(name);

const TABLE = allowedElement('table')!;

/**
 * The open elements, innermost last. Finds which element ends which, so that browsers nest the output in the same way
 * (HTML section 13.2.6.4.7, "in body", and the table modes), without building a tree. Lookups do not depend on the
 * number of open elements.
 */
export class OpenElements {
  readonly #open: Element[] = [];
  /** for each open element: index of the next outer one with the same name, or -1 */
  readonly #outer: number[] = [];
  /** by element number: index of the innermost one, or -1 */
  readonly #innermost = new Array<number>(elements.size).fill(-1);

  get count(): number {
    return this.#open.length;
  }

  get last(): Element | undefined {
    return this.#open[this.#open.length - 1];
  }

  push(element: Element): void {
    this.#outer.push(this.#innermost[element.number]!);
    this.#innermost[element.number] = this.#open.length;
    this.#open.push(element);
  }

  /** Removes the innermost element. */
  pop(): Element {
    const element = this.#open.pop()!;
    this.#innermost[element.number] = this.#outer.pop()!;
    return element;
  }

  /** Text or this element would be inside a table but outside its cells. */
  needsCell(element?: Element): boolean {
    return this.last?.isRowHolder === true && element?.context === undefined && element !== TABLE;
  }

  /** The number of open elements that stay open before a start tag; -1 if it is not allowed here. */
  countBefore(element: Element): number {
    if (element.context) {
      const index = this.#find(element.context, TABLE_NUMBERS, this.count);
      return index < 0 ? -1 : index + 1;
    }
    let count = this.count;
    // a table directly inside a table ends the outer one
    if (element === TABLE && this.last?.isRowHolder) count = this.#innermost[TABLE.number]!;
    for (const { names, fence } of element.endings) {
      const index = this.#find(names, fence, count);
      if (index >= 0) count = index;
    }
    if (element.isHeading && this.#open[count - 1]?.isHeading) count--;
    return count;
  }

  /** The number of open elements that stay open after an end tag. */
  countAfter(element: Element): number {
    const fence = element === TABLE || element.context ? TABLE_NUMBERS : CELL_NUMBERS;
    const index = this.#find(element.itself, fence, this.count);
    return index < 0 ? this.count : index;
  }

  /** Index, below `count`, of the innermost of `names` without one of `fence` inside it; -1 if there is none. */
  #find(names: readonly number[], fence: readonly number[], count: number): number {
    const index = this.#lastOf(names, count);
    // a name may be in its own fence
    return index >= 0 && index >= this.#lastOf(fence, count) ? index : -1;
  }

  #lastOf(names: readonly number[], count: number): number {
    let last = -1;
    for (const number of names) {
      let index = this.#innermost[number]!;
      // elements that are skipped here are about to be closed, so each is skipped once
      while (index >= count) index = this.#outer[index]!;
      if (index > last) last = index;
    }
    return last;
  }
}

/** elements whose content is code, foreign, or a fallback */
const DROPPED = new Set(
  (
    'script style template noscript iframe object applet svg math title textarea select xmp noembed noframes ' +
    'plaintext audio video'
  ).split(' '),
);
const FOREIGN = new Set(['svg', 'math']);

export type StyleToken = { type: 'style'; attributes: ReadonlyMap<string, string>; css: string };
export type ContentToken = Extract<HtmlToken, { type: 'start' | 'end' | 'text' }> | StyleToken;

/** The tokens that people read or see. An unclosed dropped element hides the rest, as in a browser. */
export function* contentTokens(html: string): Generator<ContentToken> {
  let dropped = '';
  let depth = 0;
  let style: StyleToken | undefined;
  for (const token of tokenize(html, () => FOREIGN.has(dropped))) {
    if (token.type === 'comment' || token.type === 'doctype') continue;
    if (dropped === '' && (token.type !== 'start' || !DROPPED.has(token.name))) {
      yield token;
    } else if (token.type === 'start' && (dropped === '' || token.name === dropped)) {
      // only foreign elements can be self-closing
      if (token.isSelfClosing && FOREIGN.has(token.name)) continue;
      dropped = token.name;
      depth++;
      if (dropped === 'style') style = { type: 'style', attributes: token.attributes, css: '' };
    } else if (token.type === 'text' && style) {
      style.css += token.data;
    } else if (token.type === 'end' && token.name === dropped && --depth === 0) {
      dropped = '';
      if (style) yield style;
      style = undefined;
    }
  }
  if (style) yield style;
}
