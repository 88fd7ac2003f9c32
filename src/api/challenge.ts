// The challenge of a 401 (WWW-Authenticate, RFC 7617), but not for a page's own fetches, where the browser would open
// its log-in window.

import type { Exchange } from '../http/exchange.ts';

const CHALLENGE = 'Basic realm="Vestibule", charset="UTF-8"';

/** Adds WWW-Authenticate to the answer. */
export function addChallenge(x: Exchange): void {
  const mode = x.header('sec-fetch-mode');
  const isPageFetch = mode === 'cors' || mode === 'same-origin' || x.header('x-requested-with') !== undefined;
  if (!isPageFetch) x.addHeader('WWW-Authenticate', CHALLENGE);
}
