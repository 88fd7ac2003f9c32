// The XML of a DAV client and its Destination cost steps in proportion to their length.

import './growth.ts';
import { describe } from 'node:test';
import { parsePropfind } from '../../src/dav/describer.ts';
import { checkUpdates, parseProppatch } from '../../src/dav/proppatch.ts';
import { readExpandProperty } from '../../src/dav/report/expand-property.ts';
import { readMultiget } from '../../src/dav/report/multiget.ts';
import { readCalendarQuery, readCardQuery, readFreeBusyQuery } from '../../src/dav/report/query.ts';
import { readSyncCollection } from '../../src/dav/report/sync.ts';
import { readXml } from '../../src/dav/xml-read.ts';
import { element } from '../../src/dav/xml-write.ts';
import { AppError } from '../../src/errors.ts';
import { atOnce } from '../../src/system/steps.ts';
import { numbered, repeats } from '../support/worst-pieces.ts';
import { asBytes, grows, mixtures } from './growth.ts';

const WORDS = ['<a>', '</a>', '<a/>', '<', '&amp;', ' x="y"', '<!--', ']]>'];

describe('steps of what reads XML', () => {
  const read = (bytes: Buffer) => {
    const root = readXml(bytes);
    parsePropfind(root);
    atOnce(checkUpdates(parseProppatch(root), { kind: 'room', href: '/', displayName: '' }));
  };
  grows(
    'XML',
    asBytes([
      ...mixtures(WORDS, ['<a>', '</a>'], ['<a x="', '"/>']),
      ...mixtures(
        ['-', '--', '>', ' ', 'a'],
        ['<!--', '--><a/>'],
        ['<a><![CDATA[', ']]></a>'],
        ['<?xml version="1.0"', '?>'],
        ['<a ', '/>'],
      ),
      numbered('elements with names of their own', (i) => `<a${i}/>`, '<a>', '</a>'),
      numbered('namespaces', (i) => `<a xmlns:b${i}="c" b${i}:d="e"/>`, '<a>', '</a>'),
      numbered('attributes, then text', (i) => (i < 60 ? ` a${i}="b"` : 'x'), '<a', '></a>'),
    ]),
    read,
    { perUnit: 40 },
  );
  grows(
    'XML that is written',
    mixtures(['&', '<', '\0', '\ud800', '\udc00', 'a', ']]>']),
    (text) => element('a', text),
    { perUnit: 45 },
  );

  const NAMESPACES = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CR="urn:ietf:params:xml:ns:carddav"';
  const readers = [
    readCalendarQuery,
    readCardQuery,
    readFreeBusyQuery,
    readSyncCollection,
    readMultiget,
    readExpandProperty,
  ];
  const report = (bytes: Buffer) => {
    const root = readXml(bytes);
    for (const reader of readers) {
      try {
        reader(root);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  };
  const within = (before: string, after: string) => [`<a ${NAMESPACES}>${before}`, `${after}</a>`] as const;
  grows(
    'bodies of reports',
    asBytes([
      ...mixtures(
        [
          '<C:comp-filter name="VCALENDAR"/>',
          '<C:prop-filter name="UID"><C:text-match>a</C:text-match></C:prop-filter>',
          '<CR:prop-filter name="FN"/>',
          '<C:comp name="VEVENT"/>',
          '<CR:prop name="TEL"/>',
          '<href>/a</href>',
          '<property name="a"/>',
          '<C:expand start="20260104T000000Z" end="20260105T000000Z"/>',
        ],
        within('<C:filter>', '</C:filter>'),
        within('<CR:filter>', '</CR:filter>'),
        within('<C:filter><C:comp-filter name="VCALENDAR">', '</C:comp-filter></C:filter>'),
        within('<C:filter/><prop><C:calendar-data><C:comp name="VCALENDAR">', '</C:comp></C:calendar-data></prop>'),
        within('<CR:filter/><prop><CR:address-data>', '</CR:address-data></prop>'),
      ),
      ...repeats('BEGIN:VTIMEZONE\n', 'TZID:a\n', 'DTSTART:19700101T000000\n').map(({ name, make }) => ({
        name,
        make: (n: number) => `<a ${NAMESPACES}><C:filter/><C:timezone>${make(n)}</C:timezone></a>`,
      })),
    ]),
    report,
    { perUnit: 60 },
  );
});
