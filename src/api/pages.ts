// Static content: the landing page, a site's own files and the built-in ones behind them.

import type { App } from '../gateway/app.ts';
import type { Exchange } from '../http/exchange.ts';
import { redirect, type Sent } from '../http/respond.ts';
import { serveStatic } from '../http/static.ts';

/** GET / */
export function redirectToLanding(x: Exchange, app: App): Sent {
  return redirect(x, 302, app.landing);
}

/** GET a/landing.html, the web client */
export function getLandingPage(x: Exchange, app: App): Promise<void> {
  return serveStatic(x, app.statics, 'landing.html');
}

/** GET s/*path */
export function getStatic(x: Exchange, app: App): Promise<void> {
  return serveStatic(x, app.statics, x.params.path!);
}

/** GET /.well-known/*path (RFC 8615) */
export function getWellKnown(x: Exchange, app: App): Promise<void> {
  return serveStatic(x, app.statics, `.well-known/${x.params.path!}`);
}
