// From a request to its handler: 404, 405, and the invitation to log in that goes with a 401.

import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { type LogError, sendProblem } from '../http/problem.ts';
import type { Router } from '../http/router.ts';
import type { App, Handler } from './app.ts';
import { addChallenge } from './challenge.ts';

/** What listener.ts calls for every request. */
export function dispatcher(router: Router<Handler>, app: App, logError: LogError) {
  return async (x: Exchange): Promise<void> => {
    try {
      const match = router.match(x.method, x.rawPath);
      if (match.kind === 'found') {
        x.params = match.params;
        await match.value(x, app);
        return;
      }
      if (match.kind === 'none') throw new AppError('not_found', 'There is nothing at this address.');
      const headers = { Allow: match.allow.join(', ') };
      await sendProblem(x, new AppError('method_not_allowed', 'This cannot be done here.'), logError, headers);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_logged_in') addChallenge(x);
      throw error;
    }
  };
}
