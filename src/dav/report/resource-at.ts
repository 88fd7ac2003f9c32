// The resource that an href names, where a report shows it in place of the href: principals, the home, rooms.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import type { Caller } from '../../gateway/caller.ts';
import { roomPath } from '../../gateway/paths.ts';
import { roomOf } from '../../gateway/request-room.ts';
import type { Exchange } from '../../http/exchange.ts';
import { findHome, findPrincipal, principalsResource, rootResource } from '../discovery.ts';
import { segmentsOf } from '../href.ts';
import type { Need, Resource } from '../resource.ts';
import { openRoom } from '../room-resource.ts';

/** undefined for what is elsewhere, not there, or not for this caller. */
export async function resourceAt(
  exchange: Exchange,
  app: App,
  caller: Caller,
  href: string,
  needs: ReadonlySet<Need>,
): Promise<Resource | undefined> {
  try {
    const [place, name = '', ...rest] = segmentsOf(exchange, app, href);
    if (rest.some((segment) => segment !== '')) return undefined;
    if (place === 'u') return name === '' ? principalsResource(app) : await findPrincipal(app, caller, name, needs);
    if (place === '') return rootResource(app.prefix);
    if (place !== 'r') return undefined;
    if (name === '') return await findHome(app, caller, needs);
    const room = await roomOf(exchange, app, caller, name);
    return await openRoom({ exchange, app, caller, room }, roomPath(app, name), needs);
  } catch (error) {
    if (error instanceof AppError && NOT_HERE.has(error.code)) return undefined;
    throw error;
  }
}

const NOT_HERE: ReadonlySet<string> = new Set(['bad_request', 'forbidden', 'not_found', 'wrong_destination']);
