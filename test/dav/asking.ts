// Requests and a gateway as far as functions look at them that take apart what a client has written.

import type { App } from '../../src/gateway/app.ts';
import type { Exchange } from '../../src/http/exchange.ts';

export const APP = { prefix: '/svc/' } as Partial<App> as App;

/** With these header fields, by lower case name; `more`: what else is asked of it. */
export function exchangeWith(headers: Readonly<Record<string, string>> = {}, more: Partial<Exchange> = {}): Exchange {
  return { header: (name: string) => headers[name], host: 'host.example', ...more } as Partial<Exchange> as Exchange;
}
