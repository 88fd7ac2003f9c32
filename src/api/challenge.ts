// The challenge of a 401 (WWW-Authenticate, RFC 7617), but not for a page's own fetches, where the browser would open
// its log-in window.

import type { Exchange } from '../http/exchange.ts';

const CHALLENGE = 'Basic realm="Vestibule", charset="UTF-8"';

/** Adds WWW-Authenticate to the answer. */
export function addChallenge(exchange: Exchange): void {
  const mode = exchange.header('sec-fetch-mode');
  const isPageFetch = mode === 'cors' || mode === 'same-origin' || exchange.header('x-requested-with') !== undefined;
  // an EventSource cannot say who asks
  const isEventStream = exchange.header('accept') === 'text/event-stream';
  if (!isPageFetch && !isEventStream) exchange.addHeader('WWW-Authenticate', CHALLENGE);
}
