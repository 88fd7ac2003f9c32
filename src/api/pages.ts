// Static content: the landing page, a site's own files and the built-in ones behind them.

import type { App } from '../gateway/app.ts';
import { callerOf } from '../gateway/caller.ts';
import type { Sent } from '../http/answer-body.ts';
import type { AnswerHeaders } from '../http/answer-head.ts';
import type { Exchange } from '../http/exchange.ts';
import { redirect } from '../http/respond.ts';
import { BUNDLE_FOLDER, serveStatic } from '../http/static.ts';

/** the frame in which the web client shows a message with its pictures */
const PICTURES_FRAME = 'pictures-frame.html';
/** Pictures may come from anywhere, and nothing else; no server learns which page asked for them. */
const PICTURES: AnswerHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data: http: https:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'self'",
  'Referrer-Policy': 'no-referrer',
};

const BUNDLED_PAGE = `${BUNDLE_FOLDER}landing.html`;

/** GET / */
export function redirectToLanding(exchange: Exchange, app: App): Sent {
  return redirect(exchange, 302, app.landing);
}

/**
 * GET a/landing.html, the web client: bundled where the program carries the bundle, unless a site has files of its own,
 * which may take the place of single modules.
 */
export async function getLandingPage(exchange: Exchange, app: App): Promise<void> {
  const [own, ...others] = app.statics;
  const isBundled = others.length === 0 && (await own?.find(BUNDLED_PAGE)) !== undefined;
  return serve(exchange, app, isBundled ? BUNDLED_PAGE : 'landing.html');
}

/** What GET a/logout answers to a link that may be foreign: a page with a button. */
export function sendLogOutPage(exchange: Exchange, app: App): Promise<void> {
  return serveStatic(exchange, app.statics, 'log-out.html', { 'Cache-Control': 'no-store' });
}

/** GET s/*path */
export function getStatic(exchange: Exchange, app: App): Promise<void> {
  const path = exchange.params.path!;
  return serve(exchange, app, path, path === PICTURES_FRAME ? PICTURES : undefined);
}

/** GET /.well-known/*path (RFC 8615) */
export function getWellKnown(exchange: Exchange, app: App): Promise<void> {
  return serve(exchange, app, `.well-known/${exchange.params.path!}`);
}

/** Where calendar and contact clients begin to look (RFC 6764 section 5), whatever the method, without a log-in. */
export function redirectToDav(exchange: Exchange, app: App): Sent {
  return redirect(exchange, 301, app.prefix, { 'Cache-Control': 'no-cache' });
}

/** For everybody, without a log-in; but wrong credentials are refused. */
async function serve(exchange: Exchange, app: App, path: string, headers?: AnswerHeaders): Promise<void> {
  if (exchange.header('authorization') !== undefined) await callerOf(exchange, app);
  return serveStatic(exchange, app.statics, path, headers);
}
