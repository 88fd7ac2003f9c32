// A message's HTML made safe to show: an allow-list over the tokens, the output built from nothing but what is known to be
// harmless. Input never passes through: every tag is written anew, every text and value escaped, every element closed, no
// raw-text or foreign element exists, so a browser cannot read the result otherwise than it was meant, neither through
// innerHTML nor in a frame. Called by the gateway's message rendering.
import { MAX_HTML_DEPTH } from '../limits/mime.ts';
import { allowedAttributes, isAllowedElement } from './html-attributes.ts';
import { contentTokens } from './html-content.ts';
import { escapeHtml } from './html-escape.ts';
import { linkAttributes, pageName, remoteAddress, safeLink } from './html-links.ts';
import { isStray, keptAfter, keptBefore, needsCell, VOID } from './html-nesting.ts';

export interface SanitiseOptions {
  /** whether images may be loaded over http and https */
  remote: boolean;
  /** the address of the part with this Content-ID (no brackets), undefined if the message has none */
  partUrl?: (contentId: string) => string | undefined;
  /** the address of this page of the wiki that the HTML is a page of; without it relative links are left out */
  pageUrl?: ((page: string) => string | undefined) | undefined;
}

export interface SanitisedHtml {
  html: string;
  /** whether an image was left out only because `remote` is false */
  blockedRemote: boolean;
}

const DATA_IMAGE = /^data:image\/(?:png|gif|jpeg|webp);base64,[a-z\d+/=]+$/i;

function writeAttributes(element: string, attributes: Map<string, string>): string {
  return allowedAttributes(element, attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('');
}

function partAddress(source: string, partUrl: SanitiseOptions['partUrl']): string | undefined {
  const id = /^cid:(.+)$/i.exec(source.trim())?.[1];
  if (id === undefined) return undefined;
  try {
    return partUrl?.(decodeURIComponent(id).replace(/^<|>$/g, ''));
  } catch {
    return undefined; // a "%" that escapes nothing
  }
}

/** The attributes of a link to where `address` leads; undefined for a link that is left out. */
function link(address: string, pageUrl: SanitiseOptions['pageUrl']): string | undefined {
  const safe = safeLink(address);
  if (safe !== undefined) return linkAttributes(escapeHtml(safe));
  const page = pageUrl && pageName(address);
  const url = page === undefined ? undefined : pageUrl?.(page);
  return url === undefined ? undefined : ` href="${escapeHtml(url)}"`;
}

/**
 * The message's HTML as far as it is on the allow-list. Elements not on it are left out and their children kept, except
 * those of html-content.ts. Images that may not be loaded become their alternative text. Without `cid:` images and links
 * to pages, sanitising the result again changes nothing.
 */
export function sanitise(html: string, options: SanitiseOptions): SanitisedHtml {
  const output: string[] = [];
  const open: string[] = [];
  /** elements beyond the depth bound, by name, that still await their end tags */
  const flattened = new Map<string, number>();
  let blockedRemote = false;

  const closeTo = (count: number): void => {
    while (open.length > count) output.push(`</${open.pop()}>`);
  };
  const writeImage = (attributes: Map<string, string>): void => {
    const source = attributes.get('src') ?? '';
    const remote = remoteAddress(source);
    if (remote !== undefined && !options.remote) blockedRemote = true;
    const data = source.replace(/[\t\n\f\r ]/g, '');
    const address = remote === undefined ? partAddress(source, options.partUrl) : options.remote ? remote : undefined;
    const src = address ?? (DATA_IMAGE.test(data) ? data : undefined);
    if (src === undefined) output.push(escapeHtml(attributes.get('alt') ?? ''));
    else output.push(`<img src="${escapeHtml(src)}"${writeAttributes('img', attributes)}>`);
  };
  // a cell for what would fall out of its table
  const openCell = (): void => {
    if (open.length + 2 > MAX_HTML_DEPTH) return;
    if (open.at(-1) !== 'tr') start('tr', new Map());
    start('td', new Map());
  };
  const text = (data: string): void => {
    if (needsCell(open) && /[^\t\n\f\r ]/.test(data)) openCell();
    output.push(escapeHtml(data));
  };
  const start = (name: string, attributes: Map<string, string>): void => {
    if (needsCell(open, name)) {
      if (isStray(name)) return;
      openCell();
    }
    const kept = keptBefore(name, open);
    if (kept < 0) return;
    closeTo(kept);
    // a link that is left out has still ended the one around it
    const href = name === 'a' ? link(attributes.get('href') ?? '', options.pageUrl) : '';
    if (href === undefined) return;
    if (name === 'img') {
      writeImage(attributes);
      return;
    }
    if (open.length >= MAX_HTML_DEPTH && !VOID.has(name)) {
      flattened.set(name, (flattened.get(name) ?? 0) + 1);
      return;
    }
    output.push(`<${name}${href}${writeAttributes(name, attributes)}>`);
    if (!VOID.has(name)) open.push(name);
  };
  const end = (name: string): void => {
    const waiting = flattened.get(name) ?? 0;
    if (waiting > 0) flattened.set(name, waiting - 1);
    else if (name === 'br') start('br', new Map());
    else closeTo(keptAfter(name, open));
  };

  for (const token of contentTokens(html.toWellFormed())) {
    if (token.type === 'text') text(token.data);
    else if (token.type === 'end') end(token.name);
    else if (isAllowedElement(token.name)) start(token.name, token.attributes);
  }
  closeTo(0);
  return { html: output.join(''), blockedRemote };
}
