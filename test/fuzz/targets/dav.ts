// What bodies of DAV requests mean: what they name, set, lock and search for. Each is taken for everything that a body
// can be, whatever its root is called. What is asked of a calendar or a contact is answered within a budget, by one
// that can be read; what is to be kept is read again as it was.

import assert from 'node:assert/strict';
import { parsePropfind } from '../../../src/dav/describer.ts';
import { parseLockInfo } from '../../../src/dav/locks.ts';
import { propertiesResponse } from '../../../src/dav/multistatus.ts';
import { checkUpdates, parseProppatch } from '../../../src/dav/proppatch.ts';
import { readExpandProperty } from '../../../src/dav/report/expand-property.ts';
import { readMultiget } from '../../../src/dav/report/multiget.ts';
import { readCalendarQuery, readCardQuery, readFreeBusyQuery } from '../../../src/dav/report/query.ts';
import { parsePagesToken, readSyncCollection } from '../../../src/dav/report/sync.ts';
import { addressDataText, calendarDataText, readWanted } from '../../../src/dav/report/wanted.ts';
import { readXml, type XmlElement } from '../../../src/dav/xml-read.ts';
import { readAgain, standalone, writtenElement } from '../../../src/dav/xml-write.ts';
import { matchesCalendar } from '../../../src/mime/objects/calendar-filter.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { matchesCard } from '../../../src/mime/objects/text-match.ts';
import { atOnce } from '../../../src/system/steps.ts';
import type { Random } from '../../support/random.ts';
import { toEnd } from '../../support/to-end.ts';
import type { Target } from '../engine.ts';
import { calendar, card } from './objects.ts';
import { refusedAs } from './refused.ts';
import { allOf, recordedBodies, xml } from './xml.ts';

const STEPS = 2000;
const zone = namedZone('Europe/Berlin')!;
const read = (bytes: Buffer) => parseObject(bytes.toString()).object!;
const calendars = calendar.seeds.slice(0, 4).map(read);
const contact = read(card.seeds[0]!);

const READERS: readonly ((root: XmlElement) => void)[] = [
  parsePropfind,
  (root) => {
    const updates = parseProppatch(root);
    const { refused, changes } = atOnce(checkUpdates(updates, { kind: 'room', href: '/', displayName: '' }));
    if (refused) readXml(Buffer.from(standalone(propertiesResponse('/r/x/', refused))));
    else for (const { value } of changes) assert.ok(value === undefined || readAgain(value));
  },
  (root) => {
    const { ownerXml } = parseLockInfo(root);
    assert.ok(ownerXml === '' || readAgain(ownerXml));
  },
  (root) => {
    const { filter } = readCalendarQuery(root);
    for (const object of calendars) atOnce(matchesCalendar(object, filter, zone, { steps: STEPS }));
  },
  (root) => {
    matchesCard(contact, readCardQuery(root).filter);
  },
  (root) => {
    const { calendarData, addressData } = readWanted(root);
    const texts = calendarData ? calendars.map((object) => toEnd(calendarDataText(object, calendarData, zone))) : [];
    if (addressData) texts.push(addressDataText(contact, addressData));
    for (const text of texts) if (text !== undefined) assert.equal(parseObject(text).fault, undefined, text);
  },
  readFreeBusyQuery,
  (root) => {
    readMultiget(root);
  },
  (root) => {
    parsePagesToken(readSyncCollection(root).token);
  },
  readExpandProperty,
];

const NAMESPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="urn:ietf:params:xml:ns:carddav"';
/** what no client has sent that was recorded */
const MORE = [
  '<D:sync-collection NS><D:sync-token>data:,more;data%3A,1;data%3A,2;number;7</D:sync-token><D:prop/>' +
    '<D:limit><D:nresults>3</D:nresults></D:limit></D:sync-collection>',
  '<D:lockinfo NS><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>' +
    '<D:owner x:a="1" xmlns:x="urn:x"><D:href>/x</D:href></D:owner></D:lockinfo>',
  '<D:propertyupdate NS><D:set><D:prop xml:lang="en"><x:a xmlns:x="urn:x" x:b="&lt;"/>' +
    '<C:calendar-timezone-id>Europe/Berlin</C:calendar-timezone-id></D:prop></D:set></D:propertyupdate>',
  '<C:calendar-query NS><D:prop><C:calendar-data><C:expand start="20260101T000000Z" end="20270101T000000Z"/>' +
    '</C:calendar-data></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">' +
    '<C:prop-filter name="SUMMARY"><C:text-match collation="i;octet">a</C:text-match></C:prop-filter>' +
    '</C:comp-filter></C:comp-filter></C:filter><C:timezone-id>Europe/Berlin</C:timezone-id></C:calendar-query>',
  '<A:addressbook-query NS><D:prop><A:address-data version="3.0"><A:prop name="FN"/></A:address-data></D:prop>' +
    '<A:filter test="anyof"><A:prop-filter name="EMAIL"><A:param-filter name="TYPE"><A:is-not-defined/>' +
    '</A:param-filter></A:prop-filter></A:filter><A:limit><A:nresults>2</A:nresults></A:limit></A:addressbook-query>',
  '<D:expand-property NS><D:property name="owner"><D:property name="a" namespace="urn:x"/></D:property>' +
    '</D:expand-property>',
].map((text) => Buffer.from(text.replace('NS', NAMESPACES)));

/** texts and values of attributes that mean something */
const VALUES = (
  'data:,more; data:,more;a;b;removed;x data:,more;%;b;number;1 infinite 0 -1 99999999999 1e3 20260101T000000Z ' +
  '99991231T235959Z 20260101 yes no i;unicode-casemap i;ascii-casemap equals anyof Europe/Berlin BEGIN:VCALENDAR ' +
  '" < & ' +
  '\ufffe %0 /svc/r/x/ VEVENT VTODO VALARM SUMMARY FN __proto__ 4.0 text/calendar de'
).split(' ');
const ATTRIBUTES = (
  'name start end test collation match-type negate-condition novalue content-type version namespace {urn:"x}a {u&<}b ' +
  '{http://www.w3.org/XML/1998/namespace}lang'
).split(' ');

/** A value is another one, or the tree is. */
function varied(input: Buffer, other: Buffer, random: Random): Buffer {
  if (random(2) === 0) return xml.vary!(input, other, random);
  const root = readXml(input);
  const all = allOf(root);
  const place = all[random(all.length)]!;
  const value = VALUES[random(VALUES.length)]!;
  const attributes = place.attributes as Map<string, string>;
  const names = [...attributes.keys()];
  const [name] = random(2) === 0 ? ATTRIBUTES.slice(random(ATTRIBUTES.length)) : names.slice(random(names.length + 1));
  if (name === undefined) place.content.splice(0, random(2), value);
  else attributes.set(name, value);
  return Buffer.from(standalone(writtenElement(root, Number.POSITIVE_INFINITY)!));
}

export const dav: Target = {
  name: 'dav',
  seeds: [...recordedBodies(), ...MORE],
  words: [...xml.words, ...VALUES],
  vary: varied,
  run(input) {
    let root: XmlElement;
    try {
      root = readXml(input);
    } catch (error) {
      return refusedAs(error, 'bad_request', 'too_large');
    }
    const taken = READERS.map((reader) => {
      try {
        reader(root);
        return '1';
      } catch (error) {
        refusedAs(error, 'bad_request', 'too_large', 'forbidden');
        return '0';
      }
    }).join('');
    return taken.includes('1') ? taken : 'refused: means nothing';
  },
};
