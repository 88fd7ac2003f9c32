// Prevents other sites, and messages on our pages, from using a visitor's session cookie or the browser's Basic
// credentials (cross-site request forgery). Fetch Metadata (Sec-Fetch-*), RFC 6454 section 7 (Origin).

import type { Exchange } from '../http/exchange.ts';

export interface OriginHeaders {
  origin?: string | undefined;
  secFetchSite?: string | undefined;
  secFetchMode?: string | undefined;
  secFetchDest?: string | undefined;
  referer?: string | undefined;
  /** `host:port` that the browser asked for (Exchange.authority) */
  host?: string | undefined;
  /** the client speaks TLS, so our own pages do, too */
  isSecure?: boolean;
  accept?: string | undefined;
  userAgent?: string | undefined;
  requestedWith?: string | undefined;
  /** the operator has named its origin */
  isNamed?: boolean | undefined;
}

/** Header fields about the page that sends a request. `named`: other origins whose pages count as ours. */
export function originHeaders(exchange: Exchange, named: ReadonlySet<string>): OriginHeaders {
  const origin = exchange.header('origin');
  return {
    origin,
    isNamed: origin !== undefined && named.has(origin),
    secFetchSite: exchange.header('sec-fetch-site'),
    secFetchMode: exchange.header('sec-fetch-mode'),
    secFetchDest: exchange.header('sec-fetch-dest'),
    referer: exchange.header('referer'),
    host: exchange.authority,
    isSecure: exchange.secure,
    accept: exchange.header('accept'),
    userAgent: exchange.header('user-agent'),
    requestedWith: exchange.header('x-requested-with'),
  };
}

/**
 * Whether a request comes from another site that was not named. Without these header fields (curl, old clients) it
 * counts as ours.
 */
export function refuseForeignOrigin(headers: OriginHeaders): boolean {
  // our pages show pictures named by messages, whose sender may have named an address of ours
  if (headers.secFetchDest === 'image') return true;
  if (headers.isNamed) return false;
  if (headers.secFetchSite !== undefined) {
    // 'none' is the user's own action: address bar, bookmark. A sibling domain ('same-site') may belong to somebody
    // else.
    return headers.secFetchSite !== 'same-origin' && headers.secFetchSite !== 'none';
  }
  // browsers too old for Origin in forms still send Referer
  const from = headers.origin ?? headers.referer;
  return from !== undefined && !isOwnAddress(from, headers);
}

/**
 * For a GET that changes something: true for programs and fetches of our own pages, false for links, pictures, forms
 * and the address bar. Browsers tell by Fetch Metadata, but only over TLS and to localhost. Elsewhere a fetch of our
 * page has its Referer, which no message and no other site can send, or a header field that scripts of other sites may
 * not set. A request with none of these that does not look like a browser is curl or the like.
 */
export function isOwnFetch(headers: OriginHeaders): boolean {
  if (refuseForeignOrigin(headers)) return false;
  const { secFetchSite, secFetchMode = 'cors', secFetchDest = 'empty', referer, requestedWith } = headers;
  // only a fetch to another origin sends Origin with a GET
  if (headers.isNamed) return secFetchMode === 'cors' && secFetchDest === 'empty';
  if (secFetchSite !== undefined) {
    return secFetchSite === 'same-origin' && /^(?:cors|same-origin)$/.test(secFetchMode) && secFetchDest === 'empty';
  }
  if (requestedWith !== undefined) return true;
  if (/text\/html|image\//i.test(headers.accept ?? '')) return false;
  if (referer !== undefined) return isOwnAddress(referer, headers);
  return !isBrowser(headers.userAgent);
}

/** By its User-Agent. */
export function isBrowser(userAgent = ''): boolean {
  return /^(?:Mozilla|Opera)\//i.test(userAgent);
}

/** Whether a link or form of our page leads here in the window. Links in messages send no Referer. */
export function isOwnNavigation(headers: OriginHeaders): boolean {
  if (refuseForeignOrigin(headers)) return false;
  const { secFetchSite = 'same-origin', secFetchDest = 'document', referer, accept = '' } = headers;
  if (secFetchSite !== 'same-origin' || secFetchDest !== 'document' || !/text\/html/i.test(accept)) return false;
  return referer !== undefined && isOwnAddress(referer, headers);
}

/**
 * Whether an Origin or Referer is ours. If the client uses TLS, a page of the same host without TLS is not ours but an
 * attacker's in between; otherwise schemes are not compared, since a proxy may end TLS silently.
 */
function isOwnAddress(address: string, { host, isSecure = false }: OriginHeaders): boolean {
  const url = URL.parse(address); // 'null', sent by sandboxed and opaque documents, is no URL
  if (!url || !(isSecure ? /^https:$/ : /^https?:$/).test(url.protocol)) return false;
  // parsing with the address's scheme drops its default port
  return URL.parse(`${url.protocol}//${host}`)?.host === url.host;
}
