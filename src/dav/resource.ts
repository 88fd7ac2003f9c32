// What PROPFIND answers with: the room list, rooms and messages, all as resources with the live properties of
// RFC 4918 section 15, each in the form that clients expect.

import { formatLastModified } from '../http/conditional.ts';
import { DAV_NAMESPACE, element, type Markup } from './xml-write.ts';

export interface Resource {
  /** absolute path, percent-encoded once; a collection's ends with a slash */
  href: string;
  isCollection: boolean;
  displayName: string;
  /** Unix seconds */
  created?: number | undefined;
  modified?: number | undefined;
  contentType?: string | undefined;
  /** bytes that GET sends; undefined where it is not known */
  length?: number | undefined;
  etag?: string | undefined;
}

export interface PropertyName {
  namespace: string;
  name: string;
}

const COLLECTION = element('D:resourcetype', element('D:collection'));
const NO_COLLECTION = element('D:resourcetype');
const NO_LOCKS = element('D:supportedlock');
const NOT_LOCKED = element('D:lockdiscovery');

type ElementMaker = (resource: Resource) => Markup | undefined;

const DAV_PROPERTIES: Readonly<Record<string, ElementMaker>> = {
  resourcetype: ({ isCollection }) => (isCollection ? COLLECTION : NO_COLLECTION),
  displayname: ({ displayName }) => element('D:displayname', displayName),
  getcontentlength: ({ length }) => optional('D:getcontentlength', length),
  getcontenttype: ({ contentType }) => optional('D:getcontenttype', contentType),
  getetag: ({ etag }) => optional('D:getetag', etag),
  getlastmodified: ({ modified }) =>
    optional('D:getlastmodified', modified === undefined ? undefined : formatLastModified(modified)),
  creationdate: ({ created }) =>
    optional(
      'D:creationdate',
      created === undefined ? undefined : `${new Date(created * 1000).toISOString().slice(0, 19)}Z`,
    ),
  supportedlock: () => NO_LOCKS,
  lockdiscovery: () => NOT_LOCKED,
};

export const LIVE_PROPERTIES: readonly PropertyName[] = Object.keys(DAV_PROPERTIES).map((name) => ({
  namespace: DAV_NAMESPACE,
  name,
}));

/** What makes a property's element, undefined where a resource does not have it; undefined where none has. */
export function elementMaker(property: PropertyName): ElementMaker | undefined {
  return isLive(property) ? DAV_PROPERTIES[property.name] : undefined;
}

/** One of the properties that the server makes (RFC 4918 section 15). */
export function isLive({ namespace, name }: PropertyName): boolean {
  return namespace === DAV_NAMESPACE && Object.hasOwn(DAV_PROPERTIES, name);
}

function optional(name: string, value: string | number | undefined): Markup | undefined {
  return value === undefined ? undefined : element(name, value);
}
