// Addresses that clients write, in a Destination header (RFC 4918 section 10.3) or in the body of a report, read by the
// same rules (RFC 4918 section 8.3).

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { realName } from '../gateway/paths.ts';
import type { Exchange } from '../http/exchange.ts';
import { decodePercent } from '../http/query.ts';
import { isFieldSafe } from '../protocol/fields.ts';

export interface RoomHref {
  /** decoded, spelt as in the address */
  room: string;
  /** the segments after it, decoded; none or an empty one for the room itself */
  names: string[];
}

/**
 * `http://host/svc/r/Other/12` or `/svc/r/Other/`. Throws bad_request if it is malformed or not a room,
 * wrong_destination for another host.
 */
export function parseRoomHref(exchange: Exchange, app: App, text: string): RoomHref {
  const [home, room = '', ...names] = segmentsOf(exchange, app, text);
  if (home !== 'r' || room === '' || !isFieldSafe(room))
    throw new AppError('bad_request', 'The address is not a room.');
  return { room, names };
}

/** The same; undefined if the address is malformed or leads elsewhere. */
export function roomAtHref(exchange: Exchange, app: App, text: string): RoomHref | undefined {
  try {
    return parseRoomHref(exchange, app, text);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/**
 * The segments after the prefix, decoded: `/svc/u/a%40b/` → `['u', 'a@b', '']`. Throws as parseRoomHref. The scheme is
 * not compared, since a proxy may end TLS.
 */
export function segmentsOf(exchange: Exchange, { prefix }: App, text: string): string[] {
  const match = /^(?:https?:\/\/([^/?#]*))?(\/[^?#]*)$/i.exec(text);
  if (!match) throw new AppError('bad_request', 'The address cannot be read.');
  const [, host, path] = match;
  if (host !== undefined && !isOwnHost(exchange, host)) {
    throw new AppError('wrong_destination', 'The address is on another server.');
  }
  if (!path!.startsWith(prefix)) throw new AppError('bad_request', 'There is nothing at this address.');
  return path!.slice(prefix.length).split('/').map(decodePercent);
}

function isOwnHost(exchange: Exchange, host: string): boolean {
  return [exchange.host, exchange.forwardedHost].some(
    (name) => name !== undefined && withoutDefaultPort(name) === withoutDefaultPort(host),
  );
}

/** 'Host:443' → 'host'; which port is the default depends on the scheme, which a proxy may have changed */
function withoutDefaultPort(host: string): string {
  return host.toLowerCase().replace(/:(?:80|443)$/, '');
}

interface Destination {
  room: string;
  /** the new name, with the folders of a path; empty if the client names only the room */
  name: string;
  /** the name has folders before it, or a slash after it */
  isDeep: boolean;
}

/**
 * `Destination: http://host/svc/r/Other/12` or `/svc/r/Other/`. Throws bad_request if missing, and as parseRoomHref.
 */
export function parseDestination(exchange: Exchange, app: App): Destination {
  const text = exchange.header('destination')?.trim();
  if (!text) throw new AppError('bad_request', 'Send a Destination header.');
  const { room, names } = parseRoomHref(exchange, app, text);
  return { room: realName(room), name: names.join('/'), isDeep: names.length > 1 };
}

/** RFC 4918 section 10.6: everything but F is T. */
export function mayOverwrite(exchange: Exchange): boolean {
  return exchange.header('overwrite')?.trim().toUpperCase() !== 'F';
}
