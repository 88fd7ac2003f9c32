// Reports and time: how much of it one answer may hold, and in which zone floating times are.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MAX_BUSY_PERIODS } from '../../src/limits/dav.ts';
import { MAX_OCCURRENCES } from '../../src/limits/mime.ts';
import { startGateway } from '../support/gateway.ts';
import {
  calendarOf,
  condition,
  cutAt,
  multistatus,
  report,
  responseOf,
  store,
  TAG,
  toldReport,
} from '../support/reports.ts';

const gateway = await startGateway({ after }, { users: [{ name: 'carol', password: 'carol' }] });
const carol = gateway.as('carol');
const event = (uid: string, ...lines: string[]) =>
  calendarOf('BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT');
const calendar = async (name: string) => {
  assert.equal((await carol(`r/${name}/`, { method: 'MKCALENDAR' })).status, 201);
  return `r/${name}/`;
};
const busy = (path: string, start: string, end: string) =>
  report(carol, path, `<C:free-busy-query><C:time-range start="${start}" end="${end}"/></C:free-busy-query>`);
const query = (props: string, inner: string, zone = '') =>
  `<C:calendar-query><D:prop>${props}</D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">` +
  `${inner}</C:comp-filter></C:comp-filter></C:filter>${zone}</C:calendar-query>`;
const range = (start: string, end: string) => `<C:time-range start="${start}" end="${end}"/>`;

describe('an answer to a free-busy-query', () => {
  it('has a bounded number of periods', async () => {
    const path = await calendar('Busy');
    const rule = `RRULE:FREQ=HOURLY;COUNT=${MAX_BUSY_PERIODS}`;
    await store(carol, `${path}many.ics`, event('many', 'DTSTART:20260101T000000Z', 'DURATION:PT30M', rule));
    const most = await busy(path, '20260101T000000Z', '20300101T000000Z');
    assert.equal(most.status, 200);
    assert.equal((await most.text()).split('FREEBUSY:').length - 1, MAX_BUSY_PERIODS);
    await store(carol, `${path}one.ics`, event('one', 'DTSTART:20290101T000000Z', 'DURATION:PT30M'));
    assert.deepEqual(
      await toldReport(await busy(path, '20260101T000000Z', '20300101T000000Z')),
      condition('D:number-of-matches-within-limits'),
    );
    assert.equal((await busy(path, '20260101T000000Z', '20270101T000000Z')).status, 200);
  });
});

describe('an answer to a calendar-query', () => {
  it('has no letters, which may lie in a calendar, too', async () => {
    const path = await calendar('Letters');
    await store(carol, `${path}one.ics`, event('one', 'DTSTART:20260101T000000Z'));
    const letter = await carol(`${path}new?subj=Hello`, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body: 'Hello.',
    });
    assert.equal(letter.status, 201);
    const one = multistatus(responseOf(`/svc/${path}one.ics`, TAG));
    const any = '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>';
    for (const body of [
      query('<D:getetag/>', ''),
      query('<D:getetag/>', range('20260101T000000Z', '20260102T000000Z')),
      `<C:calendar-query><D:prop><D:getetag/></D:prop>${any}</C:calendar-query>`,
    ]) {
      assert.deepEqual(await toldReport(await report(carol, path, body)), one);
    }
  });

  it('tells of an object that has more instances than may be expanded, and gives the others', async () => {
    const path = await calendar('Expanded');
    await store(carol, `${path}few.ics`, event('few', 'DTSTART:20260101T000000Z', 'DURATION:PT1M'));
    const rule = `RRULE:FREQ=HOURLY;COUNT=${MAX_OCCURRENCES + 1}`;
    await store(carol, `${path}many.ics`, event('many', 'DTSTART:20260101T000000Z', 'DURATION:PT1M', rule));
    const years = 'start="20260101T000000Z" end="20300101T000000Z"';
    const expand = `<D:getetag/><C:calendar-data><C:expand ${years}/></C:calendar-data>`;
    const [status, text] = await toldReport(await report(carol, path, query(expand, '')));
    assert.equal(status, 207);
    assert.ok(text.includes(cutAt(`/svc/${path}many.ics`)), text.slice(0, 2000));
    assert.ok(text.includes('UID:few'));
  });

  it('has floating times where the query says, else where the calendar says, else in UTC', async () => {
    const path = await calendar('Floating');
    await store(carol, `${path}noon.ics`, event('noon', 'DTSTART:20260101T120000', 'DURATION:PT1H'));
    const found = async (start: string, zone = '') => {
      const end = `${start.slice(0, 11)}5900Z`;
      const told = await toldReport(await report(carol, path, query('<D:getetag/>', range(start, end), zone)));
      const one = multistatus(responseOf(`/svc/${path}noon.ics`, TAG));
      return told[1] === one[1];
    };
    assert.equal(await found('20260101T120000Z'), true);
    const tokyo = '<C:timezone-id>Asia/Tokyo</C:timezone-id>';
    assert.equal(await found('20260101T120000Z', tokyo), false);
    assert.equal(await found('20260101T030000Z', tokyo), true);

    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Own',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0500',
      'TZOFFSETTO:+0500',
      'END:STANDARD',
      'END:VTIMEZONE',
    ];
    const body =
      '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><calendar-timezone xmlns="urn:ietf:params:xml:ns:caldav">' +
      `${calendarOf(...zone)}</calendar-timezone></D:prop></D:set></D:propertyupdate>`;
    assert.equal((await carol(path, { method: 'PROPPATCH', body })).status, 207);
    assert.equal(await found('20260101T120000Z'), false);
    assert.equal(await found('20260101T070000Z'), true);
    assert.equal(await found('20260101T030000Z', tokyo), true);
    const answer = await busy(path, '20260101T000000Z', '20260102T000000Z');
    assert.match(await answer.text(), /FREEBUSY:20260101T070000Z\/PT1H/);
  });
});
