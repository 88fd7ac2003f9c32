// The routes of a gateway as a soak counts them: which one a request is for, what is asked of it, and which of them
// have never done what they are for.

import { routes } from '../../src/api/routes.ts';
import { addDavRoutes } from '../../src/dav/routes.ts';
import { type Asked, askedOf } from '../../test/support/access-requests.ts';

export const PREFIX = '/svc/';

const router = routes(PREFIX);
addDavRoutes(router, PREFIX);

/** Every route as its first request; one that takes all methods is asked by PROPFIND. */
const ALL: readonly Asked[] = router
  .routes()
  .flatMap(({ method, pattern }) => askedOf(method === '*' ? 'PROPFIND' : method, below(pattern)).slice(0, 1));
const BY_ROUTE = new Map(ALL.map((row) => [nameOf(row), row]));

/** What is not asked just so, for it leaves something behind, or takes what all else needs. The errands do it. */
const LEFT_OUT: readonly [RegExp, string][] = [
  [/^DELETE u\/:user\/?$/, 'ends the account of who asks'],
  [/^POST a\/login$/, 'people log in where they have to'],
  [/^LOCK /, 'shuts out the next one, until it ends by itself'],
  [/^(?:MKCOL|MKCALENDAR|COPY|MOVE|PATCH) r\/:room\/?$/, 'a room more each time'],
];

/** What no request succeeds in, and why. */
const ALWAYS_REFUSED: readonly [RegExp, string][] = [
  [/^MKCALENDAR r\/:room\/:name\/?$/, 'a room holds no calendars'],
  [/^PUT r\/:room\/:name\/$/, 'a file has no slash behind its name'],
];

/** What people ask at random. */
export function everyRoute(): Asked[] {
  return ALL.filter((row) => !isIn(LEFT_OUT, nameOf(row)));
}

/** `'GET r/:room'`; the path may have a query. */
export function routeOf(method: string, path: string): string {
  const match = router.match(method, path.split('?')[0]!);
  return `${method} ${match.kind === 'found' ? below(match.pattern) : 'elsewhere'}`;
}

/** What the table of who may do what asks of a route, with the right body; undefined where it has none. */
export function rowOf(route: string): Asked | undefined {
  return BY_ROUTE.get(route);
}

/** `counts`: by route, a tab, and the status of the answer. */
export function routesWithoutSuccess(counts: ReadonlyMap<string, number>): string[] {
  const successful = new Set([...counts.keys()].filter((key) => /\t[23]/.test(key)).map((key) => key.split('\t')[0]!));
  return [...BY_ROUTE.keys()].filter((route) => !successful.has(route) && !isIn(ALWAYS_REFUSED, route));
}

function nameOf({ method, pattern }: Asked): string {
  return `${method} ${pattern}`;
}

function isIn(list: readonly [RegExp, string][], route: string): boolean {
  return list.some(([pattern]) => pattern.test(route));
}

function below(pattern: string): string {
  return pattern.startsWith(PREFIX) && pattern !== PREFIX ? pattern.slice(PREFIX.length) : pattern;
}
