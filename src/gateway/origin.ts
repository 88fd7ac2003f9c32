// Keeps other sites, and the messages that our own pages show, from using a visitor's session cookie, or the Basic
// credentials that the browser has kept (cross-site request forgery). Called by caller.ts for requests that change
// something. Fetch Metadata (Sec-Fetch-Site, Sec-Fetch-Dest), RFC 6454 section 7 (Origin).

export interface OriginHeaders {
  origin?: string | undefined;
  secFetchSite?: string | undefined;
  secFetchDest?: string | undefined;
  host?: string | undefined;
  /** X-Forwarded-Host, only where a trusted proxy sets it; stands for Host */
  forwardedHost?: string | undefined;
}

/** True when the request comes from another site. Without both headers (curl, old clients) it is taken as our own. */
export function refuseForeignOrigin(headers: OriginHeaders): boolean {
  // a page of ours shows pictures that a message names, and its sender may have named an address of ours
  if (headers.secFetchDest === 'image') return true;
  if (headers.secFetchSite !== undefined) {
    // 'none' is the user's own doing: address bar, bookmark. A sibling domain ('same-site') may be somebody else's.
    return headers.secFetchSite !== 'same-origin' && headers.secFetchSite !== 'none';
  }
  if (headers.origin === undefined) return false;
  const origin = URL.parse(headers.origin); // 'null', sent by sandboxed and opaque documents, is no URL
  if (!origin || !/^https?:$/.test(origin.protocol)) return true;
  const host = headers.forwardedHost?.split(',')[0]?.trim() ?? headers.host;
  // The scheme is not ours to compare, a proxy may end TLS; parsing with the origin's drops its default port.
  return URL.parse(`${origin.protocol}//${host}`)?.host !== origin.host;
}
