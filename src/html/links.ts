// Which URLs a message may contain. Uses the URL parser of browsers (WHATWG) on the whole address, so that no trick
// with blanks, control characters or case makes a browser see a different scheme.

import { MAX_HOST_CHARACTERS, MAX_LABEL_CHARACTERS } from '../limits/mime.ts';

const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:', 'webcal:']);
const REMOTE_SCHEMES = new Set(['http:', 'https:']);

/** the host part as the URL parser finds it, tabs and line ends removed */
const AUTHORITY = /^[\0- ]*https?:[/\\]*([^/\\?#]*)/i;
/** `//host`: mail has no scheme that it could take over */
const WITHOUT_SCHEME = /^[\0- ]*(?=[/\\][\t\n\r]*[/\\])/;
const DOT = /[.\u3002\uff0e\uff61]/;

/** Exceeds the limits of DNS names. */
function hasLongHost(address: string): boolean {
  if (address.length <= MAX_LABEL_CHARACTERS) return false;
  const authority = AUTHORITY.exec(address.replace(/[\t\n\r]+/g, ''))?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.length > MAX_HOST_CHARACTERS || host.split(DOT).some((label) => label.length > MAX_LABEL_CHARACTERS);
}

function parse(address: string, base?: string): URL | null {
  // without scheme and base it cannot be a URL
  const isHopeless = base === undefined && !address.includes(':');
  return isHopeless || hasLongHost(address) ? null : URL.parse(address, base);
}

/** One of these schemes, as a browser would request it. */
function safeAddress(address: string, schemes: ReadonlySet<string>, base?: string): string | undefined {
  const url = parse(address.replace(WITHOUT_SCHEME, 'https:'), base);
  return url && schemes.has(url.protocol) ? url.href : undefined;
}

/**
 * The URL as a browser would request it; undefined if it is relative without a `base`, invalid or has another scheme.
 */
export const safeLink = (address: string, base?: string): string | undefined =>
  safeAddress(address, LINK_SCHEMES, base);

/** The same for what a page loads by itself. */
export const remoteAddress = (address: string, base?: string): string | undefined =>
  safeAddress(address, REMOTE_SCHEMES, base);

/** a base that no room has: to recognize relative addresses */
const ROOM = 'http://room.invalid/room/';

/**
 * The wiki page that a relative address names: `'Soil%20tests#ph'` → `'Soil tests'`. undefined for an address that is
 * absolute, leaves the room (`../x`, `/x`), has a query (`?x`) or is empty.
 */
export function pageName(address: string): string | undefined {
  const url = /^[\0- ]*[/\\]/.test(address) ? null : parse(address, ROOM);
  if (url?.search !== '' || !url.href.startsWith(ROOM)) return undefined;
  try {
    return decodeURIComponent(url.pathname.slice('/room/'.length)) || undefined;
  } catch {
    return undefined; // an invalid "%"
  }
}

/** Attributes of an external link, with `href` already escaped. */
export const linkAttributes = (href: string): string =>
  ` href="${href}" rel="noopener noreferrer nofollow" target="_blank"`;
