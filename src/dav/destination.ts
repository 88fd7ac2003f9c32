// Where a MOVE or COPY leads (RFC 4918 section 10.3).

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { realName } from '../gateway/paths.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseRoomHref } from './href.ts';

export interface Destination {
  room: string;
  /** what the client wants the message to be called there; empty where it names the room only */
  name: string;
}

/**
 * `Destination: http://host/svc/r/Other/12` or `/svc/r/Other/`. Throws bad_request for none or an unreadable one,
 * wrong_destination for another host, conflict for a folder inside a room.
 */
export function parseDestination(exchange: Exchange, app: App): Destination {
  const text = exchange.header('destination')?.trim();
  if (!text) throw new AppError('bad_request', 'A Destination header is needed.');
  const { room, names } = parseRoomHref(exchange, app, text);
  if (names.length > 1) throw new AppError('conflict', 'A room holds messages, no folders.');
  return { room: realName(room), name: names[0] ?? '' };
}

/** RFC 4918 section 10.6: everything but F is T. */
export function mayOverwrite(exchange: Exchange): boolean {
  return exchange.header('overwrite')?.trim().toUpperCase() !== 'F';
}
