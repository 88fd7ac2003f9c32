// Which properties a report asks for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCalendarQuery } from '../../../src/dav/report/query.ts';
import { readWanted } from '../../../src/dav/report/wanted.ts';
import { refuses, xmlOf } from './bodies.ts';

const FILTER = '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>';
const query = (inner: string) => readCalendarQuery(xmlOf(`<C:calendar-query>${inner}${FILTER}</C:calendar-query>`));

describe('a report', () => {
  it('names properties, or all of them, or none', () => {
    assert.deepEqual(query('<D:prop><D:getetag/></D:prop>').wanted, {
      kind: 'some',
      properties: [{ namespace: 'DAV:', name: 'getetag' }],
    });
    assert.deepEqual(query('<D:allprop/>').wanted, { kind: 'all', include: [] });
    assert.deepEqual(query('').wanted, { kind: 'some', properties: [] });
    refuses(() => query('<D:allprop/><D:propname/>'), 'bad_request');
  });
});

describe('data that only reports give', () => {
  const wanted = (inner: string) => readWanted(xmlOf(`<D:sync-collection>${inner}</D:sync-collection>`));

  it('is a property among the others', () => {
    const { calendarData, addressData } = wanted('<D:prop><C:calendar-data/><D:getetag/></D:prop>');
    assert.deepEqual([calendarData !== undefined, addressData], [true, undefined]);
    assert.deepEqual(wanted('<D:prop><CR:address-data/></D:prop>').addressData, { props: [] });
  });

  it('is in no allprop, and not asked for outside of prop', () => {
    for (const inner of [
      '<D:allprop/>',
      '<D:allprop/><D:include><C:calendar-data/></D:include>',
      '<C:calendar-data/>',
    ]) {
      assert.equal(wanted(inner).calendarData, undefined, inner);
    }
    refuses(() => wanted('<D:prop><C:calendar-data/><C:calendar-data/></D:prop>'), 'bad_request');
  });
});
