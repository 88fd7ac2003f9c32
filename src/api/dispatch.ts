// From a request to its handler: 404, 405, and the invitation to log in that goes with a 401.

import { AppError } from '../errors.ts';
import type { App, Handler } from '../gateway/app.ts';
import { clearSessionCookie, SESSION_COOKIE } from '../gateway/caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { type LogError, sendProblem } from '../http/problem.ts';
import { type Headers, sendEmpty } from '../http/respond.ts';
import type { Router } from '../http/router.ts';
import { addChallenge } from './challenge.ts';

const DAV_CLASSES = { DAV: '1', 'MS-Author-Via': 'DAV' };

/** RFC 9110 section 9.3.7, RFC 4918 section 10.1. Told without a log-in: many clients probe before they send one. */
function optionsHeaders(allow: readonly string[]): Headers {
  return { Allow: [...allow, 'OPTIONS'].sort().join(', '), ...(allow.includes('PROPFIND') && DAV_CLASSES) };
}

/** What listener.ts calls for every request. */
export function dispatcher(router: Router<Handler>, app: App, logError: LogError) {
  return async (x: Exchange): Promise<void> => {
    try {
      if (x.method === 'OPTIONS' && x.rawPath === '*') return await sendEmpty(x, 200, DAV_CLASSES);
      const match = router.match(x.method, x.rawPath);
      if (match.kind === 'found') {
        x.params = match.params;
        await match.value(x, app);
        return;
      }
      if (match.kind === 'none') throw new AppError('not_found', 'There is nothing at this address.');
      if (x.method === 'OPTIONS') return await sendEmpty(x, 200, optionsHeaders(match.allow));
      const headers = { Allow: match.allow.join(', ') };
      await sendProblem(x, new AppError('method_not_allowed', 'This cannot be done here.'), logError, headers);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_logged_in') {
        addChallenge(x);
        // of no use any more: revoked, or its password was changed
        if (x.header('authorization') === undefined && x.cookies.has(SESSION_COOKIE)) clearSessionCookie(x, app);
      }
      throw error;
    }
  };
}
