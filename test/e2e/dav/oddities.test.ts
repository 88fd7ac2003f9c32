// What programs write that the RFCs forbid: what can be understood is taken, and comes back; what has no meaning is
// refused with the line and the property.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { CALENDAR_TYPE, type Dav, davOf, startDavWorld } from '../../support/dav-world.ts';

const { gateway, alice, newCalendar } = await startDavWorld({ after });
const room = await newCalendar();
const tasks = 'r/Odd-Tasks';
const book = 'r/Odd-Book';
const made = (inner: string) => `<D:mkcol><D:set><D:prop>${inner}</D:prop></D:set></D:mkcol>`;
const kind = (types: string, more = '') => made(`<D:resourcetype><D:collection/>${types}</D:resourcetype>${more}`);
const comps = '<C:supported-calendar-component-set><C:comp name="VTODO"/></C:supported-calendar-component-set>';
assert.equal((await alice('MKCOL', `${tasks}/`, {}, kind('<C:calendar/>', comps))).status, 201);
assert.equal((await alice('MKCOL', `${book}/`, {}, kind('<CR:addressbook/>'))).status, 201);

const DTSTART = 'DTSTART:20260608T100000Z';
type Edit = (lines: string[]) => string[];
const lines = (kindOf: string, uid: string, ...inner: string[]) => [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:x',
  `BEGIN:${kindOf}`,
  `UID:${uid}`,
  'DTSTAMP:20240101T000000Z',
  ...inner,
  `END:${kindOf}`,
  'END:VCALENDAR',
  '',
];
const without =
  (name: string): Edit =>
  (all) =>
    all.filter((line) => !line.startsWith(name));
const swap =
  (from: string | RegExp, to: string): Edit =>
  (all) =>
    all.map((line) => line.replace(from, to));

let count = 0;
const uidOf = () => `odd-${++count}`;
const event = (...inner: string[]) => lines('VEVENT', uidOf(), DTSTART, ...inner).join('\r\n');
const starts = (start: string, ...inner: string[]) => lines('VEVENT', uidOf(), start, ...inner).join('\r\n');
const edited = (edit: Edit, ...inner: string[]) => edit(lines('VEVENT', uidOf(), DTSTART, ...inner)).join('\r\n');
const todo = (...inner: string[]) => lines('VTODO', uidOf(), ...inner).join('\r\n');
const inSeries = (edit: Edit) => {
  const uid = uidOf();
  const override = [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'RECURRENCE-ID:20260609T100000Z',
    'DTSTART:20260609T120000Z',
    'END:VEVENT',
  ];
  const all = lines('VEVENT', uid, DTSTART, 'RRULE:FREQ=DAILY;COUNT=3');
  return [...all.slice(0, -2), ...edit(override), ...all.slice(-2)].join('\r\n');
};
const alarm = (...inner: string[]) => event('BEGIN:VALARM', ...inner, 'END:VALARM');

const bytesOf = (text: string) => (/UID:(.*)/.exec(text)?.[1] ?? 'none').trim();
async function put(dav: Dav, text: string, where = room, headers: Record<string, string> = CALENDAR_TYPE) {
  const path = `${where}/${encodeURIComponent(bytesOf(text)) || 'x'}.ics`;
  return { path, ...(await dav('PUT', path, headers, text)) };
}

/** taken, and GET gives the same bytes */
const KEPT: Readonly<Record<string, string>> = {
  'DTSTAMP missing': edited(without('DTSTAMP')),
  'PRODID missing': edited(without('PRODID')),
  'VERSION missing': edited(without('VERSION')),
  'UID missing in an override': inSeries(without('UID')),
  'LF line ends': event().replaceAll('\r\n', '\n'),
  'CR CR LF line ends': event().replaceAll('\r\n', '\r\r\n'),
  'blank lines': event().replaceAll('\r\n', '\r\n\r\n'),
  'no line end at the end': event().trimEnd(),
  'trailing garbage': `${event()}\r\n\r\n-- \r\nsent from my phone\r\n`,
  'a header before it': `X-Header: 1\r\n\r\n${event()}`,
  'a BOM': `\ufeff${event()}`,
  'lower-case names': event('summary:x').replace(/^(BEGIN|END|DTSTART|VERSION)(?=:)/gm, (name) => name.toLowerCase()),
  'lower-case component': event().replaceAll(':VEVENT', ':vevent').replaceAll(':VCALENDAR', ':vcalendar'),
  'a long line': event(`DESCRIPTION:${'x'.repeat(5000)}`),
  'a tab as fold': event('SUMMARY:a\r\n\tb'),
  'a broken line': event('DESCRIPTION:one', 'two'),
  'a property without value': event('X-EMPTY', 'X-MORE:', 'LOCATION:'),
  'a blank before the colon': event('SUMMARY :x'),
  'DTEND is DTSTART': event('DTEND:20260608T100000Z'),
  'DTEND before DTSTART': event('DTEND:20260608T090000Z'),
  'DTEND and DURATION': event('DTEND:20260608T110000Z', 'DURATION:PT1H'),
  'a day that ends on itself': starts('DTSTART;VALUE=DATE:20260608', 'DTEND;VALUE=DATE:20260608'),
  'a day until a time': starts('DTSTART;VALUE=DATE:20260608', 'DTEND:20260609T100000Z'),
  'a time until a day': event('DTEND;VALUE=DATE:20260609'),
  'VALUE=DATE with a time': starts('DTSTART;VALUE=DATE:20260608T000000'),
  'a day without VALUE=DATE': starts('DTSTART:20260608'),
  'an unknown zone': starts('DTSTART;TZID=Mars/Base:20260608T100000'),
  'DTSTART twice, the same': event(DTSTART),
  'a duration of P1DT': event('DURATION:P1DT'),
  'a duration of P': event('DURATION:P'),
  'a duration of PT': event('DURATION:PT'),
  'a negative duration': event('DURATION:-PT1H'),
  'a duration of weeks and days': event('DURATION:P1W2D'),
  'a duration without T': event('DURATION:P1H'),
  'a rule that ends in a semicolon': event('RRULE:FREQ=DAILY;COUNT=2;'),
  'UNTIL of another type': event('RRULE:FREQ=DAILY;UNTIL=20260610'),
  'UNTIL and COUNT': event('RRULE:FREQ=DAILY;UNTIL=20260610T100000Z;COUNT=2'),
  'an empty rule': event('RRULE:'),
  'an empty EXDATE': event('RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:'),
  'a TRIGGER without P': alarm('ACTION:DISPLAY', 'TRIGGER:-15M'),
  'a TRIGGER that is none': alarm('ACTION:DISPLAY', 'TRIGGER:soon'),
  'an alarm without ACTION': alarm('TRIGGER:-PT15M'),
  'an empty alarm': alarm(),
  'commas in a parameter without quotes': event('ATTENDEE;CN=Doe, John:mailto:j@x.example'),
  'a quote that is not closed': event('ATTENDEE;CN="Doe:mailto:j@x.example'),
  'a guest without mailto:': event('ORGANIZER:o@x.example', 'ATTENDEE:j@x.example'),
  'a guest by EMAIL': event('ORGANIZER:mailto:o@x.example', 'ATTENDEE;EMAIL=j@x.example:urn:uuid:1'),
  'an empty ORGANIZER': event('ORGANIZER:', 'ATTENDEE:'),
  'SEQUENCE and PRIORITY that are no numbers': event('SEQUENCE:', 'PRIORITY:high'),
  'a zone without rules': edited((all) => [...all.slice(0, 3), 'BEGIN:VTIMEZONE', 'END:VTIMEZONE', ...all.slice(3)]),
};

const TASKS: Readonly<Record<string, string>> = {
  'a day with DUE as a time': todo('DTSTART;VALUE=DATE:20261220', 'DUE;VALUE=DATE-TIME:20261224T120000Z'),
  'a time with DUE as a day': todo('DTSTART:20261220T120000Z', 'DUE;VALUE=DATE:20261224'),
  'DUE before DTSTART': todo('DTSTART:20261220T120000Z', 'DUE:20261219T120000Z'),
  'a rule without DTSTART': todo('DUE:20261220T120000Z', 'RRULE:FREQ=WEEKLY;COUNT=3'),
  'nothing but a UID': todo(),
};

/** taken, and GET gives what can be stored */
const MENDED: Readonly<Record<string, [sent: string | Buffer, got: RegExp, not: RegExp]>> = {
  METHOD: [
    edited((all) => [...all.slice(0, 2), 'METHOD:PUBLISH', ...all.slice(2)]),
    /PRODID:x\r\nBEGIN:VEVENT/,
    /METHOD/,
  ],
  'a folded METHOD': [
    edited((all) => [...all.slice(0, 2), 'METHOD;X=Y:PUB', ' LISH', ...all.slice(2)]),
    /VERSION:2\.0\r\nPRODID:x/,
    /METHOD|LISH/,
  ],
  'a vertical tab': [event('SUMMARY:one\vtwo\0'), /SUMMARY:onetwo\r\n/, /[\v\0]/],
  'a fold inside of a character': [
    Buffer.from(event('SUMMARY:M@ller').replace('@', '\u00c3\r\n \u00bc'), 'latin1'),
    /SUMMARY:Müller\r\n/,
    /\ufffd/,
  ],
  'another charset': [Buffer.from(event('SUMMARY:Müller'), 'latin1'), /SUMMARY:Müller\r\n/, /\ufffd/],
};

/** refused, with the text of the answer */
const REFUSED: Readonly<Record<string, [text: string, condition: string, told: RegExp]>> = {
  'no calendar': ['hello', 'valid-calendar-data', /BEGIN:VCALENDAR/],
  'version 1.0': [edited(swap('VERSION:2.0', 'VERSION:1.0')), 'supported-calendar-data', /line 2, VERSION:1\.0: /],
  'no UID': [edited(without('UID')), 'valid-calendar-object-resource', /line 4, BEGIN:VEVENT: UID/],
  'no DTSTART': [edited(without('DTSTART')), 'valid-calendar-data', /line 4, BEGIN:VEVENT: DTSTART/],
  'a day that is none': [starts('DTSTART:20260231'), 'valid-calendar-data', /line 7, DTSTART:20260231: /],
  'an end that is none': [event('SUMMARY:a\r\n b', 'DTEND:later'), 'valid-calendar-data', /line 10, DTEND:later: /],
  'a duration that is none': [event('DURATION:an hour'), 'valid-calendar-data', /line 8, DURATION:an hour: /],
  'a rule that is none': [event('RRULE:FREQ=NEVER'), 'valid-calendar-data', /line 8, RRULE:FREQ=NEVER: /],
  'DTSTART twice': [event('DTSTART:20260609T100000Z'), 'valid-calendar-data', /line 8, DTSTART:20260609T100000Z: /],
  'END missing': [
    edited(without('END:VEVENT')),
    'valid-calendar-data',
    /line 8, END:VCALENDAR: BEGIN:VEVENT in line 4/,
  ],
  'two calendars': [`${event()}${event()}`, 'valid-calendar-data', /line 10, BEGIN:VCALENDAR: /],
  'two UIDs': [inSeries(swap(/^UID:.*/, 'UID:2')), 'valid-calendar-object-resource', /line 11, UID:2: /],
  'one instance twice': [
    inSeries((all) => [...all, ...all]),
    'valid-calendar-object-resource',
    /line 17, RECURRENCE-ID:20260609T100000Z: /,
  ],
  'two masters': [inSeries(without('RECURRENCE-ID')), 'valid-calendar-object-resource', /line 10, BEGIN:VEVENT: /],
  'another component': [
    todo().replaceAll('VTODO', 'VFREEBUSY'),
    'supported-calendar-component',
    /line 4, BEGIN:VFREEBUSY: /,
  ],
};

describe('an object that is odd', () => {
  for (const [name, text] of Object.entries({ ...KEPT, ...TASKS })) {
    it(`is kept: ${name}`, async () => {
      const where = name in TASKS ? tasks : room;
      const { path, status, headers, text: told } = await put(alice, text, where);
      assert.equal(status, 201, told);
      assert.notEqual(headers.get('etag'), null);
      assert.deepEqual(
        (
          await gateway
            .as('alice')(path)
            .then((answer) => answer.bytes())
        ).toString(),
        new TextEncoder().encode(text).toString(),
      );
      const report = `<C:calendar-multiget><D:prop><C:calendar-data/></D:prop><D:href>/svc/${path}</D:href></C:calendar-multiget>`;
      assert.match((await alice('REPORT', `${where}/`, { depth: '1' }, report)).text, /BEGIN:VCALENDAR/i);
    });
  }

  for (const [name, [sent, got, not]] of Object.entries(MENDED)) {
    it(`is mended: ${name}`, async () => {
      const path = `${room}/mended-${uidOf()}.ics`;
      const body = typeof sent === 'string' ? sent : new Uint8Array(sent);
      const answer = await gateway.as('alice')(path, { method: 'PUT', headers: CALENDAR_TYPE, body });
      assert.equal(answer.status, 201, await answer.text());
      assert.equal(answer.headers.get('etag'), null, 'it is not what was sent');
      const { text, headers } = await alice('GET', path);
      assert.match(text, got);
      assert.doesNotMatch(text, not);
      assert.equal(Number(headers.get('content-length')), Buffer.byteLength(text));
    });
  }

  for (const [name, [text, condition, told]] of Object.entries(REFUSED)) {
    it(`is refused: ${name}`, async () => {
      const answer = await put(alice, text);
      assert.equal(answer.status, 403, answer.text);
      assert.match(answer.text, new RegExp(`<C:${condition} `));
      assert.match(answer.text, told);
    });
  }
});

it('A contact that is odd is taken or refused alike', async () => {
  const card = (...inner: string[]) => ['BEGIN:VCARD', ...inner, 'END:VCARD', ''].join('\r\n');
  const type = { 'content-type': 'text/vcard' };
  for (const text of [card('UID:c1', 'FN:x'), card('VERSION:4.0', 'UID:c2', 'ORG:x', 'X-EMPTY', 'lost')]) {
    assert.equal((await put(alice, text, book, type)).status, 201, text);
  }
  const { status, text } = await put(alice, card('VERSION:3.0', 'UID:c3', 'FN:x', 'UID:c4'), book, type);
  assert.equal(status, 403);
  assert.match(text, /valid-address-data.*line 5, UID:c4: /s);
});

it('An object without a Content-Type is what it begins with', async () => {
  for (const headers of [{ 'content-type': '' }, { 'content-type': 'application/x-www-form-urlencoded' }]) {
    const { path, status, text } = await put(alice, event(), room, headers);
    assert.equal(status, 201, text);
    assert.match((await alice('HEAD', path)).headers.get('content-type')!, /^text\/calendar/);
  }
  const { status, text } = await put(davOf(gateway.as('alice')), event(), room, { 'content-type': 'text/plain' });
  assert.deepEqual([status, /supported-calendar-data/.test(text)], [403, true]);
});

it('Conditions and locks come before the body', async () => {
  const { path, status } = await put(alice, event());
  assert.equal(status, 201);
  const bad = (headers: Record<string, string>, where = path) =>
    alice('PUT', where, { ...CALENDAR_TYPE, ...headers }, 'hello').then((answer) => answer.status);
  assert.equal(await bad({}), 403);
  assert.equal(await bad({ 'if-none-match': '*' }), 412);
  assert.equal(await bad({ 'if-none-match': '*', 'content-type': 'text/plain' }), 412);
  assert.equal(await bad({ 'if-match': '"1"' }), 412);
  assert.equal(await bad({ 'if-match': '*' }, `${room}/none.ics`), 412);
  assert.equal(await bad({ 'if-none-match': '*' }, `${room}/none.ics`), 403);
  const card = (text: string) =>
    alice('PUT', `${book}/c1.ics`, { 'if-none-match': '*', 'content-type': 'text/vcard' }, text);
  assert.equal((await card('hello')).status, 412);
  for (const body of ['<C:mkcalendar', '<D:mkcol/>', undefined]) {
    assert.equal((await alice('MKCALENDAR', `${room}/`, { 'if-none-match': '*' }, body)).status, 412);
    assert.match((await alice('MKCALENDAR', `${room}/`, {}, body)).text, /resource-must-be-null/);
    assert.equal((await alice('MKCOL', `${room}/`, { 'if-none-match': '*' }, body)).status, 412);
  }
  assert.equal((await alice('MKCALENDAR', 'r/Unmade/', { 'if-match': '*' })).status, 412);
});

it('Depth: 1,noroot leaves out the collection', async () => {
  const { status, text } = await alice('PROPFIND', `${room}/`, { depth: '1,noroot' });
  assert.equal(status, 207);
  assert.doesNotMatch(text, new RegExp(`<D:href>/svc/${room}/</D:href>`));
  assert.match(text, new RegExp(`<D:href>/svc/${room}/odd`));
});
