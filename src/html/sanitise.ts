// Makes a message's HTML safe to show: an allow-list over tokens. Input is never passed through. Every tag is
// rewritten, every text and value escaped, every element closed, and there are no raw-text or foreign elements, so a
// browser parses the result exactly as intended, through innerHTML or in a frame.

import { MAX_HTML_DEPTH } from '../limits/mime.ts';
import { allowedAttributes } from './attributes.ts';
import { escapeHtml } from './escape.ts';
import { linkAttributes, pageName, remoteAddress, safeLink } from './links.ts';
import { OutputBound } from './output-bound.ts';
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
const ROW = allowedElement('tr')!;
const CELL = allowedElement('td')!;
const DATA_IMAGE = /^data:image\/(?:png|gif|jpeg|webp);base64,[a-z\d+/=]+$/i;

function writeAttributes(element: string, attributes: Attributes): string {
  if (attributes.size === 0) return '';
  return allowedAttributes(element, attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('');
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
function link(address: string, pageUrl: SanitiseOptions['pageUrl']): string | undefined {
  const safe = safeLink(address);
  if (safe !== undefined) return linkAttributes(escapeHtml(safe));
  const page = pageUrl && pageName(address);
  const url = page === undefined ? undefined : pageUrl?.(page);
  return url === undefined ? undefined : ` href="${escapeHtml(url)}"`;
}

/**
 * Keeps what is on the allow-list. Other elements are dropped and their children kept, except those that contentTokens
 * drops. Images that may not be loaded become their alternative text. Idempotent apart from `cid:` images and wiki
 * links. Stops at `bound` and closes all elements.
 */
export function sanitise(html: string, options: SanitiseOptions, bound = new OutputBound()): SanitisedHtml {
  const output: string[] = [];
  const open = new OpenElements();
  /** elements beyond the depth limit whose end tags are still due */
  const flattened = new Map<Element, number>();
  let blockedRemote = false;

  const closeTo = (count: number): void => {
    while (open.count > count) output.push(open.pop().endTag);
  };
  // the end tag is charged with the start tag, so that it always fits
  const write = (tag: string, element: Element): void => {
    if (!bound.take(tag.length + element.endTag.length)) return;
    output.push(tag);
    if (!element.isVoid) open.push(element);
  };
  const writeText = (data: string): void => {
    output.push(bound.takeText(escapeHtml(data), true));
  };
  const writeImage = (image: Element, attributes: Attributes): void => {
    const source = attributes.get('src') ?? '';
    const part = partAddress(source, options.partUrl) ?? options.locationUrl?.(source.trim());
    const remote = part === undefined ? remoteAddress(source) : undefined;
    if (remote !== undefined && !options.remote) blockedRemote = true;
    const data = source.replace(/[\t\n\f\r ]/g, '');
    const address = part ?? (options.remote ? remote : undefined);
    const src = address ?? (data !== '' && DATA_IMAGE.test(data) ? data : undefined);
    if (src === undefined) writeText(attributes.get('alt') ?? '');
    else write(`<img src="${escapeHtml(src)}"${writeAttributes('img', attributes)}>`, image);
  };
  // a cell for content that would be moved out of its table
  const openCell = (): void => {
    if (open.count + 2 > MAX_HTML_DEPTH) return;
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
    const href = name === 'a' ? link(attributes.get('href') ?? '', options.pageUrl) : '';
    if (href === undefined) return;
    if (name === 'img') {
      writeImage(element, attributes);
    } else if (open.count >= MAX_HTML_DEPTH && !element.isVoid) {
      flattened.set(element, (flattened.get(element) ?? 0) + 1);
    } else {
      const isBare = attributes.size === 0 && href === '';
      write(isBare ? element.startTag : `<${name}${href}${writeAttributes(name, attributes)}>`, element);
    }
  };
  const end = (element: Element): void => {
    const waiting = flattened.size === 0 ? 0 : (flattened.get(element) ?? 0);
    if (waiting > 0) flattened.set(element, waiting - 1);
    else if (element === BREAK) start(BREAK, NO_ATTRIBUTES);
    else closeTo(open.countAfter(element));
  };

  for (const token of contentTokens(html.toWellFormed())) {
    if (token.type === 'text') {
      if (open.needsCell() && /[^\t\n\f\r ]/.test(token.data)) openCell();
      writeText(token.data);
    } else {
      const element = allowedElement(token.name);
      if (element && token.type === 'end') end(element);
      else if (element && token.type === 'start') start(element, token.attributes);
    }
    if (bound.isCut) break;
  }
  closeTo(0);
  return { html: output.join(''), blockedRemote };
}
