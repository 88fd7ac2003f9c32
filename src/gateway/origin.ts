// Keeps other sites, and the messages that our own pages show, from using a visitor's session cookie, or the Basic
// credentials that the browser has kept (cross-site request forgery). Fetch Metadata (Sec-Fetch-*), RFC 6454 section 7
// (Origin).

import type { Exchange } from '../http/exchange.ts';

export interface OriginHeaders {
  origin?: string | undefined;
  secFetchSite?: string | undefined;
  secFetchMode?: string | undefined;
  secFetchDest?: string | undefined;
  referer?: string | undefined;
  /** `host:port` that the browser asked for (Exchange.authority) */
  host?: string | undefined;
  /** the client speaks TLS, so that our own pages do, too */
  isSecure?: boolean;
  accept?: string | undefined;
  userAgent?: string | undefined;
  requestedWith?: string | undefined;
  /** its origin is one that the operator has named */
  isNamed?: boolean | undefined;
}

/** What a request says of the page that sends it. `named`: other origins whose pages count as ours. */
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
 * True when the request comes from another site, which was not named. Without these headers (curl, old clients) it is
 * taken as our own.
 */
export function refuseForeignOrigin(headers: OriginHeaders): boolean {
  // a page of ours shows pictures that a message names, and its sender may have named an address of ours
  if (headers.secFetchDest === 'image') return true;
  if (headers.isNamed) return false;
  if (headers.secFetchSite !== undefined) {
    // 'none' is the user's own doing: address bar, bookmark. A sibling domain ('same-site') may be somebody else's.
    return headers.secFetchSite !== 'same-origin' && headers.secFetchSite !== 'none';
  }
  // a browser too old to send one with each form still says where it comes from
  const from = headers.origin ?? headers.referer;
  return from !== undefined && !isOwnAddress(from, headers);
}

/**
 * Of a GET that changes something: true when a program sends it, or a page of ours by fetch, and no link, picture, form
 * or address bar. Browsers say so by Fetch Metadata, but only over TLS and to localhost. Elsewhere their fetch of our
 * own page shows by its Referer, which no message and no other site can send, or by a header field that scripts of
 * other sites may not set. What shows nothing of all this and does not look like a browser either is curl or the like.
 */
export function isOwnFetch(headers: OriginHeaders): boolean {
  if (refuseForeignOrigin(headers)) return false;
  const { secFetchSite, secFetchMode = 'cors', secFetchDest = 'empty', referer, requestedWith } = headers;
  // of the GETs of a page only a fetch to another origin tells its own
  if (headers.isNamed) return secFetchMode === 'cors' && secFetchDest === 'empty';
  if (secFetchSite !== undefined) {
    return secFetchSite === 'same-origin' && /^(?:cors|same-origin)$/.test(secFetchMode) && secFetchDest === 'empty';
  }
  if (requestedWith !== undefined) return true;
  if (/text\/html|image\//i.test(headers.accept ?? '')) return false;
  if (referer !== undefined) return isOwnAddress(referer, headers);
  return !isBrowser(headers.userAgent);
}

/** By what it calls itself (User-Agent). */
export function isBrowser(userAgent = ''): boolean {
  return /^(?:Mozilla|Opera)\//i.test(userAgent);
}

/** True when a link or form of a page of ours leads here in the window. Links in messages send no Referer. */
export function isOwnNavigation(headers: OriginHeaders): boolean {
  if (refuseForeignOrigin(headers)) return false;
  const { secFetchSite = 'same-origin', secFetchDest = 'document', referer, accept = '' } = headers;
  if (secFetchSite !== 'same-origin' || secFetchDest !== 'document' || !/text\/html/i.test(accept)) return false;
  return referer !== undefined && isOwnAddress(referer, headers);
}

/**
 * Of an Origin or Referer. Where a client comes by TLS, a page of the same host without is not ours, but of whoever is
 * in between; else the scheme is not ours to compare: a proxy that does not say so may end TLS.
 */
function isOwnAddress(address: string, { host, isSecure = false }: OriginHeaders): boolean {
  const url = URL.parse(address); // 'null', sent by sandboxed and opaque documents, is no URL
  if (!url || !(isSecure ? /^https:$/ : /^https?:$/).test(url.protocol)) return false;
  // parsing with the address's scheme drops its default port
  return URL.parse(`${url.protocol}//${host}`)?.host === url.host;
}
