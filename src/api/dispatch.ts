// From a request to its handler: 404, 405, and the challenge of a 401 (WWW-Authenticate, RFC 7617).

import { AppError } from '../errors.ts';
import type { App, Handler } from '../gateway/app.ts';
import { clearSessionCookie, SESSION_COOKIE } from '../gateway/caller.ts';
import { davHeaders, davOptions } from '../gateway/dav-options.ts';
import { memberAt, namesOnly, notHere } from '../gateway/folder/deep-path.ts';
import type { RoomServers } from '../gateway/new-app.ts';
import { admitOrigin, isPreflight, preflightHeaders } from '../http/cross-origin.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/respond.ts';
import type { Router } from '../http/router.ts';
import { BULK_TURN_BYTES } from '../limits/protocol.ts';
import type { RequestsUnderWay } from '../system/stalls.ts';
import { requestTurns } from '../system/turn-queue.ts';

/** Returns the handler of all requests. `underWay` holds the unfinished ones. */
export function dispatcher(router: Router<Handler>, servers: RoomServers, underWay: RequestsUnderWay) {
  const known = router.routes().map(({ method }) => method);
  const methods = [...new Set([...known, 'HEAD', 'OPTIONS'])].filter((method) => method !== '*').sort();
  const answer = async (exchange: Exchange, app: App): Promise<void> => {
    const isNamed = admitOrigin(exchange, app.allowedOrigins);
    // first of all, since it is about the request that follows
    if (isNamed && isPreflight(exchange)) return sendEmpty(exchange, 204, preflightHeaders(methods));
    return route(router, app, exchange);
  };
  const answerOrFail = async (exchange: Exchange, app: App): Promise<void> => {
    try {
      await answer(exchange, app);
    } catch (error) {
      if (error instanceof AppError) await addHeadersFor(error, router, app, exchange);
      throw error;
    }
  };
  return async (exchange: Exchange): Promise<void> => {
    underWay.begin(exchange);
    try {
      await servers.serve(exchange, answerOrFail);
    } finally {
      underWay.end(exchange);
      if (isShort(exchange)) requestTurns.noteShort();
    }
  };
}

/** Bulk transfers are throttled for short requests, not for each other. */
function isShort({ receivedBytes, sentBytes }: Exchange): boolean {
  return receivedBytes <= BULK_TURN_BYTES && sentBytes < BULK_TURN_BYTES;
}

function route(router: Router<Handler>, app: App, exchange: Exchange): Promise<void> {
  if (exchange.method === 'OPTIONS' && exchange.rawPath === '*') return sendEmpty(exchange, 200, davHeaders());
  const match = router.match(exchange.method, exchange.rawPath);
  if (match.kind === 'none') throw new AppError('not_found', 'There is nothing at this address.');
  if (match.kind === 'method') {
    if (exchange.method !== 'OPTIONS') return answerAsMember(router, app, exchange, match.allow);
    return answerOptions(router, app, exchange, match.allow);
  }
  exchange.params = match.params;
  exchange.route = match.pattern;
  refuseUnreadable(exchange);
  refuseAsCode(exchange, app.prefix);
  return match.value(exchange, app);
}

/** A member may have the name of a room resource, which takes fewer methods. */
function answerAsMember(
  router: Router<Handler>,
  app: App,
  exchange: Exchange,
  allow: readonly string[],
): Promise<void> {
  const own = router.match(allow[0]!, exchange.rawPath);
  const member = own.kind === 'found' ? memberAt(own.pattern, exchange.rawPath, app.prefix) : undefined;
  const match = member && router.match(exchange.method, member.path);
  if (match?.kind !== 'found') return notHere();
  exchange.params = { ...match.params, name: member!.name };
  exchange.route = match.pattern;
  return namesOnly(match.value, notHere)(exchange, app);
}

/** Without a log-in, since many clients probe first. */
async function answerOptions(router: Router<Handler>, app: App, exchange: Exchange, allow: readonly string[]) {
  const { methods, headers } = await options(router, app, exchange, allow);
  return sendEmpty(exchange, 200, { Allow: listed(methods), ...headers });
}

/** RFC 9110 section 9.3.7, RFC 4918 section 10.1. `methods`: those with a handler for the path. */
async function options(router: Router<Handler>, app: App, exchange: Exchange, methods: readonly string[]) {
  const at = router.match('PROPFIND', exchange.rawPath);
  if (at.kind !== 'found') return { methods, headers: {} };
  exchange.params = at.params;
  return davOptions(exchange, app, methods);
}

/** Throws bad_request, even if the handler would not read the query. */
function refuseUnreadable(exchange: Exchange): void {
  if (exchange.rawQuery !== '') exchange.query.has('');
  // RFC 9110 section 14.5: the part would replace the whole
  if (exchange.method === 'PUT' && exchange.header('content-range') !== undefined) {
    throw new AppError('bad_request', 'PUT does not accept Content-Range. Send the whole content.');
  }
}

/** destinations whose content a browser runs or applies (Fetch Metadata, Sec-Fetch-Dest) */
const CODE = new Set([
  'script',
  'style',
  'worker',
  'sharedworker',
  'serviceworker',
  'audioworklet',
  'paintworklet',
  'xslt',
]);
/** below the prefix: content of the program and its operator */
const CODE_ROUTES = ['s/*path', 'src/*path', 'a/worker.js'];

/**
 * Throws forbidden: posted content must not run as a script or style sheet, which the policy of our pages would allow.
 */
function refuseAsCode(exchange: Exchange, prefix: string): void {
  if (!CODE.has(exchange.header('sec-fetch-dest') ?? '')) return;
  if (CODE_ROUTES.some((path) => exchange.route === prefix + path)) return;
  throw new AppError('forbidden', 'Scripts and style sheets are only served from static files.');
}

async function addHeadersFor({ code }: AppError, router: Router<Handler>, app: App, exchange: Exchange): Promise<void> {
  if (code === 'method_not_allowed') {
    const match = router.match('OPTIONS', exchange.rawPath);
    if (match.kind === 'method') {
      const { methods } = await options(router, app, exchange, match.allow);
      // a handler may refuse a method of its path: MKCOL of an existing room
      exchange.addHeader('Allow', listed(methods.filter((method) => method !== exchange.method)));
    }
  }
  if (code === 'not_logged_in') {
    addChallenge(exchange);
    if (exchange.header('authorization') === undefined && isCookieDead(app, exchange))
      clearSessionCookie(exchange, app);
  }
}

/** After a 401: revoked, or the password was changed; but not if the browser has got a new cookie meanwhile. */
function isCookieDead(app: App, exchange: Exchange): boolean {
  const cookie = exchange.cookies.get(SESSION_COOKIE);
  if (cookie === undefined) return false;
  const session = app.sealer.open(cookie);
  return !session || !app.replacedSessions.get(session.id);
}

/** An Allow header: OPTIONS is answered everywhere. */
function listed(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].sort().join(', ');
}

const CHALLENGE = 'Basic realm="Vestibule", charset="UTF-8"';

/** Adds WWW-Authenticate, except for what a page fetches or shows: the browser would block the page with its window. */
export function addChallenge(exchange: Exchange): void {
  const mode = exchange.header('sec-fetch-mode') ?? 'navigate';
  const isOpened = mode === 'navigate' && (exchange.header('sec-fetch-dest') ?? 'document') === 'document';
  // browsers omit both without TLS; pictures and an EventSource cannot send X-Requested-With
  const isOfPage =
    exchange.header('x-requested-with') !== undefined ||
    /^(?:image\/|text\/event-stream$)/.test(exchange.header('accept') ?? '');
  if (isOpened && !isOfPage) exchange.addHeader('WWW-Authenticate', CHALLENGE);
}
