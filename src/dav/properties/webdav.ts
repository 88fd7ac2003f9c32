// Live properties that are not about calendars or contacts: RFC 4918 section 15, sync-token (RFC 6578) and its
// forerunner getctag, supported-report-set (RFC 3253 section 3.1.5), quotas (RFC 4331), and those that lead a client
// from any address to its calendars and address books: RFC 5397 (current-user-principal), RFC 3744 sections 4 and 5
// (principals, owner, privileges), the home sets of RFC 4791 section 6.2.1 and RFC 6352 section 7.1.1, and the
// addresses of RFC 6638 section 2.4.

import { hash } from 'node:crypto';
import { PRIVILEGE } from '../../gateway/collection/properties.ts';
import { formatLastModified } from '../../http/conditional.ts';
import { MAX_CTAG_CHARACTERS } from '../../limits/dav.ts';
import { writtenTime } from '../../system/clock.ts';
import { SUPPORTED_LOCK } from '../locks.ts';
import {
  hrefElement,
  isCollection,
  isOwnPrincipal,
  optional,
  type PropertyName,
  type PropertyTable,
  type Resource,
} from '../resource.ts';
import { expandedName } from '../xml-read.ts';
import { element, elementWith, emptyElement, type Markup } from '../xml-write.ts';

const NO_COLLECTION = element('D:resourcetype');
const NO_LOCKS = element('D:supportedlock');
const NOT_LOCKED = element('D:lockdiscovery');
const NO_MEMBERSHIP = element('D:group-membership');
const NO_OTHER_ADDRESSES = element('D:alternate-URI-set');
const INDIVIDUAL = element('C:calendar-user-type', 'INDIVIDUAL');

const isMember = (resource: Resource) => !isCollection(resource);
/** resources with D:sync-collection (RFC 6578 section 4) */
const isSynced = ({ kind }: Resource) => kind === 'room' || kind === 'inbox' || kind === 'home';
const isLockable = ({ kind }: Resource) => kind === 'room' || kind === 'folder' || kind === 'member';
const isPrincipal = ({ kind }: Resource) => kind === 'principal';

export const WEBDAV_PROPERTIES: PropertyTable = {
  'D:resourcetype': { isInAllprop: true, isOfMemberAlone: true, elementOf: resourceType },
  'D:displayname': {
    isInAllprop: true,
    isSettable: true,
    needs: 'dead',
    elementOf: ({ displayName }) => element('D:displayname', displayName),
  },
  'D:getcontentlength': {
    isInAllprop: true,
    needs: 'length',
    isOfMemberAlone: true,
    isOn: isMember,
    elementOf: ({ length }) => optional('D:getcontentlength', length),
  },
  'D:getcontenttype': {
    isInAllprop: true,
    isOfMemberAlone: true,
    isOn: isMember,
    elementOf: ({ contentType }) => optional('D:getcontenttype', contentType),
  },
  'D:getetag': {
    isInAllprop: true,
    isOfMemberAlone: true,
    isOn: isMember,
    elementOf: ({ etag }) => optional('D:getetag', etag),
  },
  'D:getlastmodified': {
    isInAllprop: true,
    isOfMemberAlone: true,
    elementOf: ({ modified }) =>
      optional('D:getlastmodified', modified === undefined ? undefined : formatLastModified(modified)),
  },
  'D:creationdate': {
    isInAllprop: true,
    isOfMemberAlone: true,
    elementOf: ({ created }) => optional('D:creationdate', created === undefined ? undefined : timestamp(created)),
  },
  'D:supportedlock': {
    isInAllprop: true,
    elementOf: (resource) => (isLockable(resource) ? SUPPORTED_LOCK : NO_LOCKS),
  },
  'D:lockdiscovery': { isInAllprop: true, needs: 'locks', elementOf: ({ locks = NOT_LOCKED }) => locks },
  'D:supported-report-set': { elementOf: (resource) => reportSet(resource) },
  'D:sync-token': { needs: 'token', isOn: isSynced, elementOf: ({ token }) => optional('D:sync-token', token) },
  'CS:getctag': {
    isServers: true,
    needs: 'token',
    isOn: isSynced,
    elementOf: ({ token }) => optional('CS:getctag', token === undefined ? undefined : changeTag(token)),
  },
  'D:current-user-principal': { elementOf: (_, { principal }) => hrefElement('D:current-user-principal', principal) },
  'D:principal-collection-set': {
    elementOf: (_, { prefix }) => hrefElement('D:principal-collection-set', `${prefix}u/`),
  },
  'D:current-user-privilege-set': {
    needs: 'privileges',
    elementOf: ({ privileges }) => (privileges === undefined ? undefined : privilegeSet(privileges)),
  },
  'D:supported-privilege-set': { elementOf: () => SUPPORTED_PRIVILEGES },
  'D:owner': {
    isOn: ({ isOwn }) => isOwn === true,
    elementOf: (_, { principal }) => hrefElement('D:owner', principal),
  },
  'D:principal-URL': {
    isOn: isPrincipal,
    // spelt as in other properties, however the client spelt it
    elementOf: ({ isOwn, href }, { principal }) => hrefElement('D:principal-URL', isOwn ? principal : href),
  },
  'D:alternate-URI-set': { isOn: isPrincipal, elementOf: () => NO_OTHER_ADDRESSES },
  'D:group-membership': { isOn: isPrincipal, elementOf: () => NO_MEMBERSHIP },
  'C:calendar-home-set': {
    isOn: isOwnPrincipal,
    elementOf: (_, { prefix }) => hrefElement('C:calendar-home-set', `${prefix}r/`),
  },
  'CR:addressbook-home-set': {
    isOn: isOwnPrincipal,
    elementOf: (_, { prefix }) => hrefElement('CR:addressbook-home-set', `${prefix}r/`),
  },
  'C:calendar-user-type': { isOn: isPrincipal, elementOf: () => INDIVIDUAL },
  'C:calendar-user-address-set': {
    needs: 'addresses',
    isOn: isPrincipal,
    elementOf: ({ addresses, href }) =>
      hrefElement('C:calendar-user-address-set', ...(addresses ?? []).map((address) => `mailto:${address}`), href),
  },
  // none where the room server tells nothing: the one limit is the disk of the embedded room server
  'D:quota-available-bytes': {
    needs: 'quota',
    isOn: isCollection,
    elementOf: ({ quota }: Resource) => optional('D:quota-available-bytes', quota?.available),
  },
  'D:quota-used-bytes': {
    needs: 'quota',
    isOn: isCollection,
    elementOf: ({ quota }: Resource) => optional('D:quota-used-bytes', quota?.used),
  },
};

/** one element for each kind of resource, since lists have it for every member */
const RESOURCE_TYPES = new Map<string, Markup>();

function resourceType({ kind, collection }: Resource): Markup {
  if (kind === 'member') return NO_COLLECTION;
  const of = kind === 'room' ? collection : kind;
  return RESOURCE_TYPES.getOrInsertComputed(of ?? '', () => element('D:resourcetype', ...typesOf(of)));
}

function typesOf(of: Resource['kind'] | Resource['collection']): Markup[] {
  const collection = element('D:collection');
  switch (of) {
    case 'principal':
      return [collection, element('D:principal')];
    case 'inbox':
      return [collection, element('C:schedule-inbox')];
    case 'outbox':
      return [collection, element('C:schedule-outbox')];
    case 'calendar':
    case 'tasks':
      return [collection, element('C:calendar')];
    case 'addressbook':
      return [collection, element('CR:addressbook')];
    default:
      return [collection];
  }
}

const REPORT_SETS = new Map<string, Markup>();

function reportSet(resource: Resource): Markup {
  const key = `${resource.kind} ${resource.collection}`;
  return REPORT_SETS.getOrInsertComputed(key, () => {
    const reports = supportedReports(resource).map(({ namespace, name }) =>
      element('D:supported-report', element('D:report', emptyElement(namespace, name))),
    );
    return element('D:supported-report-set', ...reports);
  });
}

/** A token of a foreign room server may be long, and clients store and compare this. */
function changeTag(token: string): string {
  return token.length <= MAX_CTAG_CHARACTERS ? token : hash('sha256', token, 'hex');
}

/** RFC 3339: `2000-02-29T00:00:00Z` */
function timestamp(seconds: number): string {
  return `${writtenTime(seconds).toISOString().slice(0, 19)}Z`;
}

/** each before those that it contains: clients ask for either */
const ELEMENTS: readonly (readonly [bits: number, name: string])[] = [
  [PRIVILEGE.read, 'D:read'],
  [PRIVILEGE.readFreeBusy, 'C:read-free-busy'],
  [PRIVILEGE.read, 'D:read-current-user-privilege-set'],
  [PRIVILEGE.write, 'D:write'],
  [PRIVILEGE.writeProperties, 'D:write-properties'],
  [PRIVILEGE.writeContent, 'D:write-content'],
  [PRIVILEGE.bind, 'D:bind'],
  [PRIVILEGE.unbind, 'D:unbind'],
  [PRIVILEGE.unlock, 'D:unlock'],
];

const SETS = new Map<number, Markup>();

/** D:current-user-privilege-set of bits of PRIVILEGE (RFC 3744 section 5.4) */
export function privilegeSet(privileges: number): Markup {
  return SETS.getOrInsertComputed(privileges, () =>
    element(
      'D:current-user-privilege-set',
      ...ELEMENTS.flatMap(([bits, name]) =>
        (privileges & bits) === bits ? element('D:privilege', element(name)) : [],
      ),
    ),
  );
}

/** D:supported-privilege-set (RFC 3744 section 5.3) */
export const SUPPORTED_PRIVILEGES: Markup = element(
  'D:supported-privilege-set',
  supported(
    'D:all',
    'Everything',
    supported(
      'D:read',
      'Read',
      supported('C:read-free-busy', 'Read busy times'),
      supported('D:read-current-user-privilege-set', 'Read own privileges'),
    ),
    supported(
      'D:write',
      'Write',
      supported('D:write-properties', 'Set properties'),
      supported('D:write-content', 'Replace content'),
      supported('D:bind', 'Add members'),
      supported('D:unbind', 'Remove members'),
      supported('D:unlock', 'Remove locks'),
    ),
  ),
);

function supported(name: string, description: string, ...contained: Markup[]): Markup {
  return element(
    'D:supported-privilege',
    element('D:privilege', element(name)),
    elementWith('D:description', { 'xml:lang': 'en' }, description),
    ...contained,
  );
}

const EVERYWHERE = ['D:expand-property', 'D:principal-property-search', 'D:principal-search-property-set'];
const ON_PRINCIPALS = [...EVERYWHERE, 'D:principal-match'];
/** RFC 4791 sections 7.8 and 7.9, RFC 6352 sections 8.6 and 8.7: also on objects */
const ON_EVENTS = [...EVERYWHERE, 'C:calendar-query', 'C:calendar-multiget'];
/** RFC 6638 section 2.3 */
const ON_INBOX = [...ON_EVENTS, 'D:sync-collection'];
const ON_CARDS = [...EVERYWHERE, 'CR:addressbook-query', 'CR:addressbook-multiget'];
const ON_ROOMS = [...EVERYWHERE, 'D:sync-collection'];
const ON_CALENDARS = [...ON_ROOMS, 'C:calendar-query', 'C:calendar-multiget', 'C:free-busy-query'];
const ON_ADDRESS_BOOKS = [...ON_ROOMS, 'CR:addressbook-query', 'CR:addressbook-multiget'];
/** RFC 4791 sections 7.8 to 7.10 and RFC 6352 section 8.6: of all calendars and address books below */
const ON_HOME = [...ON_CALENDARS, 'CR:addressbook-query', 'CR:addressbook-multiget'];

export function supportedReports({ kind, collection }: Pick<Resource, 'kind' | 'collection'>): PropertyName[] {
  return prefixedNames(kind, collection).map(expandedName);
}

function prefixedNames(kind: Resource['kind'], collection: Resource['collection']): readonly string[] {
  if (kind === 'principals') return ON_PRINCIPALS;
  if (kind === 'home') return ON_HOME;
  if (kind === 'inbox') return ON_INBOX;
  if (kind !== 'room' && kind !== 'member') return EVERYWHERE;
  const isRoom = kind === 'room';
  if (collection === 'calendar' || collection === 'tasks') return isRoom ? ON_CALENDARS : ON_EVENTS;
  if (collection === 'addressbook') return isRoom ? ON_ADDRESS_BOOKS : ON_CARDS;
  return isRoom ? ON_ROOMS : EVERYWHERE;
}
