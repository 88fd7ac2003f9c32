// Makes a message's HTML safe to show: an allow-list over tokens. Input is never passed through. Every tag is
// rewritten, every text and value escaped, every element closed, and there are no raw-text or foreign elements, so a
// browser parses the result exactly as intended, through innerHTML or in a frame.

import { MAX_HTML_DEPTH, MAX_SELECTOR_STEPS } from '../limits/mime.ts';
import { allowedAttributes, placeName } from './attributes.ts';
import type { Style } from './declarations.ts';
import { escapeHtml } from './escape.ts';
import { type Colours, type Ground, groundOf, paper } from './grounds.ts';
import { linkAttributes, pageName, remoteAddress, safeLink } from './links.ts';
import { OutputBound } from './output-bound.ts';
import type { Box } from './selectors.ts';
import { readStyleSheet, type StyleElement, type StyleSheet } from './style-sheet.ts';
import { allowedElement, contentTokens, type Element, OpenElements } from './tokenizer.ts';

export interface SanitiseOptions {
  /** load images over http and https */
  remote: boolean;
  /** URL of the part with this Content-ID (without brackets); undefined if there is none */
  partUrl?: (contentId: string) => string | undefined;
  /** URL of the part that an image names by an address other than `cid:` (RFC 2557); undefined if there is none */
  locationUrl?: ((address: string) => string | undefined) | undefined;
  /** URL of another page of the same wiki; without it, relative links are dropped */
  pageUrl?: ((page: string) => string | undefined) | undefined;
}

export interface SanitisedHtml {
  html: string;
  /** an image was dropped only because `remote` is false */
  blockedRemote: boolean;
}

type Attributes = ReadonlyMap<string, string>;

const NO_ATTRIBUTES: Attributes = new Map();
const BREAK = allowedElement('br')!;
const BODY = allowedElement('body')!;
const ROW = allowedElement('tr')!;
const CELL = allowedElement('td')!;
const DATA_IMAGE = /^data:image\/(?:png|gif|jpeg|webp);base64,[a-z\d+/=]+$/i;

const writeAttributes = (list: readonly (readonly [name: string, value: string])[]): string =>
  list.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('');

const STYLE_TAGS = '<style></style>'.length;
const STYLE = /<style[\t\n\f\r />]/i;
const DIV = allowedElement('div')!;

/** Where a declaration of the text's colour stands in a rebuilt style. */
const COLOUR_DECLARATION = /(?:^|; )color: [^;]*/g;

/** Replaces an element's text colour; '' drops it. */
function recolour(list: readonly [string, string][], colour: string): [string, string][] {
  const others = list.filter(([name]) => name !== 'color' && name !== 'text' && name !== 'style');
  const style = list
    .find(([name]) => name === 'style')?.[1]
    .replace(COLOUR_DECLARATION, '')
    .replace(/^; /, '');
  const declarations = [style, colour && `color: ${colour}`].filter(Boolean).join('; ');
  return declarations === '' ? others : [...others, ['style', declarations]];
}

/** The colours of a `<body>`, which is written as a block, as a style. */
function withoutBodyColours(list: readonly [string, string][]): [string, string][] {
  const colours = list.flatMap(([name, value]): string[] => {
    if (name !== 'bgcolor' && name !== 'text') return [];
    const colour = /^[\da-f]+$/i.test(value) && /\d|^[a-f]{6}$/i.test(value) ? `#${value}` : value;
    return [`${name === 'text' ? 'color' : 'background-color'}: ${colour}`];
  });
  const others = list.filter(([name]) => name !== 'bgcolor' && name !== 'text' && name !== 'style');
  const style = list.find(([name]) => name === 'style')?.[1];
  const declarations = [...colours, ...(style === undefined ? [] : [style])].join('; ');
  return declarations === '' ? others : [...others, ['style', declarations]];
}

/** The attributes as they are read: an old name of a place is its id. */
function withPlace(attributes: Attributes): Attributes {
  const name = attributes.get('name');
  return name === undefined || attributes.has('id') ? attributes : new Map([...attributes, ['id', name]]);
}

function partAddress(source: string, partUrl: SanitiseOptions['partUrl']): string | undefined {
  const id = source === '' ? undefined : /^cid:(.+)$/i.exec(source.trim())?.[1];
  if (id === undefined) return undefined;
  try {
    return partUrl?.(decodeURIComponent(id).replace(/^<|>$/g, ''));
  } catch {
    return undefined; // an invalid "%"
  }
}

/** The attributes of a link, or undefined to drop it. */
function link(address: string, base: string | undefined, pageUrl: SanitiseOptions['pageUrl']): string | undefined {
  const place = /^[\0- ]*#/.test(address) && !pageUrl ? placeName(decodedPlace(address)) : undefined;
  if (place !== undefined) return ` href="#${escapeHtml(place)}"`;
  const safe = safeLink(address, base);
  if (safe !== undefined) return linkAttributes(escapeHtml(safe));
  const page = pageUrl && pageName(address);
  const url = page === undefined ? undefined : pageUrl?.(page);
  if (url !== undefined) return ` href="${escapeHtml(url)}"`;
  const host = !pageUrl && /^\s*www\./i.test(address) ? safeLink(`http://${address.trim()}`) : undefined;
  return host === undefined ? undefined : linkAttributes(escapeHtml(host));
}

function decodedPlace(address: string): string {
  const place = address.slice(address.indexOf('#') + 1);
  try {
    return decodeURIComponent(place);
  } catch {
    return place; // an invalid "%"
  }
}

/** The colours of an element, and which of them are not by attributes alone. */
function coloursOf(sheet: StyleSheet | undefined, box: Box | undefined, hints: Colours, style: Style) {
  if (sheet && box) return sheet.coloursOf(box, hints, style);
  const colours: Colours = { ...hints, isLost: hints.isLost || style.isLost };
  for (const { property, value } of style.declarations) {
    if (property === 'color') colours.text = value;
    else if (property === 'background-color') colours.background = value;
  }
  return { colours, isGroundRuled: false, isTextRuled: false };
}

/** Nothing is shown. */
export const isBlankHtml = (html: string): boolean => html.replace(/<div>|<br>|<\/div>/g, '').trim() === '';

/** The style elements, and the attributes of the first `<body>`. */
function readHead(html: string): { styles: StyleElement[]; body: Attributes } {
  const styles: StyleElement[] = [];
  let body: Attributes | undefined;
  for (const token of contentTokens(html)) {
    if (token.type === 'style') styles.push(token);
    else if (token.type === 'start' && token.name === 'body') body ??= token.attributes;
  }
  return { styles, body: body ?? NO_ATTRIBUTES };
}

/**
 * Keeps what is on the allow-list. Other elements are dropped and their children kept, except those that contentTokens
 * drops. Images that may not be loaded become their alternative text. A message with style elements gets a root for
 * their rules and a block that stands for its body. Idempotent apart from `cid:` images and wiki links. Stops at
 * `bound` and closes all elements.
 */
export function sanitise(html: string, options: SanitiseOptions, bound = new OutputBound()): SanitisedHtml {
  const source = html.toWellFormed();
  if (!STYLE.test(source)) return writeSafe(source, options, bound);
  const { styles, body } = readHead(source);
  const ownPicture = pictureOf(options);
  const sheet = readStyleSheet(styles, ownPicture, source.length * MAX_SELECTOR_STEPS);
  const { left } = bound;
  const styled = sheet && writeSafe(source, options, bound, sheet, body);
  if (styled && !sheet.isExhausted) return styled;
  Object.assign(bound, { left, isCut: false });
  return writeSafe(source, options, bound, undefined, undefined, styles.length > 0);
}

const pictureOf =
  ({ partUrl, locationUrl }: SanitiseOptions) =>
  (address: string): string | undefined =>
    partAddress(address, partUrl) ?? locationUrl?.(address);

/** `isLost`: style elements that were dropped may have set backgrounds. `body`: attributes of its block. */
function writeSafe(
  source: string,
  options: SanitiseOptions,
  bound: OutputBound,
  sheet?: StyleSheet,
  body?: Attributes,
  isLost = sheet?.isLost ?? false,
): SanitisedHtml {
  const output: string[] = [];
  const open = new OpenElements();
  /** elements beyond the depth limit whose end tags are still due */
  const flattened = new Map<Element, number>();
  /** what the text of each open element stands on */
  const grounds: Ground[] = [paper(isLost)];
  /** the open elements as selectors see them, where there are rules */
  const boxes: Box[] = [];
  /** elements around all others: the root of the rules and the block of the body */
  let outer = 0;
  let styleCount = 0;
  /** the first `<base>` */
  let base: string | undefined;
  let blockedRemote = false;
  /** what stands before all elements */
  let root = '';

  const closeTo = (count: number): void => {
    while (open.count > count) output.push(open.pop().endTag);
    grounds.length = open.count + outer + 1;
    boxes.length = Math.min(boxes.length, open.count + outer);
  };
  const ownPicture = pictureOf(options);
  // the end tag is charged with the start tag, so that it always fits
  const write = (tag: string, element: Element, ground = grounds.at(-1)!, box?: Box): void => {
    if (!bound.take(tag.length + element.endTag.length)) return;
    output.push(tag);
    if (element.isVoid) return;
    open.push(element);
    grounds.push(ground);
    if (box) boxes.push(box);
  };
  /** The start tag of an element and its ground. `special`: attributes that are written already */
  const startTag = (element: Element, attributes: Attributes, special: string) => {
    const { list, style, hints } = allowedAttributes(element.name, attributes, ownPicture);
    const kept = sheet ? list : list.filter(([name]) => name !== 'class');
    const written = (name: string) => kept.find(([own]) => own === name)?.[1];
    const box: Box | undefined = sheet && {
      tag: element.tag,
      id: written('id'),
      classes: written('class')?.split(' ') ?? [],
      isLink: special.startsWith(' href'),
      parent: boxes.at(-1),
    };
    const { colours, isGroundRuled, isTextRuled } = coloursOf(sheet, box, hints, style);
    const { ground, instead } = groundOf(grounds.at(-1)!, colours);
    const isBody = element.name === 'body';
    const others = isBody
      ? kept.filter(([name]) => !((isGroundRuled && name === 'bgcolor') || (isTextRuled && name === 'text')))
      : kept;
    const colour = isTextRuled && instead !== undefined ? `${instead || 'inherit'} !important` : instead;
    const read = colour === undefined ? others : recolour(others, colour);
    const text = writeAttributes(isBody ? withoutBodyColours(read) : read);
    return { tag: `<${element.tag}${special}${text}>`, isPlain: special + text === '', ground, box };
  };
  const writeElement = (element: Element, attributes: Attributes, special: string): void => {
    const { tag, isPlain, ground, box } = startTag(element, attributes, special);
    // a body without a look of its own is no block of its own
    if (element.name === 'body' && isPlain) return;
    write(tag, element, ground, box);
  };
  const writeText = (data: string): void => {
    output.push(bound.takeText(escapeHtml(data), true));
  };
  const writeImage = (image: Element, attributes: Attributes): void => {
    const source = attributes.get('src') ?? '';
    const part = ownPicture(source.trim());
    const remote = part === undefined ? remoteAddress(source, base) : undefined;
    if (remote !== undefined && !options.remote) blockedRemote = true;
    const data = source.replace(/[\t\n\f\r ]/g, '');
    const address = part ?? (options.remote ? remote : undefined);
    const src = address ?? (data !== '' && DATA_IMAGE.test(data) ? data : undefined);
    if (src === undefined) writeText(attributes.get('alt') ?? '');
    else writeElement(image, attributes, ` src="${escapeHtml(src)}"`);
  };
  // a cell for content that would be moved out of its table
  const openCell = (): void => {
    if (open.count + 2 > maxDepth) return;
    if (open.last !== ROW) start(ROW, NO_ATTRIBUTES);
    start(CELL, NO_ATTRIBUTES);
  };
  const start = (element: Element, attributes: Attributes): void => {
    if (open.needsCell(element)) {
      if (element.isFormatting) return;
      openCell();
    }
    const remaining = open.countBefore(element);
    if (remaining < 0) return;
    closeTo(remaining);
    const { name } = element;
    // even a dropped link ends the one around it
    const isLink = name === 'a' || name === 'area';
    const href = isLink ? link(attributes.get('href') ?? '', base, options.pageUrl) : '';
    const placed = name === 'a' ? withPlace(attributes) : attributes;
    if (href === undefined && (name === 'area' || placeName(placed.get('id') ?? '') === undefined)) return;
    if (name === 'img') {
      writeImage(element, attributes);
    } else if (open.count >= maxDepth && !element.isVoid) {
      flattened.set(element, (flattened.get(element) ?? 0) + 1);
    } else {
      writeElement(element, placed, href ?? '');
    }
  };
  const end = (element: Element): void => {
    const waiting = flattened.size === 0 ? 0 : (flattened.get(element) ?? 0);
    if (waiting > 0) flattened.set(element, waiting - 1);
    // what stands behind </body> belongs to it
    else if (element === BODY) return;
    else if (element === BREAK) start(BREAK, NO_ATTRIBUTES);
    else closeTo(open.countAfter(element));
  };

  if (sheet?.root !== undefined) {
    boxes.push({ tag: 'div', id: undefined, classes: [sheet.root], isLink: false, parent: undefined });
    const { tag, ground, box } = startTag(BODY, body ?? NO_ATTRIBUTES, '');
    boxes.push(box!);
    grounds.push(ground, ground);
    outer = 2;
    root = `<div class="${sheet.root}"><style>${sheet.css}</style>${tag}`;
    if (!bound.take(root.length + 2 * DIV.endTag.length)) return { html: '', blockedRemote };
  }
  const maxDepth = MAX_HTML_DEPTH - outer;
  let isBodyDue = outer > 0;
  for (const token of contentTokens(source)) {
    if (token.type === 'style') {
      const css = sheet?.written[styleCount++];
      if (css !== undefined && open.last === DIV && bound.take(css.length + STYLE_TAGS))
        output.push(`<style>${css}</style>`);
    } else if (token.type === 'text') {
      if (open.needsCell() && /[^\t\n\f\r ]/.test(token.data)) openCell();
      writeText(token.data);
    } else {
      const element = allowedElement(token.name);
      if (element === BODY && token.type === 'start' && isBodyDue) isBodyDue = false;
      else if (element && token.type === 'end') end(element);
      else if (element && token.type === 'start') start(element, token.attributes);
      else if (token.type === 'start' && token.name === 'base')
        base ??= remoteAddress(token.attributes.get('href') ?? '');
    }
    if (bound.isCut || sheet?.isExhausted) break;
  }
  closeTo(0);
  const text = output.join('');
  const isRooted = root !== '' && !isBlankHtml(text);
  return { html: isRooted ? `${root}${text}${DIV.endTag}${DIV.endTag}` : text, blockedRemote };
}
