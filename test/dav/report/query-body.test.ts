// Bodies of queries and of sync-collection: which data they ask for, in which zone, how much of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCalendarQuery, readCardQuery, readFreeBusyQuery } from '../../../src/dav/report/query-body.ts';
import { pagesToken, parsePagesToken, readSyncCollection } from '../../../src/dav/report/sync-body.ts';
import { MAX_LIMITED_RESPONSES, MAX_PICKED_PARTS } from '../../../src/limits/dav.ts';
import { refuses, xmlOf } from './bodies.ts';

const FILTER = '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>';
const query = (inner: string) => readCalendarQuery(xmlOf(`<C:calendar-query>${inner}${FILTER}</C:calendar-query>`));
const data = (inner: string, attributes = '') =>
  query(`<D:prop><C:calendar-data${attributes}>${inner}</C:calendar-data></D:prop>`).calendarData;
const RANGE = 'start="20260104T000000Z" end="20260105T000000Z"';
const SPAN = { start: Date.UTC(2026, 0, 4) / 1000, end: Date.UTC(2026, 0, 5) / 1000 };

describe('the body of a calendar query', () => {
  it('names properties, or all of them, or none', () => {
    assert.deepEqual(query('<D:prop><D:getetag/></D:prop>').wanted, {
      kind: 'some',
      properties: [{ namespace: 'DAV:', name: 'getetag' }],
    });
    assert.deepEqual(query('<D:allprop/>').wanted, { kind: 'all', include: [] });
    assert.deepEqual(query('').wanted, { kind: 'some', properties: [] });
    refuses(() => query('<D:allprop/><D:propname/>'), 'bad_request');
  });

  it('needs a filter', () => {
    refuses(() => readCalendarQuery(xmlOf('<C:calendar-query/>')), 'valid-filter');
  });

  it('asks for whole objects, or for parts of them', () => {
    assert.equal(query('').calendarData, undefined);
    assert.equal(data('')!.selection, undefined);
    const read = data(
      '<C:comp name="VCALENDAR"><C:prop name="VERSION"/><C:comp name="vevent"><C:allprop/><C:allcomp/></C:comp>' +
        '<C:comp name="VTIMEZONE"><C:prop name="TZID" novalue="yes"/></C:comp></C:comp>',
    );
    assert.deepEqual(read!.selection, {
      name: 'VCALENDAR',
      props: [{ name: 'VERSION', isWithoutValue: false }],
      comps: [
        { name: 'VEVENT', props: undefined, comps: undefined },
        { name: 'VTIMEZONE', props: [{ name: 'TZID', isWithoutValue: true }], comps: [] },
      ],
    });
    refuses(() => data('<C:comp name="VEVENT"/>'), 'bad_request');
  });

  it('names a bounded number of parts', () => {
    const many = (count: number) =>
      data(`<C:comp name="VCALENDAR">${'<C:prop name="UID"/>'.repeat(count - 1)}</C:comp>`);
    many(MAX_PICKED_PARTS);
    refuses(() => many(MAX_PICKED_PARTS + 1), 'bad_request');
  });

  it('asks for recurrences expanded or limited, in a range with two ends', () => {
    assert.deepEqual(data(`<C:expand ${RANGE}/>`)!.expand, SPAN);
    assert.deepEqual(data(`<C:limit-recurrence-set ${RANGE}/>`)!.limitRecurrenceSet, SPAN);
    assert.deepEqual(data(`<C:limit-freebusy-set ${RANGE}/>`)!.limitFreeBusySet, SPAN);
    refuses(() => data(`<C:expand ${RANGE}/><C:limit-recurrence-set ${RANGE}/>`), 'bad_request');
    refuses(() => data('<C:expand start="20260104T000000Z"/>'), 'bad_request');
    refuses(() => data('<C:expand/>'), 'bad_request');
  });

  it('is refused when it asks for another format', () => {
    data('', ' content-type="text/calendar" version="2.0"');
    refuses(() => data('', ' content-type="application/calendar+json"'), 'supported-calendar-data');
    refuses(() => data('', ' version="3.0"'), 'supported-calendar-data');
  });

  it('says in which zone floating times are', () => {
    assert.equal(query('').zone, undefined);
    assert.equal(query('<C:timezone-id>Europe/Berlin</C:timezone-id>').zone!.name, 'Europe/Berlin');
    refuses(() => query('<C:timezone-id>Nowhere/Land</C:timezone-id>'), 'valid-timezone');
    const zone = (lines: string) => query(`<C:timezone>BEGIN:VCALENDAR\n${lines}END:VCALENDAR\n</C:timezone>`).zone;
    const lines =
      'BEGIN:VTIMEZONE\nTZID:Own\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0500\nTZOFFSETTO:+0500\n' +
      'END:STANDARD\nEND:VTIMEZONE\n';
    assert.equal(zone(lines)!.near(0).first, 5 * 3600);
    refuses(() => zone(''), 'valid-calendar-data');
    refuses(() => zone(lines + lines), 'valid-calendar-data');
    refuses(() => query('<C:timezone>Europe/Berlin</C:timezone>'), 'valid-calendar-data');
  });
});

describe('the body of an address book query', () => {
  const cards = (inner: string) =>
    readCardQuery(xmlOf(`<CR:addressbook-query>${inner}<CR:filter/></CR:addressbook-query>`));
  const address = (inner: string, attributes = '') =>
    cards(`<D:prop><CR:address-data${attributes}>${inner}</CR:address-data></D:prop>`).addressData;

  it('needs a filter', () => {
    refuses(() => readCardQuery(xmlOf('<CR:addressbook-query/>')), 'bad_request');
  });

  it('limits the answer', () => {
    const limited = (text: string) => cards(`<CR:limit><CR:nresults>${text}</CR:nresults></CR:limit>`).limit;
    assert.equal(cards('').limit, Number.POSITIVE_INFINITY);
    assert.equal(limited('2'), 2);
    for (const wrong of ['0', '-1', 'many', '']) refuses(() => limited(wrong), 'bad_request', wrong);
  });

  it('asks for whole contacts or some of their properties, in both versions of vCard', () => {
    assert.deepEqual(address('')!.props, []);
    assert.deepEqual(address('<CR:prop name="UID"/><CR:prop name="item1.TEL" novalue="yes"/>')!.props, [
      { name: 'UID', isWithoutValue: false },
      { name: 'item1.TEL', isWithoutValue: true },
    ]);
    assert.deepEqual(address('<CR:allprop/>')!.props, []);
    address('', ' content-type="text/vcard" version="4.0"');
    refuses(() => address('', ' content-type="application/json"'), 'supported-address-data');
    refuses(() => address('', ' version="2.1"'), 'supported-address-data');
    const many = (count: number) => address('<CR:prop name="UID"/>'.repeat(count));
    many(MAX_PICKED_PARTS);
    refuses(() => many(MAX_PICKED_PARTS + 1), 'bad_request');
  });
});

describe('the body of a free-busy query', () => {
  it('has a range with two ends', () => {
    const busy = (inner: string) => readFreeBusyQuery(xmlOf(`<C:free-busy-query>${inner}</C:free-busy-query>`));
    assert.deepEqual(busy(`<C:time-range ${RANGE}/>`), SPAN);
    refuses(() => busy(''), 'bad_request');
    refuses(() => busy('<C:time-range start="20260104T000000Z"/>'), 'bad_request');
  });
});

describe('the body of a sync-collection', () => {
  const sync = (inner: string) => readSyncCollection(xmlOf(`<D:sync-collection>${inner}</D:sync-collection>`));

  it('has a token, empty the first time', () => {
    assert.equal(sync('<D:sync-token/>').token, '');
    assert.equal(sync('<D:sync-token> data:,1-2\n</D:sync-token>').token, 'data:,1-2');
    refuses(() => sync('<D:sync-level>1</D:sync-level>'), 'bad_request');
  });

  it('takes the levels of RFC 6578 section 6.3, and none', () => {
    assert.equal(sync('<D:sync-token/>').isDeep, false);
    assert.equal(sync('<D:sync-token/><D:sync-level>infinite</D:sync-level>').isDeep, true);
    refuses(() => sync('<D:sync-token/><D:sync-level>2</D:sync-level>'), 'bad_request');
  });

  it('may limit the answer', () => {
    assert.equal(sync('<D:sync-token/>').limit, Number.POSITIVE_INFINITY);
    assert.equal(sync('<D:sync-token/><D:limit><D:nresults>3</D:nresults></D:limit>').limit, 3);
    const limited = (count: number) =>
      sync(`<D:sync-token/><D:limit><D:nresults>${count}</D:nresults></D:limit>`).limit;
    assert.equal(limited(MAX_LIMITED_RESPONSES), MAX_LIMITED_RESPONSES);
    assert.equal(limited(MAX_LIMITED_RESPONSES + 1), MAX_LIMITED_RESPONSES);
  });
});

describe('the token of an answer that was cut', () => {
  it('comes back as what it was made of', () => {
    for (const position of [{ number: 12 }, { removed: 'a&b ü.ics' }]) {
      for (const since of ['', 'data:,1-2']) {
        const pages = { since, until: 'data:,1-9', position };
        assert.deepEqual(parsePagesToken(pagesToken(pages)), pages);
        assert.ok(URL.canParse(pagesToken(pages)));
      }
    }
  });

  it('is no other token, and valid-sync-token when it was made up', () => {
    assert.equal(parsePagesToken('data:,1-9'), undefined);
    for (const wrong of [
      '',
      '1',
      '1;2',
      '1;2;number;-1',
      '1;2;number;',
      '1;;number;1',
      '1;2;other;3',
      '%;2;number;1',
    ]) {
      refuses(() => parsePagesToken(`data:,more;${wrong}`), 'valid-sync-token', wrong);
    }
  });
});
