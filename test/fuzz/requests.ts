// Well-formed requests to every route of a gateway, as text in Latin-1: what targets begin with.

import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { askedOf } from '../support/access-requests.ts';

export const PREFIX = '/svc/';
/** what a made-up password, account or log-out would spoil for all that comes later */
const LEFT_OUT =
  /^(?:POST a\/password|\w+ a\/logout|POST a\/login|\w+ a\/app-passwords|DELETE u\/|DELETE r\/:room\/?$)/;
const VALUES: Readonly<Record<string, string>> = {
  room: 'Lobby',
  name: '1',
  part: '1',
  user: 'alice',
  num: '0',
  id: 'AAAAAAAAAAAAAAAAAAAAAA',
};

/** `path`: below the prefix, encoded; `body`: in Latin-1 */
export function requestTo(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const length = body === '' ? {} : { 'content-length': String(body.length) };
  const fields = Object.entries({ host: 'a', ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${PREFIX}${path} HTTP/1.1\r\n${fields.join('')}\r\n${body}`;
}

/** Those to each route that can be told apart, to the room Lobby and its message 1. */
export function requestsToRoutes(): string[] {
  const router = routes(PREFIX);
  addDavRoutes(router, PREFIX);
  const all = router.routes().flatMap(({ method, pattern }) => {
    if (!pattern.startsWith(PREFIX)) return [];
    const below = pattern.slice(PREFIX.length);
    return LEFT_OUT.test(`${method} ${below}`) ? [] : askedOf(method === '*' ? 'PROPFIND' : method, below);
  });
  const requests = all.map(({ method, pattern, query = '', headers, body = '' }) => {
    const path = pattern.replace('*path', 'a/b').replace(/:(\w+)/g, (_, name: string) => VALUES[name] ?? name);
    return requestTo(method, path + query, headers, body.toString('latin1'));
  });
  return [...new Set(requests)]; // one is asked in several places
}

const CALDAV = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"';
const EVENTS = '<C:comp-filter name="VEVENT"><C:time-range start="20260101T000000Z"/></C:comp-filter>';
const FILTER = `<C:filter><C:comp-filter name="VCALENDAR">${EVENTS}</C:comp-filter></C:filter>`;
const WANTED = '<D:prop><D:getetag/><C:calendar-data/></D:prop>';

/** A REPORT for all events of a room. */
export const CALENDAR_QUERY = `<C:calendar-query ${CALDAV}>${WANTED}${FILTER}</C:calendar-query>`;
