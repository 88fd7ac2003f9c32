// Where a mailing list says that one can leave it: the header field List-Unsubscribe (RFC 2369, RFC 8058). Pure.

import { MAX_UNSUBSCRIBE_ADDRESSES, MAX_UNSUBSCRIBE_CHARACTERS } from '../limits/mime.ts';

const BRACKETED = /<([^<>]*)>/g;
const USABLE = /^(?:mailto|https?):[^\s]/i;

/**
 * Those of its addresses that a reader can use (mailto, https, http), in the order that the sender prefers: RFC 2369
 * asks for that. Blanks in them come from folding and do not count. undefined for none.
 */
export function unsubscribeAddresses(value: string | undefined): string[] | undefined {
  const found: string[] = [];
  for (const [, inner] of (value ?? '').matchAll(BRACKETED)) {
    const address = inner!.replaceAll(/\s/g, '');
    if (address.length > MAX_UNSUBSCRIBE_CHARACTERS || !USABLE.test(address)) continue;
    found.push(address);
    if (found.length === MAX_UNSUBSCRIBE_ADDRESSES) break;
  }
  return found.length > 0 ? found : undefined;
}
