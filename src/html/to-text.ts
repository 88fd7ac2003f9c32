// HTML as plain text for terminals and `?text=plain`: blocks become lines, quotes get "> ", list items a mark, links
// their address.

import { MAX_QUOTE_DEPTH } from '../limits/mime.ts';
import { removeControls } from './escape.ts';
import { safeLink } from './links.ts';
import { OutputBound } from './output-bound.ts';
import { type ContentToken, contentTokens } from './tokenizer.ts';

/** containers of lines, one bit each */
export const QUOTE = 1;
export const PRE = 2;
const DEFINITIONS = 4;
const DEFINITION = 8;
export const BULLETS = 16;
const NUMBERS = 32;
export const ITEM = 64;

interface Container {
  kind: number;
  /** prefixes of the first line and of the others */
  first: string;
  rest: string;
  /** number of the next item in a numbered list */
  next: number;
  /** `rest` of all containers up to this one, joined once: cost does not depend on the nesting depth */
  marks: string;
}

const RULE = '-'.repeat(40);
/** minimum width of wrapped text in deep quotes */
const MIN_COLUMNS = 20;
/** anything but visible characters separated by single blanks: controls, soft hyphens and so on */
const UNEVEN = /[^ !-~\u00a1-\u00ac\u00ae-\u02ff\u2010-\ufefe\uff00-\uffff]| {2}/;

export class TextWriter {
  /** with the empty lines before each; none before the first */
  readonly #lines: string[] = [];
  /** empty lines since the last line; dropped at the end */
  #emptyCount = 0;
  #hasBegun = false;
  readonly #width: number;
  readonly #bound: OutputBound;
  readonly #containers: Container[] = [];
  /** the first line of the containers from this index on is not written yet */
  #fresh = 0;
  #preCount = 0;
  /** containers beyond the depth limit that are still open, by kind */
  readonly #unmarked = new Map<number, number>();
  /** current line */
  #text = '';
  #endsWithBlank = true;
  /** container depth of a pending blank line */
  #gap: number | undefined;

  constructor(width: number, bound: OutputBound) {
    this.#width = width;
    this.#bound = bound;
  }

  get isLineEmpty(): boolean {
    return this.#text === '';
  }

  #prefix(): string {
    let prefix = this.#marksOf(this.#fresh);
    for (; this.#fresh < this.#containers.length; this.#fresh++) prefix += this.#containers[this.#fresh]!.first;
    return prefix;
  }

  /** The prefix of lines at this container depth. */
  #marksOf(depth: number): string {
    return depth === 0 ? '' : this.#containers[depth - 1]!.marks;
  }

  #writeLine(text: string): void {
    if (this.#gap !== undefined) {
      if (this.#hasBegun) this.#take(this.#marksOf(this.#gap).trimEnd());
      this.#gap = undefined;
    }
    const trimmed = text.trimEnd();
    this.#take(trimmed === '' ? this.#prefix().trimEnd() : this.#prefix() + trimmed);
  }

  #take(line: string): void {
    this.#hasBegun = true;
    if (line === '') {
      this.#emptyCount++;
      return;
    }
    const before = this.#lines.length === 0 ? '' : '\n'.repeat(this.#emptyCount);
    this.#emptyCount = 0;
    const text = this.#bound.take(before.length + 1) ? this.#bound.takeText(line, false) : '';
    if (text !== '') this.#lines.push(before + text);
  }

  #writeWrapped(text: string): void {
    const room = Math.max(this.#width - this.#marksOf(this.#containers.length).length, MIN_COLUMNS);
    let start = 0;
    while (text.length - start > room && this.#preCount === 0) {
      let blank = text.lastIndexOf(' ', start + room);
      // a word longer than a line
      if (blank < start) blank = text.indexOf(' ', start + room);
      if (blank < 0) break;
      this.#writeLine(text.slice(start, blank));
      start = blank + 1;
    }
    this.#writeLine(start === 0 ? text : text.slice(start));
  }

  /** Removes and returns the current line. */
  #takeLine(): string {
    this.#endsWithBlank = true;
    if (this.#text === '') return '';
    const text = this.#text.trimEnd();
    this.#text = '';
    return text;
  }

  /** Ends the line unless it is empty. */
  endLine(): void {
    const text = this.#takeLine();
    if (text !== '') this.#writeWrapped(text);
  }

  /** Ends the line even if it is empty. */
  breakLine(): void {
    this.#writeWrapped(this.#takeLine());
  }

  /** Ends the line and requests a blank line, but not between an item's mark and its text. */
  blankLine(): void {
    this.endLine();
    const depth = this.#containers.length;
    const innermost = this.#containers[depth - 1];
    if (innermost && this.#fresh < depth && innermost.first !== innermost.rest) return;
    this.#gap = Math.min(this.#gap ?? depth, depth);
  }

  rule(): void {
    this.endLine();
    this.#writeLine(RULE);
  }

  /** Text of the source. Collapses blanks except in a pre. */
  text(source: string): void {
    if (this.#preCount > 0) {
      this.#preformatted(removeControls(source));
      return;
    }
    const isEven = !UNEVEN.test(source);
    let text = isEven ? source : removeControls(source.replace(/[\t\n\f ]+/g, ' '));
    if (this.#endsWithBlank && text.startsWith(' ')) text = text.slice(1);
    if (text === '') return;
    this.#endsWithBlank = text.endsWith(' ');
    // drops soft hyphens and the like; a no-break space becomes a blank
    if (!isEven) text = text.replace(/(?:\u00ad|\u034f|\u200b|\ufeff)+/g, '').replaceAll('\u00a0', ' ');
    this.#text += text;
  }

  #preformatted(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      if (end > start) this.#text += text.slice(start, end);
      this.breakLine();
      start = end + 1;
    }
    if (start < text.length) this.#text += text.slice(start);
  }

  /** Our own text, not collapsed. */
  insert(text: string): void {
    this.#text += text;
    this.#endsWithBlank = text.endsWith(' ');
  }

  /** Separates the cells of a row by two blanks. */
  columnGap(): void {
    if (!this.isLineEmpty) this.insert(this.#endsWithBlank ? ' ' : '  ');
  }

  /** Opens a container. `rest`: prefix of its lines; `mark`: prefix of its first line, if different. */
  open(kind: number, rest = '', mark = rest): void {
    if (this.#containers.length >= MAX_QUOTE_DEPTH) {
      this.#unmarked.set(kind, (this.#unmarked.get(kind) ?? 0) + 1);
      return;
    }
    const marks = this.#marksOf(this.#containers.length) + rest;
    this.#containers.push({ kind, first: mark, rest, next: 1, marks });
    if (kind === PRE) this.#preCount++;
  }

  /** The innermost open container of these kinds, unless one of `fence` is inside it. */
  find(kinds: number, fence = 0): { kind: number; next: number } | undefined {
    for (let i = this.#containers.length - 1; i >= 0; i--) {
      const container = this.#containers[i]!;
      if (container.kind & kinds) return container;
      if (container.kind & fence) return undefined;
    }
    return undefined;
  }

  /** Closes the innermost container of this kind and those inside it. */
  close(kind: number): void {
    const unmarked = this.#unmarked.get(kind) ?? 0;
    if (unmarked > 0) this.#unmarked.set(kind, unmarked - 1);
    else if (this.find(kind)) {
      let isClosed = false;
      while (!isClosed) {
        const closed = this.#containers.pop()!;
        if (closed.kind === PRE) this.#preCount--;
        isClosed = closed.kind === kind;
      }
      this.#fresh = Math.min(this.#fresh, this.#containers.length);
    }
    if (this.#gap !== undefined) this.#gap = Math.min(this.#gap, this.#containers.length);
  }

  end(): string {
    this.endLine();
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }
}

/** How an element affects lines. */
interface Layout {
  name: string;
  /** starts a new line, also after its end */
  isBlock: boolean;
  /** surrounded by blank lines */
  isSpaced: boolean;
  /** the container it opens, or 0 */
  container: number;
}

const LISTS = BULLETS | NUMBERS;
const SPACED = 'p blockquote pre table ul ol dl figure h1 h2 h3 h4 h5 h6'.split(' ');
/** blocks without blank lines */
const BLOCKS = (
  'div li tr dt dd section article header footer main aside nav address center caption summary details figcaption ' +
  'fieldset form legend thead tbody tfoot body html head optgroup option'
).split(' ');
const CONTAINERS: Readonly<Record<string, number>> = {
  blockquote: QUOTE,
  pre: PRE,
  dl: DEFINITIONS,
  dd: DEFINITION,
  ul: BULLETS,
  ol: NUMBERS,
  li: ITEM,
};
const layouts = new Map<string, Layout>(
  [...SPACED, ...BLOCKS, ...'br hr q td th img a'.split(' ')].map((name) => [
    name,
    {
      name,
      isBlock: SPACED.includes(name) || BLOCKS.includes(name),
      isSpaced: SPACED.includes(name),
      container: Object.hasOwn(CONTAINERS, name) ? CONTAINERS[name]! : 0,
    },
  ]),
);

function openContainer(writer: TextWriter, kind: number): void {
  if (kind === QUOTE) writer.open(kind, '> ');
  else if (kind === DEFINITION) writer.open(kind, '    ');
  else if (kind === ITEM) {
    if (writer.find(ITEM, LISTS)) writer.close(ITEM);
    const list = writer.find(LISTS);
    const mark = list?.kind === NUMBERS ? ` ${list.next++}. ` : ' * ';
    writer.open(kind, ' '.repeat(mark.length), mark);
  } else writer.open(kind);
}

interface Link {
  address: string;
  /** text so far, up to the length needed for comparison */
  text: string;
}

/** " <address>" unless the text is the address. */
function linkNote(link: Link): string {
  const bare = (text: string): string =>
    text
      .trim()
      .replace(/^(?:mailto|tel):/i, '')
      .replace(/\/$/, '');
  return bare(link.text) === bare(link.address) ? '' : ` <${link.address}>`;
}

/** HTML as text with LF line ends, wrapped at `width`; '' if nothing is readable. Stops at `bound`. */
export function htmlToText(html: string, width = Number.POSITIVE_INFINITY, bound = new OutputBound()): string {
  const writer = new TextWriter(width, bound);
  let link: Link | undefined;
  let isPreStart = false;

  const endLink = (): void => {
    if (link) {
      const note = linkNote(link);
      if (note) writer.insert(writer.isLineEmpty ? note.trimStart() : note);
    }
    link = undefined;
  };
  const write = (text: string): void => {
    if (link && link.text.length <= link.address.length) link.text += text;
    writer.text(text);
  };
  // no blank lines around a nested list
  const isSpaced = (layout: Layout): boolean =>
    layout.isSpaced && !((layout.container & LISTS) !== 0 && writer.find(ITEM));
  const end = (layout: Layout): void => {
    const { name, container } = layout;
    if (name === 'a') endLink();
    if (name === 'q') write('”');
    if (layout.isBlock) writer.endLine();
    if (container) writer.close(container);
    if (isSpaced(layout)) writer.blankLine();
  };
  const start = (layout: Layout, attributes: ReadonlyMap<string, string>): void => {
    const { name, container } = layout;
    if (layout.isBlock) writer.endLine();
    if (isSpaced(layout)) writer.blankLine();
    // dt and dd usually have no end tag
    if ((name === 'dt' || name === 'dd') && writer.find(DEFINITION, DEFINITIONS)) writer.close(DEFINITION);
    if (container) openContainer(writer, container);
    else if (name === 'br') writer.breakLine();
    else if (name === 'hr') writer.rule();
    else if (name === 'q') write('“');
    else if (name === 'td' || name === 'th') writer.columnGap();
    else if (name === 'img' && attributes.get('alt')?.trim()) write(`[${attributes.get('alt')!.trim()}]`);
    else if (name === 'a') {
      endLink();
      const address = safeLink(attributes.get('href') ?? '');
      if (address) link = { address, text: '' };
    }
    isPreStart = container === PRE;
  };
  const take = (token: ContentToken): void => {
    if (token.type === 'style') return;
    if (token.type === 'text') {
      write(isPreStart && token.data.startsWith('\n') ? token.data.slice(1) : token.data);
      isPreStart = false;
      return;
    }
    const layout = layouts.get(token.name);
    if (token.type === 'end') {
      if (layout) end(layout);
    } else if (layout) start(layout, token.attributes);
    else isPreStart = false;
  };

  for (const token of contentTokens(html)) {
    take(token);
    if (bound.isCut) break;
  }
  endLink();
  return writer.end();
}
