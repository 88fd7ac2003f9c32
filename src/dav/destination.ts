// Where a MOVE or COPY leads (RFC 4918 section 10.3).

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { realName } from '../gateway/paths.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseRoomHref } from './href.ts';

export interface Destination {
  room: string;
  /** what the client wants it to be called there; empty where it names the room only. With the folders of a path */
  name: string;
  /** the name has folders before it, or the slash of one behind it */
  isDeep: boolean;
}

/**
 * `Destination: http://host/svc/r/Other/12` or `/svc/r/Other/`. Throws bad_request for none or an unreadable one,
 * wrong_destination for another host.
 */
export function parseDestination(exchange: Exchange, app: App): Destination {
  const text = exchange.header('destination')?.trim();
  if (!text) throw new AppError('bad_request', 'A Destination header is needed.');
  const { room, names } = parseRoomHref(exchange, app, text);
  return { room: realName(room), name: names.join('/'), isDeep: names.length > 1 };
}

/** RFC 4918 section 10.6: everything but F is T. */
export function mayOverwrite(exchange: Exchange): boolean {
  return exchange.header('overwrite')?.trim().toUpperCase() !== 'F';
}
