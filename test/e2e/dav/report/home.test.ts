// Queries on the home: the objects of all calendars, or of all address books, that the caller knows.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { QUERIED_ROOMS_AT_ONCE } from '../../../../src/limits/dav.ts';
import { CALENDAR_TYPE, eventOn, hrefsIn, startDavWorld } from '../../../support/dav-world.ts';

const { gateway, alice, bob, newCalendar } = await startDavWorld({ after });
const [one, two] = [await newCalendar(), await newCalendar()];
const put = async (path: string, uid: string, day: string, ...lines: string[]) =>
  assert.equal((await alice('PUT', path, CALENDAR_TYPE, eventOn(uid, day, ...lines))).status, 201);
await put(`${one}/a.ics`, 'home-a', '20310110');
await put(`${two}/b.ics`, 'home-b', '20310111');
await put(`${two}/c.ics`, 'home-c', '20320111');
const task = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:x',
  'BEGIN:VTODO',
  'UID:home-t',
  'DTSTAMP:20260101T000000Z',
  'DUE:20310112T100000Z',
  'END:VTODO',
  'END:VCALENDAR',
  '',
].join('\r\n');
assert.equal((await alice('PUT', 'r/Tasks/t.ics', CALENDAR_TYPE, task)).status, 201);
const card = (uid: string, name: string) =>
  ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, `FN:${name}`, `N:${name};;;;`, 'END:VCARD', ''].join('\r\n');
for (const uid of ['x', 'y']) {
  const { status } = await alice(
    'PUT',
    `r/Contacts/home-${uid}.vcf`,
    { 'content-type': 'text/vcard' },
    card(`home-${uid}`, 'Homer'),
  );
  assert.equal(status, 201);
}

const RANGE = '<C:time-range start="20310101T000000Z" end="20310201T000000Z"/>';
const query = (component: string) =>
  '<C:calendar-query><D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR">' +
  `<C:comp-filter name="${component}">${RANGE}</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`;
const EVENTS = query('VEVENT');
const cardQuery = (limit = '') =>
  '<CR:addressbook-query><D:prop><D:getetag/></D:prop><CR:filter><CR:prop-filter name="FN"><CR:text-match>Homer' +
  `</CR:text-match></CR:prop-filter></CR:filter>${limit}</CR:addressbook-query>`;
const multiget = (name: string, hrefs: readonly string[]) =>
  `<${name}><D:prop><D:getetag/></D:prop>${hrefs.map((href) => `<D:href>${href}</D:href>`).join('')}</${name}>`;

it('supported-report-set lists them', async () => {
  const { text } = await alice(
    'PROPFIND',
    'r/',
    { depth: '0' },
    '<D:propfind><D:prop><D:supported-report-set/></D:prop></D:propfind>',
  );
  for (const name of [
    'calendar-query',
    'calendar-multiget',
    'free-busy-query',
    'addressbook-query',
    'addressbook-multiget',
  ]) {
    assert.match(text, new RegExp(`:${name}[ /]`), name);
  }
});

it('calendar-query finds the objects of all calendars and task lists, and no one else’s', async () => {
  for (const depth of ['infinity', '1', undefined]) {
    const told = await alice('REPORT', 'r/', depth === undefined ? {} : { depth }, EVENTS);
    assert.deepEqual(hrefsIn(told).sort(), [`/svc/${one}/a.ics`, `/svc/${two}/b.ics`]);
    assert.match(told.text, /UID:home-a/);
  }
  const tasks = hrefsIn(await alice('REPORT', 'r', { depth: 'infinity' }, query('VTODO')));
  assert.ok(tasks.includes('/svc/r/Tasks/t.ics') && !tasks.includes(`/svc/${one}/a.ics`), tasks.join());
  assert.deepEqual(hrefsIn(await alice('REPORT', 'r/', { depth: '0' }, EVENTS)), []);
  assert.deepEqual(hrefsIn(await bob('REPORT', 'r/', { depth: 'infinity' }, EVENTS)), []);
  assert.equal((await alice('REPORT', 'r/', {}, '<C:calendar-query><D:prop/></C:calendar-query>')).status, 403);
});

it('All are asked, however many there are', async () => {
  const rooms = await Promise.all(Array.from({ length: QUERIED_ROOMS_AT_ONCE + 1 }, () => newCalendar()));
  for (const [i, room] of rooms.entries()) await put(`${room}/many.ics`, `many-${i}`, '20400110');
  const range = '<C:time-range start="20400101T000000Z" end="20400201T000000Z"/>';
  const told = await alice('REPORT', 'r/', {}, EVENTS.replace(RANGE, range));
  assert.deepEqual(hrefsIn(told).sort(), rooms.map((room) => `/svc/${room}/many.ics`).sort());
});

it('Floating times are in the zone of the calendar that they are in', async () => {
  const zone = '<D:prop><C:calendar-timezone-id>Asia/Tokyo</C:calendar-timezone-id></D:prop>';
  const set = `<D:propertyupdate><D:set>${zone}</D:set></D:propertyupdate>`;
  const [here, there] = [await newCalendar(), await newCalendar()];
  assert.equal((await alice('PROPPATCH', `${there}/`, {}, set)).status, 207);
  for (const [room, uid] of [
    [here, 'float-1'],
    [there, 'float-2'],
  ] as const) {
    const floating = eventOn(uid, '20330110')
      .replace(/(DTSTART:\d{8}T\d{6})Z/, '$1')
      .replace(/(DTEND:\d{8}T\d{6})Z/, '$1');
    assert.equal((await alice('PUT', `${room}/f.ics`, CALENDAR_TYPE, floating)).status, 201);
  }
  const at = (start: string, end: string) => EVENTS.replace(RANGE, `<C:time-range start="${start}" end="${end}"/>`);
  assert.deepEqual(hrefsIn(await alice('REPORT', 'r/', {}, at('20330110T100000Z', '20330110T110000Z'))), [
    `/svc/${here}/f.ics`,
  ]);
  assert.deepEqual(hrefsIn(await alice('REPORT', 'r/', {}, at('20330110T010000Z', '20330110T020000Z'))), [
    `/svc/${there}/f.ics`,
  ]);
});

it('free-busy-query tells when any calendar is busy', async () => {
  const { status, text, headers } = await alice('REPORT', 'r/', {}, `<C:free-busy-query>${RANGE}</C:free-busy-query>`);
  assert.equal(status, 200);
  assert.match(headers.get('content-type')!, /^text\/calendar/);
  assert.match(text, /FREEBUSY[^\r\n]*:20310110T100000Z\/(?:20310110T110000Z|PT1H)/);
  assert.match(text, /20310111T100000Z/);
  assert.doesNotMatch(
    (await bob('REPORT', 'r/', {}, `<C:free-busy-query>${RANGE}</C:free-busy-query>`)).text,
    /2031011/,
  );
});

it('addressbook-query finds the contacts of all address books, up to a limit', async () => {
  const all = await alice('REPORT', 'r/', { depth: 'infinity' }, cardQuery());
  assert.deepEqual(hrefsIn(all).sort(), ['/svc/r/Contacts/home-x.vcf', '/svc/r/Contacts/home-y.vcf']);
  const cut = await alice('REPORT', 'r/', {}, cardQuery('<CR:limit><CR:nresults>1</CR:nresults></CR:limit>'));
  assert.match(cut.text, /<D:href>\/svc\/r\/<\/D:href><D:status>HTTP\/1.1 507/);
  assert.equal(hrefsIn(cut).length, 2);
});

it('Multigets find members of any calendar or address book; all else is 404 under its own href', async () => {
  const there = [`/svc/${two}/b.ics`, `/svc/${one}/a.ics`, `/svc/${two}/c.ics`];
  const missing = [
    `/svc/${one}/gone.ics`,
    '/svc/r/None/a.ics',
    '/svc/r/Lobby/1',
    '/svc/r/Contacts/home-x.vcf',
    '/',
    'nothing',
    `/svc/${one}/`,
  ];
  const told = await alice('REPORT', 'r/', {}, multiget('C:calendar-multiget', [...there, ...missing]));
  assert.deepEqual(hrefsIn(told).sort(), [...there, ...missing].sort());
  assert.equal(told.text.match(/404 Not Found/g)?.length, missing.length);
  assert.equal(told.text.match(/<D:getetag>/g)?.length, there.length);
  const cards = await alice(
    'REPORT',
    'r/',
    {},
    multiget('CR:addressbook-multiget', ['/svc/r/Contacts/home-x.vcf', there[0]!]),
  );
  assert.match(cards.text, /home-x.vcf<\/D:href><D:propstat>/);
  assert.match(cards.text, /b.ics<\/D:href><D:status>HTTP\/1.1 404/);
  const foreign = await bob('REPORT', 'r/', {}, multiget('C:calendar-multiget', there));
  assert.equal(foreign.text.match(/404 Not Found/g)?.length, there.length);
});

it('fails nowhere', () => assert.deepEqual(gateway.faults, []));
