// Where a MOVE or COPY leads (RFC 4918 section 10.3).

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { realName } from '../gateway/paths.ts';
import type { Exchange } from '../http/exchange.ts';
import { decodePercent } from '../http/percent.ts';
import { isFieldSafe } from '../protocol/fields.ts';

export interface Destination {
  room: string;
  /** what the client wants it to be called there; empty where it names the room only. With the folders of a path */
  name: string;
  /** the name has folders before it, or the slash of one behind it */
  isDeep: boolean;
}

/**
 * `Destination: http://host/svc/r/Other/12` or `/svc/r/Other/`. Throws bad_request for none or an unreadable one,
 * wrong_destination for another host. The scheme is not compared: a proxy may end TLS.
 */
export function parseDestination(exchange: Exchange, app: App): Destination {
  const text = exchange.header('destination')?.trim();
  if (!text) throw new AppError('bad_request', 'A Destination header is needed.');
  const match = /^(?:https?:\/\/([^/?#]*))?(\/[^?#]*)$/i.exec(text);
  if (!match) throw new AppError('bad_request', 'The Destination cannot be read.');
  const [, host, path] = match;
  if (host !== undefined && !isOwnHost(exchange, host)) {
    throw new AppError('wrong_destination', 'The Destination is on another server.');
  }
  const prefix = `${app.prefix}r/`;
  if (!path!.startsWith(prefix)) throw new AppError('bad_request', 'The Destination is no room.');
  const [room = '', ...names] = path!.slice(prefix.length).split('/').map(decodePercent);
  if (room === '' || !isFieldSafe(room)) throw new AppError('bad_request', 'The Destination is no room.');
  return { room: realName(room), name: names.join('/'), isDeep: names.length > 1 };
}

/** RFC 4918 section 10.6: everything but F is T. */
export function mayOverwrite(exchange: Exchange): boolean {
  return exchange.header('overwrite')?.trim().toUpperCase() !== 'F';
}

function isOwnHost(exchange: Exchange, host: string): boolean {
  return [exchange.host, exchange.forwardedHost].some(
    (name) => name !== undefined && withoutDefaultPort(name) === withoutDefaultPort(host),
  );
}

/** 'Host:443' → 'host'; which of the two it is depends on the scheme, which a proxy may have changed */
function withoutDefaultPort(host: string): string {
  return host.toLowerCase().replace(/:(?:80|443)$/, '');
}
