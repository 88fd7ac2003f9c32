// What PROPFIND and REPORT describe: a resource with the facts that its properties are made from (src/dav/properties).
// Facts that cost a request are there only if a wanted property needs them (Need).

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import type { Caller } from '../gateway/caller.ts';
import { userPath } from '../gateway/paths.ts';
import { MAX_OBJECT_BYTES, MAX_PROPERTY_BYTES } from '../limits/backend.ts';
import { MAX_DAV_PROPERTIES, MAX_DAV_PROPERTY_CHARACTERS } from '../limits/dav.ts';
import type { CollectionKind } from '../model.ts';
import type { StoredProperty } from '../room-server/collections.ts';
import { type Content, element, type Markup, readAgain, writtenElement } from './xml-write.ts';

/**
 * root: `/` and the prefix. home: the rooms. principals: all users. inbox and outbox: RFC 6638. folder: in a files
 * room. All but a member are collections.
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
  /** the kind of room that it is or is in; undefined outside rooms */
  collection?: CollectionKind | undefined;
  /** Unix seconds */
  created?: number | undefined;
  modified?: number | undefined;
  contentType?: string | undefined;
  /** bytes that GET sends, if known */
  length?: number | undefined;
  etag?: string | undefined;
  /** of a room or the home: changes whenever one of its members does (RFC 6578 section 4) */
  token?: string | undefined;
  /** bits of PRIVILEGE that the caller has */
  privileges?: number | undefined;
  /** it belongs to the caller */
  isOwn?: boolean | undefined;
  /** properties set by clients, by propertyKey: each a whole element */
  dead?: ReadonlyMap<string, Markup> | undefined;
  /** lockdiscovery, if it is locked */
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

/** The caller, whom some properties of every resource describe. */
export interface Viewer {
  /** `/svc/` */
  prefix: string;
  /** href of the caller's principal */
  principal: string;
  /** bytes that a calendar object or card may have */
  maxResourceSize: number;
}

/** A fact that is fetched only if a wanted property needs it. */
export type Need =
  | 'length'
  | 'token'
  | 'privileges'
  | 'dead'
  /** dead properties of a home, principal, inbox or outbox */
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

/** Bounds the properties that a request names, each as often as it does. Throws bad_request. */
export function requireFewProperties(names: readonly PropertyName[]): void {
  const length = names.reduce((sum, name) => sum + propertyKey(name).length, 0);
  if (names.length > MAX_DAV_PROPERTIES || length > MAX_DAV_PROPERTY_CHARACTERS) {
    throw new AppError('bad_request', 'The body names too many properties. Ask for fewer.');
  }
}

/** `'{DAV:}getetag'`, as propertyKey makes it */
export function propertyNamed(key: string): PropertyName {
  const end = key.lastIndexOf('}');
  return { namespace: key.slice(1, end), name: key.slice(end + 1) };
}

export function isOwnPrincipal({ kind, isOwn }: Resource): boolean {
  return kind === 'principal' && isOwn === true;
}

/** Belongs to a user and is not a room; properties that clients set on it are stored for that user. */
export function isPlace({ kind }: Pick<Resource, 'kind'>): boolean {
  return kind === 'home' || kind === 'principal' || kind === 'inbox' || kind === 'outbox';
}

export function isCollection({ kind }: Pick<Resource, 'kind'>): boolean {
  return kind !== 'member';
}

/**
 * The properties that clients have set, as elements of an answer, by propertyKey. Without those that are not an element
 * of their name, or too long: the room server stores XML that can also be written by the line protocol.
 */
export function deadProperties(stored: readonly StoredProperty[]): ReadonlyMap<string, Markup> {
  const dead = new Map<string, Markup>();
  for (const property of stored) {
    const read = readAgain(property.value);
    if (read?.namespace !== property.namespace || read.name !== property.name) continue;
    const markup = writtenElement(read, MAX_PROPERTY_BYTES);
    if (markup) dead.set(propertyKey(property), markup);
  }
  return dead;
}

/** Throws not_logged_in. */
export async function viewerOf(app: App, { identity }: Caller): Promise<Viewer> {
  const { name } = await app.pool.identify(identity);
  const maxResourceSize = Math.min(MAX_OBJECT_BYTES, app.messageLimit.bytes ?? MAX_OBJECT_BYTES);
  return { prefix: app.prefix, principal: userPath(app, name), maxResourceSize };
}

export interface LiveProperty {
  /** `allprop` gives it: only those of RFC 4918 (RFC 4918 section 9.1, RFC 4791 section 5.2, RFC 3744 section 5) */
  isInAllprop?: boolean;
  /** PROPPATCH may set it: it is then stored as a dead property, and `elementOf` gives the default */
  isSettable?: boolean;
  needs?: Need;
  /** the server's own wherever it is missing, too */
  isServers?: boolean;
  /** depends on the member alone, not on the caller; some 100 bytes */
  isOfMemberAlone?: boolean;
  /** whether a resource has it at all; default: yes */
  isOn?(resource: Resource): boolean;
  /** the whole element; undefined if a fact is missing */
  elementOf(resource: Resource, viewer: Viewer): Markup | undefined;
}

/** by prefixed name: `'D:getetag'` */
export type PropertyTable = Readonly<Record<string, LiveProperty>>;

/** An element with this content; undefined without. */
export function optional(name: string, content: Content | undefined): Markup | undefined {
  return content === undefined ? undefined : element(name, content);
}

/** `<D:owner><D:href>/svc/u/alice/</D:href></D:owner>` */
export function hrefElement(name: string, ...hrefs: readonly string[]): Markup {
  return element(name, ...hrefs.map((href) => element('D:href', href)));
}
