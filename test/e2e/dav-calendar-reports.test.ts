// Reports on calendars: the examples of RFC 4791 sections 7.8 to 7.10, with objects of the same kind as those of its
// appendix B. Documents are compared whole.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { reportWorlds } from '../support/report-worlds.ts';
import {
  calendarOf,
  condition,
  gone,
  multistatus,
  report,
  responseOf,
  store,
  TAG,
  toldReport,
} from '../support/reports.ts';

const ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:US/Eastern',
  'BEGIN:DAYLIGHT',
  'DTSTART:20000404T020000',
  'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4',
  'TZNAME:EDT',
  'TZOFFSETFROM:-0500',
  'TZOFFSETTO:-0400',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'DTSTART:20001026T020000',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'TZNAME:EST',
  'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0500',
  'END:STANDARD',
  'END:VTIMEZONE',
];
const STAMP = 'DTSTAMP:20060206T001121Z';
const component = (kind: string, ...lines: string[]) => [`BEGIN:${kind}`, STAMP, ...lines, `END:${kind}`];
const alarm = (...lines: string[]) => ['BEGIN:VALARM', 'ACTION:AUDIO', ...lines, 'END:VALARM'];

const SINGLE = ['DTSTART;TZID=US/Eastern:20060102T100000', 'DURATION:PT1H', 'SUMMARY:Breakfast', 'UID:one@example.com'];
const SERIES_UID = 'UID:two@example.com';
const SERIES = [
  'DTSTART;TZID=US/Eastern:20060102T120000',
  'DURATION:PT1H',
  'RRULE:FREQ=DAILY;COUNT=5',
  'SUMMARY:Lunch',
  SERIES_UID,
];
const override = (day: string, summary: string) => [
  `DTSTART;TZID=US/Eastern:200601${day}T140000`,
  'DURATION:PT1H',
  `RECURRENCE-ID;TZID=US/Eastern:200601${day}T120000`,
  `SUMMARY:${summary}`,
  SERIES_UID,
];
const MEETING = [
  'ATTENDEE;PARTSTAT=ACCEPTED;ROLE=CHAIR:mailto:anna@example.com',
  'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:lisa@example.com',
  'DTSTART;TZID=US/Eastern:20060104T100000',
  'DURATION:PT1H',
  'ORGANIZER:mailto:anna@example.com',
  'STATUS:TENTATIVE',
  'SUMMARY:Review',
  'UID:three@example.com',
];
const EVENTS = {
  'abcd1.ics': calendarOf(...ZONE, ...component('VEVENT', ...SINGLE)),
  'abcd2.ics': calendarOf(
    ...ZONE,
    ...component('VEVENT', ...SERIES),
    ...component('VEVENT', ...override('04', 'Lunch, late')),
    ...component('VEVENT', ...override('06', 'Lunch, late again')),
  ),
  'abcd3.ics': calendarOf(...ZONE, ...component('VEVENT', ...MEETING)),
};
const task = (number: number, ...lines: string[]) =>
  calendarOf(...component('VTODO', `UID:task-${number}@example.com`, `SUMMARY:Task ${number}`, ...lines));
const TASKS = {
  'abcd4.ics': task(4, 'DUE;TZID=US/Eastern:20060106', 'STATUS:NEEDS-ACTION', ...alarm('TRIGGER:20060106T100000')),
  'abcd5.ics': task(
    5,
    'DUE;VALUE=DATE:20060107',
    'STATUS:NEEDS-ACTION',
    ...alarm('TRIGGER;VALUE=DATE-TIME:20060106T100000Z'),
  ),
  'abcd6.ics': task(6, 'COMPLETED:20051223T122322Z', 'DUE;VALUE=DATE:20051225', 'STATUS:COMPLETED'),
  'abcd7.ics': task(7, 'DUE;VALUE=DATE:20051225', 'STATUS:CANCELLED'),
};

const SPAN = (start: string, end: string) => `start="${start}" end="${end}"`;
const FOURTH = SPAN('20060104T000000Z', '20060105T000000Z');
const TWO_DAYS = SPAN('20060103T000000Z', '20060105T000000Z');
const filter = (kind: string, inner = '') =>
  `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="${kind}">${inner}</C:comp-filter></C:comp-filter>` +
  '</C:filter>';
const query = (props: string, filtered: string) =>
  `<C:calendar-query><D:prop>${props}</D:prop>${filtered}</C:calendar-query>`;
const propFilter = (name: string, inner: string) => `<C:prop-filter name="${name}">${inner}</C:prop-filter>`;
const ETAG = '<D:getetag/>';
/** as it stands in the document, with the line ends of toldReport */
const data = (text: string) => `<C:calendar-data>${text.replaceAll('\r\n', '\n')}</C:calendar-data>`;

const worlds = await reportWorlds({ after });
for (const { carol, isShared } of worlds) {
  if (isShared) continue;
  for (const [name, text] of Object.entries(EVENTS)) await store(carol, `r/Calendar/${name}`, text);
  for (const [name, text] of Object.entries(TASKS)) await store(carol, `r/Tasks/${name}`, text);
}

for (const { where, gateway, carol } of worlds) {
  const events = '/svc/r/Calendar/';
  const tasks = '/svc/r/Tasks/';
  const ask = async (room: string, body: string, headers = {}) =>
    toldReport(await report(carol, `r/${room}/`, body, headers));

  describe(`calendar-query on ${where}`, () => {
    it('gives some components and properties of the events of a day (RFC 4791 section 7.8.1)', async () => {
      const wanted =
        '<C:calendar-data><C:comp name="VCALENDAR"><C:prop name="VERSION"/><C:comp name="VEVENT">' +
        ['SUMMARY', 'UID', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXRULE', 'EXDATE', 'RECURRENCE-ID']
          .map((name) => `<C:prop name="${name}"/>`)
          .join('') +
        '</C:comp><C:comp name="VTIMEZONE"/></C:comp></C:calendar-data>';
      const left = (text: string) => data(text.replace(/^(?:PRODID|DTSTAMP|ATTENDEE|ORGANIZER|STATUS)\b.*\r\n/gm, ''));
      const body = query(ETAG + wanted, filter('VEVENT', `<C:time-range ${FOURTH}/>`));
      assert.deepEqual(
        await ask('Calendar', body, { depth: '1' }),
        multistatus(
          responseOf(`${events}abcd2.ics`, TAG, left(EVENTS['abcd2.ics'])),
          responseOf(`${events}abcd3.ics`, TAG, left(EVENTS['abcd3.ics'])),
        ),
      );
    });

    it('leaves out overrides that change nothing in a range (RFC 4791 section 7.8.2)', async () => {
      const wanted = `<C:calendar-data><C:limit-recurrence-set ${TWO_DAYS}/></C:calendar-data>`;
      const body = query(ETAG + wanted, filter('VEVENT', `<C:time-range ${TWO_DAYS}/>`));
      const limited = calendarOf(
        ...ZONE,
        ...component('VEVENT', ...SERIES),
        ...component('VEVENT', ...override('04', 'Lunch, late')),
      );
      assert.deepEqual(
        await ask('Calendar', body),
        multistatus(
          responseOf(`${events}abcd2.ics`, TAG, data(limited)),
          responseOf(`${events}abcd3.ics`, TAG, data(EVENTS['abcd3.ics'])),
        ),
      );
    });

    it('expands recurrences to instances in UTC (RFC 4791 section 7.8.3)', async () => {
      const wanted = `<C:calendar-data><C:expand ${TWO_DAYS}/></C:calendar-data>`;
      const body = query(ETAG + wanted, filter('VEVENT', `<C:time-range ${TWO_DAYS}/>`));
      const expanded = calendarOf(
        ...component(
          'VEVENT',
          'DTSTART:20060103T170000Z',
          'RECURRENCE-ID:20060103T170000Z',
          'DURATION:PT1H',
          'SUMMARY:Lunch',
          SERIES_UID,
        ),
        ...component(
          'VEVENT',
          'DTSTART:20060104T190000Z',
          'RECURRENCE-ID:20060104T170000Z',
          'DURATION:PT1H',
          'SUMMARY:Lunch, late',
          SERIES_UID,
        ),
      );
      const meeting = calendarOf(
        ...component('VEVENT', ...MEETING.map((line) => line.replace(/^DTSTART.*/, 'DTSTART:20060104T150000Z'))),
      );
      assert.deepEqual(
        await ask('Calendar', body),
        multistatus(
          responseOf(`${events}abcd2.ics`, TAG, data(expanded)),
          responseOf(`${events}abcd3.ics`, TAG, data(meeting)),
        ),
      );
    });

    it('gives busy times that are stored, those of a range (RFC 4791 section 7.8.4)', async () => {
      const busy = (...periods: string[]) =>
        calendarOf(
          ...component(
            'VFREEBUSY',
            'ORGANIZER:mailto:anna@example.com',
            'UID:busy@example.com',
            'DTSTART:20060101T000000Z',
            'DTEND:20060108T000000Z',
            ...periods,
          ),
        );
      const inRange = ['FREEBUSY;FBTYPE=BUSY-TENTATIVE:20060102T100000Z/20060102T120000Z'];
      const others = ['FREEBUSY:20060103T100000Z/20060103T120000Z', 'FREEBUSY:20060104T100000Z/20060104T120000Z'];
      const room = `Busy-${worlds.findIndex(({ gateway: one }) => one === gateway)}`;
      assert.equal((await carol(`r/${room}/`, { method: 'MKCALENDAR' })).status, 201);
      // programs may post it, which is no calendar object that may be PUT under a name (RFC 4791 section 4.1)
      const posted = await carol(`r/${room}/new`, {
        method: 'PUT',
        headers: { 'content-type': 'text/calendar; charset=utf-8' },
        body: busy(...inRange, ...others),
      });
      assert.equal(posted.status, 201);
      const range = SPAN('20060102T000000Z', '20060103T000000Z');
      const wanted = `<C:calendar-data><C:limit-freebusy-set ${range}/></C:calendar-data>`;
      const asked = (within: string) =>
        ask(room, query(ETAG + wanted, filter('VFREEBUSY', `<C:time-range ${within}/>`)), { depth: '1' });
      const [status, told] = await asked(range);
      const href = /<D:href>([^<]+)/.exec(told)?.[1] ?? '';
      assert.match(href, new RegExp(`^/svc/r/${room}/.`));
      assert.deepEqual(
        [status, told],
        multistatus(responseOf(href, TAG, data(busy(...inRange)).replace(STAMP, 'DTSTAMP:NOW'))),
      );
      assert.deepEqual(await asked(SPAN('20060109T000000Z', '20060110T000000Z')), multistatus());
    });

    it('finds tasks by the time of their alarms (RFC 4791 section 7.8.5)', async () => {
      const range = `<C:time-range ${SPAN('20060106T100000Z', '20060107T100000Z')}/>`;
      const body = query(ETAG, filter('VTODO', `<C:comp-filter name="VALARM">${range}</C:comp-filter>`));
      assert.deepEqual(
        await ask('Tasks', body),
        multistatus(responseOf(`${tasks}abcd4.ics`, TAG), responseOf(`${tasks}abcd5.ics`, TAG)),
      );
    });

    it('finds an event by its UID (RFC 4791 section 7.8.6)', async () => {
      const uid = '<C:text-match collation="i;octet">three@example.com</C:text-match>';
      const body = query(`${ETAG}<C:calendar-data/>`, filter('VEVENT', propFilter('UID', uid)));
      assert.deepEqual(
        await ask('Calendar', body),
        multistatus(responseOf(`${events}abcd3.ics`, TAG, data(EVENTS['abcd3.ics']))),
      );
    });

    it('finds events that somebody has not answered yet (RFC 4791 section 7.8.7)', async () => {
      const inner =
        '<C:text-match collation="i;ascii-casemap">mailto:LISA@example.com</C:text-match>' +
        '<C:param-filter name="PARTSTAT"><C:text-match>NEEDS-ACTION</C:text-match></C:param-filter>';
      const body = query(ETAG, filter('VEVENT', propFilter('ATTENDEE', inner)));
      assert.deepEqual(await ask('Calendar', body), multistatus(responseOf(`${events}abcd3.ics`, TAG)));
    });

    it('gives all events, and without Depth, too (RFC 4791 section 7.8.8)', async () => {
      const all = multistatus(...Object.keys(EVENTS).map((name) => responseOf(events + name, TAG)));
      assert.deepEqual(await ask('Calendar', query(ETAG, filter('VEVENT'))), all);
      assert.deepEqual(await ask('Calendar', query(ETAG, filter('VEVENT')), { depth: '1' }), all);
      // the collection itself is no event
      assert.deepEqual(await ask('Calendar', query(ETAG, filter('VEVENT')), { depth: '0' }), multistatus());
      const any = '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>';
      assert.deepEqual(await ask('Calendar', query(ETAG, any)), all);
      assert.deepEqual(await ask('Calendar', query(ETAG, filter('VTODO'))), multistatus());
    });

    it('gives the tasks that are still to be done (RFC 4791 section 7.8.9)', async () => {
      const body = query(
        ETAG,
        filter(
          'VTODO',
          propFilter('COMPLETED', '<C:is-not-defined/>') +
            propFilter('STATUS', '<C:text-match negate-condition="yes">CANCELLED</C:text-match>'),
        ),
      );
      assert.deepEqual(
        await ask('Tasks', body),
        multistatus(responseOf(`${tasks}abcd4.ics`, TAG), responseOf(`${tasks}abcd5.ics`, TAG)),
      );
    });

    it('looks for properties of any name, which servers may refuse (RFC 4791 section 7.8.10)', async () => {
      const guid = '<C:text-match>ABC</C:text-match>';
      const body = query(`${ETAG}<C:calendar-data/>`, filter('VEVENT', propFilter('X-ABC-GUID', guid)));
      assert.deepEqual(await ask('Calendar', body, { depth: '1' }), multistatus());
      const without = query(ETAG, filter('VEVENT', propFilter('X-ABC-GUID', '<C:is-not-defined/>')));
      const all = Object.keys(EVENTS).map((name) => responseOf(events + name, TAG));
      assert.deepEqual(await ask('Calendar', without, { depth: '1' }), multistatus(...all));
    });

    it('tests one object where that is asked', async () => {
      const body = query(ETAG, filter('VEVENT', `<C:time-range ${FOURTH}/>`));
      const one = async (name: string) => toldReport(await report(carol, `r/Calendar/${name}`, body));
      assert.deepEqual(await one('abcd3.ics'), multistatus(responseOf(`${events}abcd3.ics`, TAG)));
      assert.deepEqual(await one('abcd1.ics'), multistatus());
    });

    it('tells what it refuses', async () => {
      const asked = (inner: string) => ask('Calendar', query(ETAG, inner));
      assert.deepEqual(await asked(''), condition('C:valid-filter'));
      assert.deepEqual(await asked('<C:filter><C:comp-filter name="VEVENT"/></C:filter>'), condition('C:valid-filter'));
      const unknown = propFilter('UID', '<C:text-match collation="i;unknown">a</C:text-match>');
      assert.deepEqual(await asked(filter('VEVENT', unknown)), condition('C:supported-collation'));
      const other = '<C:calendar-data content-type="application/calendar+json"/>';
      assert.deepEqual(await ask('Calendar', query(other, filter('VEVENT'))), condition('C:supported-calendar-data'));
      const zone = `${filter('VEVENT')}<C:timezone>none</C:timezone>`;
      assert.deepEqual(await asked(zone), condition('C:valid-calendar-data'));
    });

    it('is no report of rooms of other kinds, nor is anything unknown', async () => {
      for (const room of ['Mail', 'Contacts']) {
        assert.deepEqual(await ask(room, query(ETAG, filter('VEVENT'))), condition('D:supported-report'));
      }
      assert.deepEqual(await ask('Calendar', '<D:no-such-report/>'), condition('D:supported-report'));
      assert.equal((await report(carol, 'r/Calendar/', '<broken')).status, 400);
      assert.equal((await carol('r/Calendar/', { method: 'REPORT' })).status, 400);
      assert.equal((await report(carol, 'r/Nowhere/', query(ETAG, filter('VEVENT')))).status, 404);
      assert.equal((await report(gateway.api, 'r/Calendar/', query(ETAG, filter('VEVENT')))).status, 401);
    });
  });

  describe(`calendar-multiget on ${where}`, () => {
    const multiget = (...hrefs: string[]) =>
      `<C:calendar-multiget><D:prop>${ETAG}<C:calendar-data/></D:prop>` +
      `${hrefs.map((href) => `<D:href>${href}</D:href>`).join('')}</C:calendar-multiget>`;

    it('gives what is there and tells what is not (RFC 4791 section 7.9.1)', async () => {
      assert.deepEqual(
        await ask('Calendar', multiget(`${events}abcd1.ics`, `${events}mtg1.ics`)),
        multistatus(gone(`${events}mtg1.ics`), responseOf(`${events}abcd1.ics`, TAG, data(EVENTS['abcd1.ics']))),
      );
    });

    it('answers under each href that was asked, whichever way it is spelt', async () => {
      const hrefs = [
        `${new URL(events, gateway.url)}abcd1.ics`,
        `${events}%61bcd1.ics`,
        '/svc/r/calendar/abcd1.ics',
        `${events}one@example.com`,
        `${events}one%40example.com.ics`,
      ];
      const whole = data(EVENTS['abcd1.ics']);
      assert.deepEqual(
        await ask('Calendar', multiget(...hrefs, hrefs[0]!)),
        multistatus(...hrefs.map((href) => responseOf(href, TAG, whole))),
      );
    });

    it('looks nowhere else', async () => {
      const hrefs = [
        '/svc/r/Tasks/abcd4.ics',
        'http://elsewhere.example/svc/r/Calendar/abcd1.ics',
        '/svc/u/carol/',
        events,
        'abcd1.ics',
        '%',
      ];
      assert.deepEqual(await ask('Calendar', multiget(...hrefs)), multistatus(...hrefs.map(gone)));
      assert.equal((await report(carol, 'r/Calendar/', multiget())).status, 400);
    });
  });

  describe(`free-busy-query on ${where}`, () => {
    it('adds up when one is busy (RFC 4791 section 7.10.1)', async () => {
      const range = SPAN('20060104T140000Z', '20060105T220000Z');
      const body = `<C:free-busy-query><C:time-range ${range}/></C:free-busy-query>`;
      const answer = await report(carol, 'r/Calendar/', body, { depth: '1' });
      assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8');
      const [status, text] = await toldReport(answer);
      assert.equal(status, 200);
      assert.deepEqual(text.split('\n').slice(3), [
        'BEGIN:VFREEBUSY',
        'DTSTAMP:NOW',
        'DTSTART:20060104T140000Z',
        'DTEND:20060105T220000Z',
        'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20060104T150000Z/PT1H',
        'FREEBUSY:20060104T190000Z/PT1H',
        'FREEBUSY:20060105T170000Z/PT1H',
        'END:VFREEBUSY',
        'END:VCALENDAR',
        '',
      ]);
    });

    it('needs a range with two ends', async () => {
      const body = '<C:free-busy-query><C:time-range start="20060104T140000Z"/></C:free-busy-query>';
      assert.equal((await report(carol, 'r/Calendar/', body)).status, 400);
    });
  });

  describe(`reports on ${where}`, () => {
    it('fail nowhere', () => assert.deepEqual(gateway.faults, []));
  });
}
