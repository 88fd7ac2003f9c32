// Reports in the table of who may do what: which are asked where, and their bodies.

import { OWN_COLLECTION, type Place } from './access-places.ts';

const NAMESPACES = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CR="urn:ietf:params:xml:ns:carddav"';
const BODIES: Readonly<Record<string, [root: string, inner: string]>> = {
  'sync-collection': ['sync-collection', '<sync-token/><sync-level>1</sync-level><prop/>'],
  'calendar-query': [
    'C:calendar-query',
    '<prop><getetag/><C:calendar-data/></prop><C:filter><C:comp-filter name="VCALENDAR"/></C:filter>',
  ],
  'calendar-multiget': ['C:calendar-multiget', '<prop><getetag/></prop><href>/svc/{href}</href>'],
  'free-busy-query': ['C:free-busy-query', '<C:time-range start="20260101T000000Z" end="20260201T000000Z"/>'],
  'addressbook-query': [
    'CR:addressbook-query',
    '<prop><getetag/></prop><CR:filter><CR:prop-filter name="UID"/></CR:filter>',
  ],
  'addressbook-multiget': ['CR:addressbook-multiget', '<prop><getetag/></prop><href>/svc/{href}</href>'],
  'expand-property': [
    'expand-property',
    '<property name="current-user-principal"><property name="displayname"/></property>',
  ],
  'principal-match': ['principal-match', '<self/>'],
  'principal-property-search': [
    'principal-property-search',
    '<property-search><prop><displayname/></prop><match>keeper</match></property-search><prop><displayname/></prop>',
  ],
  'principal-search-property-set': ['principal-search-property-set', ''],
};
const EVERYWHERE = ['expand-property', 'principal-property-search', 'principal-search-property-set'];
const OF_CALENDARS = ['calendar-query', 'calendar-multiget'];
const OF_CARDS = ['addressbook-query', 'addressbook-multiget'];

/** The first of them only, where the same address with a slash is asked each. */
export function reportsOn(pattern: string, place: Place): string[] {
  const all = allOn(pattern, place);
  return pattern === '/svc' || /^(?:u|r|u\/:user|u\/:user\/inbox|r\/:room)$/.test(pattern) ? all.slice(0, 1) : all;
}

function allOn(pattern: string, place: Place): string[] {
  const ofPlace = place === 'cards' ? OF_CARDS : place in OWN_COLLECTION ? OF_CALENDARS : [];
  if (/^r\/?$/.test(pattern)) {
    const onHome = ['sync-collection', ...OF_CALENDARS, 'free-busy-query', ...OF_CARDS, ...EVERYWHERE];
    return place === 'open' ? onHome.filter((name) => !name.endsWith('multiget')) : ofPlace.slice(1);
  }
  if (/^r\/:room\/?$/.test(pattern)) {
    const busy = ofPlace === OF_CALENDARS ? ['free-busy-query'] : [];
    return ['sync-collection', ...ofPlace, ...busy, EVERYWHERE[0]!];
  }
  if (pattern === 'r/:room/:name') return [...ofPlace, EVERYWHERE[0]!];
  if (/^u\/:user\/inbox\/?$/.test(pattern)) return ['sync-collection', ...OF_CALENDARS, EVERYWHERE[0]!];
  if (pattern.startsWith('r/')) return EVERYWHERE.slice(0, 1);
  return /^u\/?$/.test(pattern) ? ['principal-match', ...EVERYWHERE] : EVERYWHERE;
}

/** `{word}` is to be filled in, as in all requests of the table. */
export function reportBody(name: string, href = ''): string {
  const [root, inner] = BODIES[name]!;
  return `<${root} ${NAMESPACES}>${inner.replace('{href}', href)}</${root}>`;
}
