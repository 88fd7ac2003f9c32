// The resources that lead a client from a host name to its calendars and address books (RFC 6764 section 6, RFC 5397):
// the root, the home, and the principals (RFC 3744 section 2).

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import type { Caller } from '../gateway/caller.ts';
import { homeState, keptProperties, PRIVILEGE, quotaOf, tokenOfHome } from '../gateway/collection/properties.ts';
import { roomPath, userPath } from '../gateway/paths.ts';
import { roomOf } from '../gateway/request-room.ts';
import type { Exchange } from '../http/exchange.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { accountName } from '../protocol/names.ts';
import { serverOf } from '../room-server/driver.ts';
import { ownAddresses } from '../room-server/users.ts';
import { segmentsOf } from './href.ts';
import { deadProperties, type Need, type Resource } from './resource.ts';
import { openRoom } from './room-resource.ts';

/** `asked`: the name as the client spelt it; so is the address, since clients compare. Throws not_found. */
export async function findPrincipal(
  app: App,
  caller: Caller,
  asked: string,
  needs: ReadonlySet<Need>,
): Promise<Resource> {
  const { identity } = caller;
  if (!isFieldSafe(asked)) throw new AppError('not_found', 'No such user.');
  const own = await app.pool.identify(identity);
  const isOwn = accountName(asked) === accountName(own.name);
  const { name } = isOwn ? own : await (await serverOf(app.pool, identity)).accounts.profile(app.pool, identity, asked);
  const addresses = isOwn && needs.has('addresses') ? await ownAddresses(app.pool, identity) : undefined;
  const principal = principalResource(userPath(app, asked), name, userPath(app, own.name), addresses, isOwn);
  if (!isOwn || !needs.has('kept')) return principal;
  return { ...principal, dead: deadProperties(await keptProperties(app, caller, 'principal')) };
}

/** `/`, or the prefix. */
export function rootResource(path: string): Resource {
  const href = path.endsWith('/') ? path : `${path}/`;
  return { kind: 'root', href, displayName: 'Vestibule', privileges: PRIVILEGE.read };
}

/** The home with the facts of `needs`. */
export async function findHome(app: App, caller: Caller, needs: ReadonlySet<Need>): Promise<Resource> {
  const { identity } = caller;
  const [state, quota, kept] = await Promise.all([
    needs.has('token') ? homeState(app, identity) : undefined,
    quotaOf(app, caller, needs.has('quota')),
    needs.has('kept') ? keptProperties(app, caller, 'home') : [],
  ]);
  const token = state && (await tokenOfHome(app, identity, state.reported));
  return { ...homeResource(app), quota, token, dead: deadProperties(kept) };
}

/** The rooms of a user, where calendars, task lists and address books are found and made. */
export function homeResource({ prefix }: App): Resource {
  const privileges = PRIVILEGE.read | PRIVILEGE.bind | PRIVILEGE.unbind;
  return { kind: 'home', href: `${prefix}r/`, displayName: 'Rooms', privileges, isOwn: true };
}

/** The collection of all users. */
export function principalsResource({ prefix }: App): Resource {
  return { kind: 'principals', href: `${prefix}u/`, displayName: 'Users', privileges: PRIVILEGE.read };
}

/** `addresses`: the caller's own; those of others are not shown. */
export function principalResource(
  href: string,
  name: string,
  callerHref: string,
  addresses: readonly string[] | undefined,
  isOwn = href === callerHref,
): Resource {
  const facts = isOwn ? { isOwn, addresses } : {};
  return { kind: 'principal', href, displayName: name, privileges: PRIVILEGE.read, ...facts };
}

/** The resource at an address; undefined if it is elsewhere, missing, or not for this caller. */
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
