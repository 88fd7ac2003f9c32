// From a request to its handler: 404, 405, and the challenge of a 401.

import { AppError } from '../errors.ts';
import type { App, Handler } from '../gateway/app.ts';
import { clearSessionCookie, SESSION_COOKIE } from '../gateway/caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/respond.ts';
import type { Router } from '../http/router.ts';
import { addChallenge } from './challenge.ts';

const DAV_CLASSES = { DAV: '1', 'MS-Author-Via': 'DAV' };

/** What listener.ts calls for every request. `underWay` holds those that it has not finished. */
export function dispatcher(router: Router<Handler>, app: App, underWay: Set<Exchange>) {
  return async (x: Exchange): Promise<void> => {
    underWay.add(x);
    try {
      await route(router, app, x);
    } catch (error) {
      if (error instanceof AppError) addHeadersFor(error, router, app, x);
      throw error;
    } finally {
      underWay.delete(x);
    }
  };
}

async function route(router: Router<Handler>, app: App, x: Exchange): Promise<void> {
  if (x.method === 'OPTIONS' && x.rawPath === '*') return sendEmpty(x, 200, DAV_CLASSES);
  const match = router.match(x.method, x.rawPath);
  if (match.kind === 'none') throw new AppError('not_found', 'There is nothing at this address.');
  if (match.kind === 'method') {
    if (x.method !== 'OPTIONS') throw new AppError('method_not_allowed', 'This cannot be done here.');
    // RFC 9110 section 9.3.7, RFC 4918 section 10.1. Answered without a log-in: many clients probe before they send
    // one.
    const isDav = match.allow.includes('PROPFIND');
    return sendEmpty(x, 200, { Allow: listed(match.allow), ...(isDav && DAV_CLASSES) });
  }
  x.params = match.params;
  x.route = match.pattern;
  refuseUnreadable(x);
  return match.value(x, app);
}

/** Throws bad_request, whether or not the handler would have looked. */
function refuseUnreadable(x: Exchange): void {
  if (x.rawQuery !== '') x.query.has('');
  // RFC 9110 section 14.5: the part would replace the whole
  if (x.method === 'PUT' && x.header('content-range') !== undefined) {
    throw new AppError('bad_request', 'A part of something cannot be PUT.');
  }
}

function addHeadersFor({ code }: AppError, router: Router<Handler>, app: App, x: Exchange): void {
  if (code === 'method_not_allowed') {
    const match = router.match('OPTIONS', x.rawPath);
    if (match.kind === 'method') {
      // a handler may refuse a method of its path: MKCOL where there is a room already
      x.addHeader('Allow', listed(match.allow.filter((method) => method !== x.method)));
    }
  }
  if (code === 'not_logged_in') {
    addChallenge(x);
    if (x.header('authorization') === undefined && isCookieDead(app, x)) clearSessionCookie(x, app);
  }
}

/** Behind a 401: revoked, or its password was changed. Not where the browser has got another one for it meanwhile. */
function isCookieDead(app: App, x: Exchange): boolean {
  const cookie = x.cookies.get(SESSION_COOKIE);
  if (cookie === undefined) return false;
  const session = app.sealer.open(cookie);
  return !session || !app.replacedSessions.get(session.id);
}

/** An Allow header: OPTIONS is answered everywhere. */
function listed(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].sort().join(', ');
}
