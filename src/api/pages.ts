// Static content: the landing page, a site's own files before the built-in ones; and c/info, which the manifest uses.

import type { App } from '../gateway/app.ts';
import { callerOf } from '../gateway/caller.ts';
import type { AnswerHeaders } from '../http/answer-head.ts';
import type { Exchange } from '../http/exchange.ts';
import { mediaTypeOf } from '../http/media-types.ts';
import { asJson, send, sendEmpty } from '../http/respond.ts';
import { BUNDLE_FOLDER, type StaticSource, serveStatic } from '../http/static.ts';
import { toInt } from '../protocol/fields.ts';
import type { Identity } from '../room-server/connection/identity.ts';
import type { Pool } from '../room-server/connection/pool.ts';
import { readServerInfo } from '../room-server/driver.ts';

/** the frame in which the web client shows a message with pictures */
const PICTURES_FRAME = 'pictures-frame.html';
/** Pictures, and nothing else, may come from anywhere; no server learns which page loads them. */
const PICTURES: AnswerHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data: blob: http: https:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'self'",
  'Referrer-Policy': 'no-referrer',
};

const PAGE = 'landing.html';
const WORKER = 'worker.js';
/** It may fetch our own addresses, and run nothing else. */
const WORKER_HEADERS: AnswerHeaders = {
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
};
/** the name if the room server does not tell its own */
const PRODUCT = 'Vestibule';

/** GET / */
export function redirectToLanding(exchange: Exchange, app: App): Promise<void> {
  return sendEmpty(exchange, 302, { Location: app.landing });
}

/** GET a/landing.html, the web client: bundled if the program has a bundle and the site replaces no files. */
export async function getLandingPage(exchange: Exchange, app: App): Promise<void> {
  return serve(exchange, app, app.statics, await clientFile(app, PAGE));
}

/** GET a/worker.js, its service worker, beside the page because its scope is its folder. */
export async function getWorker(exchange: Exchange, app: App): Promise<void> {
  return serve(exchange, app, app.statics, await clientFile(app, WORKER), WORKER_HEADERS);
}

async function clientFile({ statics }: App, name: string): Promise<string> {
  const [own, ...others] = statics;
  const isBundled = others.length === 0 && (await own?.find(BUNDLE_FOLDER + name)) !== undefined;
  return isBundled ? BUNDLE_FOLDER + name : name;
}

/** GET a/manifest.webmanifest → the client as an application of its own (W3C Web Application Manifest) */
export async function getManifest(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await callerOf(exchange, app);
  const name = (await serverInfo(app.pool, identity)).serv_humannode || PRODUCT;
  const icon = (src: string, sizes: string, purpose = 'any') => ({
    src: `../s/${src}`,
    sizes,
    type: mediaTypeOf(src).split(';', 1)[0],
    purpose,
  });
  const manifest = {
    id: `${app.prefix}a/`,
    name,
    short_name: name,
    start_url: PAGE,
    scope: './',
    display: 'standalone',
    background_color: '#efede7',
    theme_color: '#efede7',
    icons: [
      icon('favicon.svg', 'any'),
      icon('mark-192.png', '192x192'),
      icon('mark-512.png', '512x512'),
      icon('mark-512.png', '512x512', 'maskable'),
    ],
  };
  const headers = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' };
  await send(exchange, 200, { type: mediaTypeOf('.webmanifest'), body: JSON.stringify(manifest) }, headers);
}

/** The answer of GET a/logout to a link that may be foreign: a page with a button. */
export function sendLogOutPage(exchange: Exchange, app: App): Promise<void> {
  return serveStatic(exchange, app.statics, 'log-out.html', { 'Cache-Control': 'no-store' });
}

/** GET s/*path */
export function getStatic(exchange: Exchange, app: App): Promise<void> {
  const path = exchange.params.path!;
  return serve(exchange, app, app.statics, path, path === PICTURES_FRAME ? PICTURES : undefined);
}

/** GET src/*path, the modules of the server's own source that the web client imports */
export function getSource(exchange: Exchange, app: App): Promise<void> {
  return serve(exchange, app, [app.sharedModules], exchange.params.path!);
}

/** GET /.well-known/*path (RFC 8615) */
export function getWellKnown(exchange: Exchange, app: App): Promise<void> {
  return serve(exchange, app, app.statics, `.well-known/${exchange.params.path!}`);
}

/** Where calendar and contact clients start (RFC 6764 section 5), for any method, without a log-in. */
export function redirectToDav(exchange: Exchange, app: App): Promise<void> {
  return sendEmpty(exchange, 301, { 'Cache-Control': 'no-cache', Location: app.prefix });
}

/** Public, but wrong credentials are refused. */
async function serve(
  exchange: Exchange,
  app: App,
  sources: readonly StaticSource[],
  path: string,
  headers?: AnswerHeaders,
): Promise<void> {
  if (exchange.header('authorization') !== undefined) await callerOf(exchange, app);
  return serveStatic(exchange, sources, path, headers);
}

/** GET c/info */
export async function getServerInfo(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await callerOf(exchange, app);
  await send(exchange, 200, asJson(await serverInfo(app.pool, identity)));
}

/** What c/info says. */
export async function serverInfo(pool: Pool, identity: Identity) {
  const line = await readServerInfo(pool, identity);
  const text = (position: number) => (line(position) === '(null)' ? '' : line(position)); // quirk Q34
  const int = (position: number) => toInt(line(position));
  const is = (position: number) => int(position) !== 0;
  return {
    serv_pid: int(0),
    serv_nodename: text(1),
    serv_humannode: text(2),
    serv_fqdn: text(3),
    serv_software: text(4),
    serv_rev_level: int(5),
    serv_bbs_city: text(6),
    serv_sysadm: text(7),
    serv_supports_ldap: is(14),
    serv_newuser_disabled: is(15),
    serv_default_cal_zone: text(16),
    serv_supports_sieve: is(20),
    serv_fulltext_enabled: is(21),
    serv_svn_revision: text(22),
    serv_supports_openid: is(23),
    serv_supports_guest: is(24),
    serv_supports_app_passwords: text(25).split('|').includes('APPW'),
  };
}
