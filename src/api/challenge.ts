// The challenge of a 401 (WWW-Authenticate, RFC 7617), but not for what a page fetches or shows: there the browser
// would open its log-in window, and let nothing be done in the page until that is answered.

import type { Exchange } from '../http/exchange.ts';

const CHALLENGE = 'Basic realm="Vestibule", charset="UTF-8"';

/** Adds WWW-Authenticate to the answer. */
export function addChallenge(exchange: Exchange): void {
  const mode = exchange.header('sec-fetch-mode') ?? 'navigate';
  const isOpened = mode === 'navigate' && (exchange.header('sec-fetch-dest') ?? 'document') === 'document';
  // without TLS browsers do not say so; pictures and an EventSource cannot either
  const isOfPage =
    exchange.header('x-requested-with') !== undefined ||
    /^(?:image\/|text\/event-stream$)/.test(exchange.header('accept') ?? '');
  if (isOpened && !isOfPage) exchange.addHeader('WWW-Authenticate', CHALLENGE);
}
