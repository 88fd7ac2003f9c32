// What an app password is good for (model.ts): the one place where its scope is compared with a request. That none of
// them reaches the account itself (its password, further app passwords, the administration of the server) is for the
// room server to refuse: there it holds for the line protocol, too.

import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { AppPasswordScope } from '../model.ts';
import type { App } from './app.ts';

/** what the tables of routes say */
type Addresses = Pick<App, 'prefix' | 'davRoutes'>;

/** Methods that change nothing (RFC 9110 section 9.2.1, RFC 4918 section 9.1, RFC 3253 section 3.6). */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT']);
/** the JSON interface's own, at addresses that it shares with WebDAV */
const NOT_DAV: ReadonlySet<string> = new Set(['PATCH', 'POST']);

/** Throws forbidden unless the log-in, of this scope, is good for the request. undefined: by the account's password. */
export function requireScope(exchange: Exchange, app: Addresses, scope: AppPasswordScope | undefined): void {
  if (scope === undefined || isWithin(exchange, app, scope)) return;
  throw new AppError('forbidden', 'This app password is not good for that.');
}

function isWithin(exchange: Exchange, app: Addresses, scope: AppPasswordScope): boolean {
  switch (scope) {
    case 'all':
      return true;
    case 'read':
      return isSafe(exchange);
    case 'dav':
      return isDav(exchange, app);
    case 'feed':
      return isSafe(exchange) && isFeed(exchange, app);
  }
}

/** The request changes nothing. */
export function isSafe({ method, isChanging }: Exchange): boolean {
  return SAFE_METHODS.has(method) && !isChanging;
}

/** At an address that WebDAV knows, by a method of its. POST is one at the outbox alone (RFC 6638 section 5). */
function isDav({ method, route, isChanging }: Exchange, { davRoutes }: Addresses): boolean {
  if (method === 'OPTIONS') return true; // it is answered from the tables, whatever is found out here
  if (!davRoutes.has(route) || isChanging) return false;
  return !NOT_DAV.has(method) || (method === 'POST' && /\/outbox\/?$/.test(route));
}

/** GET r/:room/feed */
export function isFeed({ route }: Exchange, { prefix }: Addresses): boolean {
  return route === `${prefix}r/:room/feed`;
}
