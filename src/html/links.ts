// Which addresses a message may link to. The check is made by the parser browsers use (WHATWG URL), on the whole
// address, so no trick with blanks, control characters or case can make a browser see another scheme than we did.

import { MAX_HOST_CHARACTERS, MAX_LABEL_CHARACTERS } from '../limits/mime.ts';

const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const REMOTE_SCHEMES = new Set(['http:', 'https:']);

/** where the URL parser looks for a host in http and https addresses, tabs and line ends taken out */
const AUTHORITY = /^[\0- ]*https?:[/\\]*([^/\\?#]*)/i;
const DOT = /[.\u3002\uff0e\uff61]/;

/** A host that no server can have. */
function hasLongHost(address: string): boolean {
  if (address.length <= MAX_LABEL_CHARACTERS) return false;
  const authority = AUTHORITY.exec(address.replace(/[\t\n\r]+/g, ''))?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.length > MAX_HOST_CHARACTERS || host.split(DOT).some((label) => label.length > MAX_LABEL_CHARACTERS);
}

function parse(address: string, base?: string): URL | null {
  // what has no scheme is nothing without a base
  const isHopeless = base === undefined && !address.includes(':');
  return isHopeless || hasLongHost(address) ? null : URL.parse(address, base);
}

/** The address as a browser would request it, or undefined where it is relative, broken or of another scheme. */
export function safeLink(address: string): string | undefined {
  const url = parse(address);
  return url && LINK_SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** The same for what a page loads by itself. */
export function remoteAddress(address: string): string | undefined {
  const url = parse(address);
  return url && REMOTE_SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** no room has this address: whatever an address adds to it is relative */
const ROOM = 'http://room.invalid/room/';

/**
 * The page of a wiki that a relative address names: `'Soil%20tests#ph'` → `'Soil tests'`. Undefined for an address that
 * is not relative, leaves the room (`../x`, `/x`), asks for something (`?x`) or names nothing.
 */
export function pageName(address: string): string | undefined {
  const url = /^[\0- ]*[/\\]/.test(address) ? null : parse(address, ROOM);
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
