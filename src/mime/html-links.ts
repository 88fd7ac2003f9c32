// Which addresses a message may link to. The check is made by the parser browsers use (WHATWG URL), on the whole address,
// so no trick with blanks, control characters or case can make a browser see another scheme than we did.
// Called by sanitise.ts, html-text.ts and text-html.ts.

const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const REMOTE_SCHEMES = new Set(['http:', 'https:']);

/** The address as a browser would request it, or undefined where it is relative, broken or of another scheme. */
export function safeLink(address: string): string | undefined {
  const url = URL.parse(address);
  return url && LINK_SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** The same for what a page loads by itself. */
export function remoteAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url && REMOTE_SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** no room has this address: whatever an address adds to it is relative */
const ROOM = 'http://room.invalid/room/';

/**
 * The page of a wiki that a relative address names: `'Soil%20tests#ph'` → `'Soil tests'`. Undefined for an address that
 * is not relative, leaves the room (`../x`, `/x`), asks for something (`?x`) or names nothing.
 */
export function pageName(address: string): string | undefined {
  const url = /^[\0- ]*[/\\]/.test(address) ? null : URL.parse(address, ROOM);
  if (url?.search !== '' || !url.href.startsWith(ROOM)) return undefined;
  try {
    return decodeURIComponent(url.pathname.slice('/room/'.length)) || undefined;
  } catch {
    return undefined; // a "%" that escapes nothing
  }
}

/** Attributes of a link into the world, with `href` already escaped. */
export const linkAttributes = (href: string): string =>
  ` href="${href}" rel="noopener noreferrer nofollow" target="_blank"`;
