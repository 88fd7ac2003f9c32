// Bodies of queries: what they ask for, in which zone, how much of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCalendarQuery, readCardQuery, readFreeBusyQuery } from '../../../src/dav/report/query.ts';
import { refuses, xmlOf } from './bodies.ts';

const FILTER = '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>';
const query = (inner: string) => readCalendarQuery(xmlOf(`<C:calendar-query>${inner}${FILTER}</C:calendar-query>`));
const RANGE = 'start="20260104T000000Z" end="20260105T000000Z"';
const SPAN = { start: Date.UTC(2026, 0, 4) / 1000, end: Date.UTC(2026, 0, 5) / 1000 };

describe('the body of a calendar query', () => {
  it('needs a filter', () => {
    refuses(() => readCalendarQuery(xmlOf('<C:calendar-query/>')), 'valid-filter');
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

  it('needs a filter', () => {
    refuses(() => readCardQuery(xmlOf('<CR:addressbook-query/>')), 'bad_request');
  });

  it('limits the answer', () => {
    const limited = (text: string) => cards(`<CR:limit><CR:nresults>${text}</CR:nresults></CR:limit>`).limit;
    assert.equal(cards('').limit, Number.POSITIVE_INFINITY);
    assert.equal(limited('2'), 2);
    for (const wrong of ['0', '-1', 'many', '']) refuses(() => limited(wrong), 'bad_request', wrong);
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
