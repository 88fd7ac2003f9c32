// HTML as text for people who read in a terminal or ask for `?text=plain`: blocks become lines, quotes get "> ", list
// items their mark, links their address.

import { type ContentToken, contentTokens } from './content.ts';
import { safeLink } from './links.ts';
import { OutputBound } from './output-bound.ts';
import { BULLETS, DEFINITION, DEFINITIONS, ITEM, NUMBERS, PRE, QUOTE, TextWriter } from './text-writer.ts';

/** What an element does to the lines. */
interface Layout {
  name: string;
  /** begins a line, and so does what follows it */
  isBlock: boolean;
  /** with a blank line before and after */
  isSpaced: boolean;
  /** what the lines in it stand in, 0 for nothing */
  container: number;
}

const LISTS = BULLETS | NUMBERS;
const SPACED = 'p blockquote pre table ul ol dl figure h1 h2 h3 h4 h5 h6'.split(' ');
/** blocks that only begin a line */
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

/**
 * HTML as text with LF line ends, lines wrapped at `width` characters if it is given; '' if nothing is readable. What
 * goes beyond `bound` is left out.
 */
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
  // a list inside a list stays close to its item
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
    // a dt has no end tag as a rule, nor has the dd before it
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
