// HTML to tokens, as HTML section 13.2.5 does it: data, RCDATA, RAWTEXT, script data with its escaped states and
// PLAINTEXT are here, what begins with "<" is in tags.ts. Linear in the input: nothing is ever read twice.

import { ELEMENT_NAMES } from './attributes.ts';
import { decodeReferences } from './references.ts';
import { type HtmlToken, readBogusComment, readDeclaration, readTag, replaceNul, type TagRead } from './tags.ts';

/** elements whose content is text, and what ends them; noscript as in a browser that runs scripts */
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

/** A letter of ASCII stands there. */
function isLetterAt(input: string, at: number): boolean {
  const lower = input.charCodeAt(at) | 32;
  return lower >= 97 && lower <= 122;
}

function endOfText(name: string, input: string, start: number): number {
  const pattern = END_TAGS.get(name)!;
  pattern.lastIndex = start;
  return pattern.exec(input)?.index ?? input.length;
}

/**
 * The script data states. After `<!--` a `<script` hides the next `</script`, until `-->`:
 * `<script><!--<script></script>` is not ended yet.
 */
function endOfScript(input: string, start: number): number {
  const marks = /<!--|-->|<(\/?)script(?=[\t\n\f />])/gi;
  marks.lastIndex = start;
  let state: 'plain' | 'escaped' | 'double escaped' = 'plain';
  for (let mark = marks.exec(input); mark; mark = marks.exec(input)) {
    if (mark[0] === '<!--') {
      if (state === 'plain') state = 'escaped';
      // its hyphens can be those of "-->" too: "<!-->" opens and closes
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

/** What begins with the "<" there; undefined where it is a character like any other. */
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
 * Tokens of `html`; adjacent text is one token. NUL is kept in data (the tree builder drops it there) and is U+FFFD
 * elsewhere. `isForeign` says whether the consumer is inside SVG or MathML, where CDATA sections exist and no element
 * switches to raw text; it is asked after each tag has been consumed.
 */
export function* tokenize(html: string, isForeign: () => boolean = () => false): Generator<HtmlToken> {
  const input = html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html;
  let text = '';
  /** where text begins that is not in `text` yet */
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

/** An allowed element, and what the rules say of it. */
export interface Element {
  name: string;
  /** `<name>` */
  startTag: string;
  endTag: string;
  /** has no content and no end tag */
  isVoid: boolean;
  /** often strays between the tags of a table, and does nothing there */
  isFormatting: boolean;
  /** holds nothing but rows, cells and the like: what else stands in it, a browser moves out of the table */
  isRowHolder: boolean;
  isHeading: boolean;
  /** what means nothing outside a table: the elements, by number, among which it may stand */
  context: readonly number[] | undefined;
  /** what its start tag ends */
  endings: readonly Ending[];
  number: number;
  /** the number alone */
  itself: readonly number[];
}

/** ends the innermost of `names` that is not hidden behind one of `fence`; both are numbers of elements */
interface Ending {
  names: readonly number[];
  fence: readonly number[];
}

const words = (names: string): string[] => names.split(' ');
const set = (names: string): ReadonlySet<string> => new Set(words(names));
const numbers = new Map(ELEMENT_NAMES.map((name, number) => [name, number]));
const numbersOf = (names: string): number[] => words(names).map((name) => numbers.get(name)!);

const VOID = set('br hr img wbr col');
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
const FORMATTING = set('b i u s em strong small big sub sup tt code font span center');
const HEADINGS = set('h1 h2 h3 h4 h5 h6');
const ENDS_PARAGRAPH = set(
  'p div hr pre blockquote ul ol dl li dt dd table center h1 h2 h3 h4 h5 h6 figure figcaption details summary ' +
    'address article section header footer main aside nav',
);
const CELLS = 'table td th caption';
const ending = (names: string, fence: string): Ending => ({ names: numbersOf(names), fence: numbersOf(fence) });
/** a start tag that ends an open element: which, and behind which elements it is not seen */
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
  return {
    name,
    startTag: `<${name}>`,
    endTag: VOID.has(name) ? '' : `</${name}>`,
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

/** The element of that name, in lower case; undefined if it is not on the allow-list. */
export const allowedElement = (name: string): Element | undefined => elements.get(name);

const TABLE = allowedElement('table')!;

/** The elements that have begun and not ended, the innermost last. */
export class OpenElements {
  readonly #open: Element[] = [];
  /** of each open element: where the next one outside it with its name is, or -1 */
  readonly #outer: number[] = [];
  /** by number of an element: where the innermost one with its name is, or -1 */
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

  /** Takes the innermost one, of at least one. */
  pop(): Element {
    const element = this.#open.pop()!;
    this.#innermost[element.number] = this.#outer.pop()!;
    return element;
  }

  /** Text, or the start tag of an element, stands in a table outside of its cells. */
  needsCell(element?: Element): boolean {
    return this.last?.isRowHolder === true && element?.context === undefined && element !== TABLE;
  }

  /** How many of the open elements stay open before a start tag; -1 if it may not stand here at all. */
  keptBefore(element: Element): number {
    if (element.context) {
      const place = this.#find(element.context, TABLE_NUMBERS, this.count);
      return place < 0 ? -1 : place + 1;
    }
    let kept = this.count;
    // a table directly in a table ends the outer one
    if (element === TABLE && this.last?.isRowHolder) kept = this.#innermost[TABLE.number]!;
    for (const { names, fence } of element.endings) {
      const place = this.#find(names, fence, kept);
      if (place >= 0) kept = place;
    }
    if (element.isHeading && this.#open[kept - 1]?.isHeading) kept--;
    return kept;
  }

  /** How many of the open elements stay open after an end tag: all of them if it ends nothing. */
  keptAfter(element: Element): number {
    const fence = element === TABLE || element.context ? TABLE_NUMBERS : CELL_NUMBERS;
    const place = this.#find(element.itself, fence, this.count);
    return place < 0 ? this.count : place;
  }

  /**
   * Place among the first `count` open elements of the innermost of `names` with nothing of `fence` inside it, or -1.
   */
  #find(names: readonly number[], fence: readonly number[], count: number): number {
    const place = this.#lastOf(names, count);
    // a name may be in its own fence
    return place >= 0 && place >= this.#lastOf(fence, count) ? place : -1;
  }

  #lastOf(names: readonly number[], count: number): number {
    let last = -1;
    for (const number of names) {
      let place = this.#innermost[number]!;
      // what is passed over is about to be ended, so it is passed over once
      while (place >= count) place = this.#outer[place]!;
      if (place > last) last = place;
    }
    return last;
  }
}

const DROPPED = new Set(
  (
    'script style template noscript iframe object applet svg math title textarea select xmp noembed noframes ' +
    'plaintext audio video'
  ).split(' '),
);
const FOREIGN = new Set(['svg', 'math']);

export type ContentToken = Extract<HtmlToken, { type: 'start' | 'end' | 'text' }>;

/** A dropped element that is never closed hides the rest, as it does in a browser. */
export function* contentTokens(html: string): Generator<ContentToken> {
  let dropped = '';
  let depth = 0;
  for (const token of tokenize(html, () => FOREIGN.has(dropped))) {
    if (token.type === 'comment' || token.type === 'doctype') continue;
    if (dropped === '' && (token.type !== 'start' || !DROPPED.has(token.name))) {
      yield token;
    } else if (token.type === 'start' && (dropped === '' || token.name === dropped)) {
      // only foreign elements can close themselves
      if (token.isSelfClosing && FOREIGN.has(token.name)) continue;
      dropped = token.name;
      depth++;
    } else if (token.type === 'end' && token.name === dropped && --depth === 0) {
      dropped = '';
    }
  }
}
