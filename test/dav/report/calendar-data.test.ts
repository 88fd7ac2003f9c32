// C:calendar-data as a report asks for it (RFC 4791 section 9.6).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCalendarQuery } from '../../../src/dav/report/query.ts';
import { calendarDataText, isWhole } from '../../../src/dav/report/wanted.ts';
import { MAX_PICKED_PARTS } from '../../../src/limits/dav.ts';
import { MAX_OCCURRENCES } from '../../../src/limits/mime.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
import { UTC } from '../../../src/mime/objects/offsets.ts';
import { toEnd } from '../../support/to-end.ts';
import { refuses, xmlOf } from './bodies.ts';

const FILTER = '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>';
const query = (inner: string) => readCalendarQuery(xmlOf(`<C:calendar-query>${inner}${FILTER}</C:calendar-query>`));
const data = (inner: string, attributes = '') =>
  query(`<D:prop><C:calendar-data${attributes}>${inner}</C:calendar-data></D:prop>`).calendarData;
const RANGE = 'start="20260104T000000Z" end="20260105T000000Z"';
const SPAN = { start: Date.UTC(2026, 0, 4) / 1000, end: Date.UTC(2026, 0, 5) / 1000 };

describe('the data of calendar objects', () => {
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
});

describe('the text of an object', () => {
  const object = (rule: string) =>
    parseObject(
      `BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nDTSTART:20260104T100000Z\n${rule}SUMMARY:Plan\nEND:VEVENT\n` +
        'END:VCALENDAR\n',
    ).object!;
  const textOf = (inner: string, rule = '') => toEnd(calendarDataText(object(rule), data(inner)!, UTC));

  it('is the whole where nothing is picked', () => {
    assert.equal(isWhole(data('')!), true);
    for (const inner of ['<C:comp name="VCALENDAR"/>', `<C:expand ${RANGE}/>`, `<C:limit-freebusy-set ${RANGE}/>`]) {
      assert.equal(isWhole(data(inner)!), false, inner);
    }
  });

  it('has what is picked of the instances that are expanded', () => {
    const picked =
      '<C:comp name="VCALENDAR"><C:comp name="VEVENT"><C:prop name="DTSTART"/></C:comp></C:comp>' +
      `<C:expand ${RANGE}/>`;
    assert.equal(
      textOf(picked, 'RRULE:FREQ=HOURLY;INTERVAL=12\n'),
      ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'DTSTART:20260104T100000Z', 'END:VEVENT']
        .concat(['BEGIN:VEVENT', 'DTSTART:20260104T220000Z', 'END:VEVENT', 'END:VCALENDAR', ''])
        .join('\r\n'),
    );
  });

  it('is none where there are more instances than may be expanded', () => {
    const rule = (count: number) => `RRULE:FREQ=SECONDLY;COUNT=${count}\n`;
    assert.ok(textOf(`<C:expand ${RANGE}/>`, rule(MAX_OCCURRENCES)));
    assert.equal(textOf(`<C:expand ${RANGE}/>`, rule(MAX_OCCURRENCES + 1)), undefined);
  });
});
