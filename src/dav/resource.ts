// What PROPFIND and REPORT tell of: a resource with the facts that its properties are made from (src/dav/properties).
// Whoever lists resources makes them; a fact that costs a question is there only when a property needs it (NEEDS).

import { AppError } from '../errors.ts';
import type { CollectionKind } from '../gateway/collection/member.ts';
import { MAX_DAV_PROPERTIES, MAX_DAV_PROPERTY_CHARACTERS } from '../limits/dav.ts';
import type { Markup } from './xml-write.ts';

/**
 * root: `/` and what all addresses begin with. home: the rooms. principals: all users. inbox and outbox are those of
 * RFC 6638. folder: one inside of a files room. All but a member are collections.
 */
export type ResourceKind =
  | 'root'
  | 'home'
  | 'principals'
  | 'principal'
  | 'inbox'
  | 'outbox'
  | 'room'
  | 'folder'
  | 'member';

export interface Resource {
  kind: ResourceKind;
  /** absolute path, percent-encoded once; a collection's ends with a slash */
  href: string;
  displayName: string;
  /** what kind of room it is, or lies in; undefined outside of rooms */
  collection?: CollectionKind | undefined;
  /** Unix seconds */
  created?: number | undefined;
  modified?: number | undefined;
  contentType?: string | undefined;
  /** bytes that GET sends; undefined where it is not known */
  length?: number | undefined;
  etag?: string | undefined;
  /** of a room or the home: changes whenever one of its members does (RFC 6578 section 4) */
  token?: string | undefined;
  /** bits of PRIVILEGE that the caller has */
  privileges?: number | undefined;
  /** it belongs to the caller */
  isOwn?: boolean | undefined;
  /** what clients have set, by propertyKey: each a whole element */
  kept?: ReadonlyMap<string, Markup> | undefined;
  /** lockdiscovery, where there are locks on it */
  locks?: Markup | undefined;
  /** of an invitation in a calendar of the caller's own: in quotes */
  scheduleTag?: string | undefined;
  /** of an inbox: href of the calendar for new events */
  defaultCalendar?: string | undefined;
  /** of a collection, in bytes */
  quota?: { used: number; available: number } | undefined;
  /** of a principal: its mail addresses */
  addresses?: readonly string[] | undefined;
}

/** The caller, of whom some properties of every resource tell. */
export interface Viewer {
  /** `/svc/` */
  prefix: string;
  /** href of the caller's principal */
  principal: string;
  /** bytes that a calendar object or card may have */
  maxResourceSize: number;
}

/** A fact that is asked for only when a property is wanted that is made from it. */
export type Need =
  | 'length'
  | 'token'
  | 'privileges'
  | 'kept'
  | 'addresses'
  | 'locks'
  | 'scheduleTag'
  | 'defaultCalendar'
  | 'quota';

export interface PropertyName {
  namespace: string;
  name: string;
}

/** `'{DAV:}getetag'` */
export function propertyKey({ namespace, name }: PropertyName): string {
  return `{${namespace}}${name}`;
}

/** Of one request, each counted as often as it is named: they are answered for every member. Throws bad_request. */
export function requireFewProperties(names: Iterable<PropertyName>): void {
  let [count, length] = [0, 0];
  for (const name of names) {
    requireRoomForProperties(++count);
    length += propertyKey(name).length;
  }
  if (length > MAX_DAV_PROPERTY_CHARACTERS) throw new AppError('bad_request', 'The names of properties are too long.');
}

/** The first bound of requireFewProperties, to be held while they are counted. */
export function requireRoomForProperties(count: number): void {
  if (count > MAX_DAV_PROPERTIES) throw new AppError('bad_request', 'Too many properties are named.');
}

/** `'{DAV:}getetag'`, as propertyKey makes it */
export function propertyNamed(key: string): PropertyName {
  const end = key.lastIndexOf('}');
  return { namespace: key.slice(1, end), name: key.slice(end + 1) };
}

export function isCollection({ kind }: Pick<Resource, 'kind'>): boolean {
  return kind !== 'member';
}
