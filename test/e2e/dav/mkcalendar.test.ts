// MKCALENDAR, and MKCOL with a body: a room with the properties of the body, or none.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startDavWorld } from '../../support/dav-world.ts';

const { alice, nobody, newRoom } = await startDavWorld({ after });
const mkcalendar = (inner: string) => `<C:mkcalendar><D:set><D:prop>${inner}</D:prop></D:set></C:mkcalendar>`;
const mkcol = (inner: string) => `<D:mkcol><D:set><D:prop>${inner}</D:prop></D:set></D:mkcol>`;
const typeOf = async (path: string) => {
  const { status, text } = await alice('PROPFIND', path, { depth: '0' });
  return status === 404 ? 404 : /<D:resourcetype>(.*?)<\/D:resourcetype>/.exec(text)![1];
};

it('A calendar is made without a body, and its answer is not kept', async () => {
  const made = await alice('MKCALENDAR', 'r/Plans/');
  assert.deepEqual([made.status, made.headers.get('location')], [201, '/svc/r/Plans/']);
  assert.match(made.headers.get('cache-control')!, /no-cache/);
  assert.equal(await typeOf('r/Plans/'), '<D:collection/><C:calendar/>');
  // RFC 4791 section 5.2.3: without a set of components all are taken
  for (const name of ['VEVENT', 'VTODO', 'VJOURNAL']) {
    const lines = [
      `BEGIN:${name}`,
      `UID:${name}`,
      'DTSTAMP:20260101T000000Z',
      'DTSTART:20260101T100000Z',
      `END:${name}`,
    ];
    const body = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...lines, 'END:VCALENDAR', ''].join('\r\n');
    const type = { 'content-type': 'text/calendar' };
    assert.equal((await alice('PUT', `r/Plans/${name}.ics`, type, body)).status, 201, name);
  }
  assert.equal((await nobody('MKCALENDAR', 'r/Other/')).status, 401);
});

it('Nothing is made where something is, nor inside of a room, nor of another body', async () => {
  const room = await newRoom();
  const there = await alice('MKCALENDAR', `${room}/`);
  assert.equal(there.status, 403);
  assert.match(there.text, /<D:resource-must-be-null\/>/);
  const inner = await alice('MKCALENDAR', `${room}/inner/`);
  assert.equal(inner.status, 403);
  assert.match(inner.text, /calendar-collection-location-ok/);
  assert.equal((await alice('MKCALENDAR', 'r/Nowhere/inner/')).status, 409);
  assert.equal((await alice('MKCALENDAR', 'r/Unmade/', {}, '<D:mkcol/>')).status, 415);
  assert.equal(await typeOf('r/Unmade/'), 404);
});

it('What cannot be set is told, the rest as what would have gone, and nothing is made', async () => {
  const name = '<D:displayname>n</D:displayname>';
  const calendar = await alice('MKCALENDAR', 'r/Unmade/', {}, mkcalendar(`${name}<D:getetag>x</D:getetag>`));
  assert.equal(calendar.status, 207);
  assert.match(calendar.text, /<D:getetag\/><\/D:prop><D:status>HTTP\/1\.1 403/);
  assert.match(calendar.text, /<D:displayname\/><\/D:prop><D:status>HTTP\/1\.1 424/);
  const type = '<D:resourcetype><D:collection/><x:odd xmlns:x="urn:x"/></D:resourcetype>';
  const odd = await alice('MKCOL', 'r/Unmade/', {}, mkcol(type + name));
  assert.equal(odd.status, 403);
  assert.match(odd.text, /<D:mkcol-response.*<D:valid-resourcetype\/>/s);
  const journal = '<C:supported-calendar-component-set><C:comp name="VJOURNAL"/></C:supported-calendar-component-set>';
  assert.match(
    (await alice('MKCALENDAR', 'r/Unmade/', {}, mkcalendar(journal))).text,
    /supported-calendar-component\/>/,
  );
  assert.equal(await typeOf('r/Unmade/'), 404);
});

it('A body says what kind of room it is, and what is kept with it', async () => {
  const book = '<D:resourcetype><D:collection/><CR:addressbook/></D:resourcetype><x:mine xmlns:x="urn:x">1</x:mine>';
  assert.equal((await alice('MKCOL', 'r/People/', {}, mkcol(book))).status, 201);
  assert.equal(await typeOf('r/People/'), '<D:collection/><CR:addressbook/>');
  const body = '<D:propfind><D:prop><x:mine xmlns:x="urn:x"/></D:prop></D:propfind>';
  assert.match((await alice('PROPFIND', 'r/People/', { depth: '0' }, body)).text, />1<\/x:mine>/);
  assert.equal((await alice('MKCOL', 'r/Plain/', {}, mkcol('<D:displayname>x</D:displayname>'))).status, 201);
  assert.equal(await typeOf('r/Plain/'), '<D:collection/>');
});

const shownOf = async (path: string, property: string) => {
  const body = `<D:propfind><D:prop>${property}</D:prop></D:propfind>`;
  const { text } = await alice('PROPFIND', path, { depth: '0' }, body);
  return /<D:prop>(.*?)<\/D:prop><D:status>HTTP\/1\.1 200/s.exec(text)?.[1];
};

it('What macOS sends with a new calendar is kept: a live property that a calendar does not have is a dead one', async () => {
  const apple = [
    '<C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set>',
    '<I:calendar-color xmlns:I="http://apple.com/ns/ical/" symbolic-color="blue">#1BADF8FF</I:calendar-color>',
    '<D:displayname>Private</D:displayname>',
    '<I:calendar-order xmlns:I="http://apple.com/ns/ical/">2</I:calendar-order>',
    '<C:calendar-free-busy-set><YES/></C:calendar-free-busy-set>',
    '<C:schedule-calendar-transp><C:opaque/></C:schedule-calendar-transp>',
    '<C:default-alarm-vevent-date>BEGIN:VALARM&#13;\nEND:VALARM</C:default-alarm-vevent-date>',
  ].join('');
  const { status, text } = await alice('MKCALENDAR', 'r/Apple/', {}, mkcalendar(apple));
  assert.equal(status, 201, text);
  assert.match((await shownOf('r/Apple/', '<C:calendar-free-busy-set/>'))!, /<YES[^>]*\/><\/C:calendar-free-busy-set>/);
  assert.match((await shownOf('r/Apple/', '<C:default-alarm-vevent-date/>'))!, /BEGIN:VALARM/);
  assert.equal(await shownOf('r/Apple/', '<D:displayname/>'), '<D:displayname>Private</D:displayname>');
});

it('A calendar for several components takes them and no others, also by MOVE', async () => {
  const comps = (...names: string[]) =>
    `<C:supported-calendar-component-set>${names.map((name) => `<C:comp name="${name}"/>`).join('')}</C:supported-calendar-component-set>`;
  const object = (kind: string, uid: string) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:${kind}\r\nUID:${uid}\r\nDTSTART:20260101\r\nEND:${kind}\r\nEND:VCALENDAR\r\n`;
  const put = (room: string, kind: string) =>
    alice('PUT', `${room}/${kind}.ics`, { 'content-type': 'text/calendar' }, object(kind, `${kind}@x`));
  const kinds = { Two: ['VEVENT', 'VTODO'], Three: ['VEVENT', 'VTODO', 'VJOURNAL'] };
  for (const [name, names] of Object.entries(kinds)) {
    assert.equal((await alice('MKCALENDAR', `r/${name}/`, {}, mkcalendar(comps(...names)))).status, 201);
    assert.equal(await shownOf(`r/${name}/`, '<C:supported-calendar-component-set/>'), comps(...names));
    for (const kind of kinds.Three) {
      const { status, text } = await put(`r/${name}`, kind);
      if (names.includes(kind)) assert.equal(status, 201, text);
      else assert.match(`${status} ${text}`, /^403 .*<C:supported-calendar-component .*VEVENT and VTODO only/s);
    }
  }
  const query = '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VJOURNAL"/></C:comp-filter></C:filter>';
  const body = `<C:calendar-query><D:prop><D:getetag/></D:prop>${query}</C:calendar-query>`;
  assert.match((await alice('REPORT', 'r/Three/', { depth: '1' }, body)).text, /VJOURNAL\.ics/);
  const move = (from: string, to: string) => alice('MOVE', from, { destination: `/svc/${to}` });
  assert.equal((await alice('DELETE', 'r/Two/VTODO.ics')).status, 204);
  assert.equal((await move('r/Three/VTODO.ics', 'r/Two/VTODO.ics')).status, 201);
  assert.equal((await move('r/Three/VJOURNAL.ics', 'r/Two/VJOURNAL.ics')).status, 403);
  const events = await alice('MKCALENDAR', 'r/One/', {}, mkcalendar(comps('VEVENT')));
  assert.equal(events.status, 201);
  assert.equal((await put('r/One', 'VTODO')).status, 403);
  const odd = await alice('MKCALENDAR', 'r/Odder/', {}, mkcalendar(comps('VEVENT', 'VPOLL')));
  assert.match(odd.text, /403 Forbidden<\/D:status><D:error><C:supported-calendar-component\/>/);
  assert.equal(await typeOf('r/Odder/'), 404);
});

it('A zone is one VTIMEZONE with rules, and nothing else', async () => {
  const rule = 'BEGIN:STANDARD\nDTSTART:19701025T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nEND:STANDARD\n';
  const zone = `BEGIN:VTIMEZONE\nTZID:Home\n${rule}END:VTIMEZONE\n`;
  const event = 'BEGIN:VEVENT\nUID:1\nDTSTART:20260101\nEND:VEVENT\n';
  const calendar = (inner: string) => `BEGIN:VCALENDAR\nVERSION:2.0\n${inner}END:VCALENDAR\n`;
  const make = (name: string, text: string) =>
    alice('MKCALENDAR', `r/${name}/`, {}, mkcalendar(`<C:calendar-timezone>${text}</C:calendar-timezone>`));
  assert.equal((await make('Zoned', calendar(zone))).status, 201);
  const wrong = [
    calendar(zone + event),
    calendar(zone + zone),
    calendar(event),
    calendar(''),
    zone,
    calendar(zone.replace('TZID:Home\n', '')),
    calendar(zone.replace(rule, '')),
    calendar(zone).slice(0, -20),
    'none',
  ];
  for (const text of wrong) {
    assert.match(
      (await make('Unzoned', text)).text,
      /403 Forbidden<\/D:status><D:error><C:valid-calendar-data\/>/,
      text,
    );
    const filter = '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>';
    const body = `<C:calendar-query><D:prop/>${filter}<C:timezone>${text}</C:timezone></C:calendar-query>`;
    const asked = await alice('REPORT', 'r/Zoned/', { depth: '1' }, body);
    assert.match(`${asked.status} ${asked.text}`, /^403 .*<C:valid-calendar-data /s, text);
  }
  assert.equal(await typeOf('r/Unzoned/'), 404);
});
