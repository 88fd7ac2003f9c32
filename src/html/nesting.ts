// Which element ends which, so that the output of sanitise.ts is nested as a browser will build it, without building a
// tree (HTML section 13.2.6.4.7, "in body", and the table modes). A question about the open elements takes a few steps
// however many are open: each name knows where its innermost one is.

import { ELEMENT_NAMES } from './attributes.ts';

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
