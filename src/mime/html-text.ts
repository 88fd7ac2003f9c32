// HTML as text for people who read in a terminal or ask for `?text=plain`: blocks become lines, quotes get "> ", list
// items their mark, links their address. Called by the gateway's message rendering and by the room server's MSG0.
import { MAX_QUOTE_DEPTH } from '../limits/mime.ts';
import { type ContentToken, contentTokens } from './html-content.ts';
import { removeControls } from './html-escape.ts';
import { safeLink } from './html-links.ts';

const RULE = '-'.repeat(40);
/** what deep quotes leave for the text of a wrapped line */
const MIN_COLUMNS = 20;
/** blocks with a blank line before and after */
const SPACED = new Set('p blockquote pre table ul ol dl figure h1 h2 h3 h4 h5 h6'.split(' '));
/** blocks that only begin a line */
const BLOCKS = new Set(
  (
    'div li tr dt dd section article header footer main aside nav address center caption summary details figcaption ' +
    'fieldset form legend thead tbody tfoot body html head optgroup option'
  ).split(' '),
);
/** what the lines inside are marked with: the first line, the others */
interface Container {
  name: string;
  first: string;
  rest: string;
  /** number of the next item of an ol */
  next: number;
}

class TextWriter {
  readonly #lines: string[] = [];
  readonly #width: number;
  readonly #containers: Container[] = [];
  /** containers beyond the bound, by name, that still await their end tags */
  readonly #unmarked = new Map<string, number>();
  #pieces: string[] = [];
  #endsWithBlank = true;
  /** depth at which a blank line is due before the next line */
  #gap: number | undefined;

  constructor(width: number) {
    this.#width = width;
  }

  get isPre(): boolean {
    return this.#containers.some((container) => container.name === 'pre');
  }

  get isLineEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  #prefix(): string {
    let prefix = '';
    for (const container of this.#containers) {
      prefix += container.first;
      container.first = container.rest;
    }
    return prefix;
  }

  #writeLine(text: string): void {
    if (this.#gap !== undefined && this.#lines.length > 0) {
      const above = this.#containers.slice(0, this.#gap).map((container) => container.rest);
      this.#lines.push(above.join('').trimEnd());
    }
    this.#gap = undefined;
    this.#lines.push((this.#prefix() + text).trimEnd());
  }

  #writeWrapped(text: string): void {
    const marks = this.#containers.reduce((sum, container) => sum + container.rest.length, 0);
    const room = Math.max(this.#width - marks, MIN_COLUMNS);
    if (text.length <= room || this.isPre) {
      this.#writeLine(text);
      return;
    }
    let line: string[] = [];
    let length = 0;
    for (const word of text.split(' ')) {
      if (line.length > 0 && length + word.length > room) {
        this.#writeLine(line.join(' '));
        line = [];
        length = 0;
      }
      line.push(word);
      length += word.length + 1;
    }
    this.#writeLine(line.join(' '));
  }

  /** The line so far, taken out. */
  #takeLine(): string {
    const text = this.#pieces.join('').trimEnd();
    this.#pieces = [];
    this.#endsWithBlank = true;
    return text;
  }

  /** Ends the line if it has begun. */
  endLine(): void {
    const text = this.#takeLine();
    if (text !== '') this.#writeWrapped(text);
  }

  /** Ends the line, be it empty. */
  breakLine(): void {
    this.#writeWrapped(this.#takeLine());
  }

  /** Ends the line and asks for a blank one before the next, but not between a mark and its text. */
  blankLine(): void {
    this.endLine();
    const innermost = this.#containers.at(-1);
    if (innermost && innermost.first !== innermost.rest) return;
    this.#gap = Math.min(this.#gap ?? Number.POSITIVE_INFINITY, this.#containers.length);
  }

  rule(): void {
    this.endLine();
    this.#writeLine(RULE);
  }

  /** Text as it stands in the source; blanks are collapsed except in a pre. */
  text(source: string): void {
    if (this.isPre) {
      const [first, ...others] = removeControls(source).split('\n');
      this.#pieces.push(first!);
      for (const line of others) {
        this.breakLine();
        if (line !== '') this.#pieces.push(line);
      }
      return;
    }
    let text = removeControls(source.replace(/[\t\n\f ]+/g, ' '));
    if (this.#endsWithBlank && text.startsWith(' ')) text = text.slice(1);
    if (text === '') return;
    this.#endsWithBlank = text.endsWith(' ');
    // characters that only say how to break lines, and the blank that says how not to
    this.#pieces.push(text.replace(/\u00ad|\u034f|\u200b|\ufeff/g, '').replaceAll('\u00a0', ' '));
  }

  /** Text of ours, kept as it is. */
  insert(text: string): void {
    this.#pieces.push(text);
    this.#endsWithBlank = text.endsWith(' ');
  }

  /** Two blanks between the cells of a row. */
  columnGap(): void {
    if (!this.isLineEmpty) this.insert(this.#endsWithBlank ? ' ' : '  ');
  }

  open(container: Container): void {
    if (this.#containers.length < MAX_QUOTE_DEPTH) this.#containers.push(container);
    else this.#unmarked.set(container.name, (this.#unmarked.get(container.name) ?? 0) + 1);
  }

  /** The innermost open container of this name, unless one of `fence` is further in. */
  find(names: string[], fence: string[] = []): Container | undefined {
    const found = this.#containers.findLast(({ name }) => names.includes(name) || fence.includes(name));
    return found && names.includes(found.name) ? found : undefined;
  }

  /** Ends the innermost container of this name, and those inside it. */
  close(name: string): void {
    const unmarked = this.#unmarked.get(name) ?? 0;
    if (unmarked > 0) this.#unmarked.set(name, unmarked - 1);
    else if (this.find([name])) {
      this.#containers.length = this.#containers.findLastIndex((container) => container.name === name);
    }
    if (this.#gap !== undefined) this.#gap = Math.min(this.#gap, this.#containers.length);
  }

  end(): string {
    this.endLine();
    const start = this.#lines.findIndex((line) => line !== '');
    const end = this.#lines.findLastIndex((line) => line !== '');
    return start < 0 ? '' : `${this.#lines.slice(start, end + 1).join('\n')}\n`;
  }
}

const LISTS = ['ul', 'ol'];

function openContainer(writer: TextWriter, name: string): void {
  const container = { name, first: '', rest: '', next: 1 };
  if (name === 'blockquote') writer.open({ ...container, first: '> ', rest: '> ' });
  else if (name === 'dd') writer.open({ ...container, first: '    ', rest: '    ' });
  else if (name === 'pre' || name === 'dl' || LISTS.includes(name)) writer.open(container);
  else if (name === 'li') {
    if (writer.find(['li'], LISTS)) writer.close('li');
    const list = writer.find(LISTS);
    const mark = list?.name === 'ol' ? ` ${list.next++}. ` : ' * ';
    writer.open({ ...container, first: mark, rest: ' '.repeat(mark.length) });
  }
}

const CONTAINERS = new Set(['blockquote', 'dl', 'dd', 'pre', 'li', ...LISTS]);

interface Link {
  address: string;
  /** text seen so far, no more than is needed to compare it */
  text: string;
}

/** " <address>" unless the text says it already. */
function linkNote(link: Link): string {
  const bare = (text: string): string =>
    text
      .trim()
      .replace(/^(?:mailto|tel):/i, '')
      .replace(/\/$/, '');
  return bare(link.text) === bare(link.address) ? '' : ` <${link.address}>`;
}

/** HTML as text with LF line ends, lines wrapped at `width` characters if it is given; '' if nothing is readable. */
export function htmlToText(html: string, width = Number.POSITIVE_INFINITY): string {
  const writer = new TextWriter(width);
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
  // a list inside a list stays close to its item
  const isSpaced = (name: string): boolean => SPACED.has(name) && !(LISTS.includes(name) && writer.find(['li']));
  const startOrEnd = (token: Exclude<ContentToken, { type: 'text' }>): void => {
    const { name } = token;
    const isBlock = SPACED.has(name) || BLOCKS.has(name);
    if (token.type === 'end') {
      if (name === 'a') endLink();
      if (name === 'q') write('”');
      if (isBlock) writer.endLine();
      if (CONTAINERS.has(name)) writer.close(name);
      if (isSpaced(name)) writer.blankLine();
      return;
    }
    if (isBlock) writer.endLine();
    if (isSpaced(name)) writer.blankLine();
    // a dt has no end tag as a rule, nor has the dd before it
    if ((name === 'dt' || name === 'dd') && writer.find(['dd'], ['dl'])) writer.close('dd');
    if (CONTAINERS.has(name)) openContainer(writer, name);
    else if (name === 'br') writer.breakLine();
    else if (name === 'hr') writer.rule();
    else if (name === 'q') write('“');
    else if (name === 'td' || name === 'th') writer.columnGap();
    else if (name === 'img' && token.attributes.get('alt')?.trim()) write(`[${token.attributes.get('alt')!.trim()}]`);
    else if (name === 'a') {
      endLink();
      const address = safeLink(token.attributes.get('href') ?? '');
      if (address) link = { address, text: '' };
    }
    isPreStart = name === 'pre';
  };

  for (const token of contentTokens(html)) {
    if (token.type !== 'text') {
      startOrEnd(token);
    } else {
      write(isPreStart && token.data.startsWith('\n') ? token.data.slice(1) : token.data);
      isPreStart = false;
    }
  }
  endLink();
  return writer.end();
}
