// Live properties of RFC 4918 section 15, and of what every kind of client asks for: RFC 6578 (sync-token) and getctag,
// its forerunner; RFC 3253 section 3.1.5 (supported-report-set).

import { hash } from 'node:crypto';
import { formatLastModified } from '../../http/conditional.ts';
import { MAX_CTAG_CHARACTERS } from '../../limits/dav.ts';
import { writtenTime } from '../../system/clock.ts';
import { SUPPORTED_LOCK } from '../locks/lock-discovery.ts';
import { isCollection, type Resource } from '../resource.ts';
import { supportedReports } from '../supported-reports.ts';
import { element, emptyElement, fragment, type Markup } from '../xml-write.ts';
import { optional, type PropertyTable } from './live-property.ts';

const NO_COLLECTION = element('D:resourcetype');
const NO_LOCKS = element('D:supportedlock');
const NOT_LOCKED = element('D:lockdiscovery');

const isMember = (resource: Resource) => !isCollection(resource);
/** what has D:sync-collection (RFC 6578 section 4) */
const isSynced = ({ kind }: Resource) => kind === 'room' || kind === 'inbox' || kind === 'home';
const isLockable = ({ kind }: Resource) => kind === 'room' || kind === 'folder' || kind === 'member';

export const WEBDAV_PROPERTIES: PropertyTable = {
  'D:resourcetype': { isInAllprop: true, isOfMemberAlone: true, elementOf: resourceType },
  'D:displayname': {
    isInAllprop: true,
    isSettable: true,
    needs: 'kept',
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
    needs: 'token',
    isOn: isSynced,
    elementOf: ({ token }) => optional('CS:getctag', token === undefined ? undefined : changeTag(token)),
  },
};

/** One element for each kind of resource: it is asked of every member of a list. */
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
    return element('D:supported-report-set', fragment(...reports));
  });
}

/** Of a room that is not ours a token may be long, and clients keep and compare this. */
function changeTag(token: string): string {
  return token.length <= MAX_CTAG_CHARACTERS ? token : hash('sha256', token, 'hex');
}

/** RFC 3339: `2000-02-29T00:00:00Z` */
function timestamp(seconds: number): string {
  return `${writtenTime(seconds).toISOString().slice(0, 19)}Z`;
}
