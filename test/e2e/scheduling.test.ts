// Invitations between people of one server, over HTTP: calendars change, and answers come back (RFC 6638).

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type Api, startGateway } from '../support/gateway.ts';

const NAMES = ['anna', 'ben', 'cora'];
const gateway = await startGateway({ after }, { users: NAMES.map((name) => ({ name, password: name, level: 4 })) });
const [anna, ben, cora] = NAMES.map((name) => gateway.as(name)) as [Api, Api, Api];
const DAV = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"';
const TYPE = { 'content-type': 'text/calendar; charset=utf-8' };

/** `anna@host` */
const addresses = await Promise.all(
  NAMES.map(async (name) => {
    const response = await gateway.as(name)(`u/${name}/`, {
      method: 'PROPFIND',
      headers: { depth: '0' },
      body: `<D:propfind ${DAV}><D:prop><C:calendar-user-address-set/></D:prop></D:propfind>`,
    });
    return /mailto:[^<]+/.exec(await response.text())![0];
  }),
);
const [ANNA, BEN, CORA] = addresses as [string, string, string];

let count = 0;

interface Meeting {
  uid: string;
  text: string;
}

/** A meeting of anna with these people. */
function meeting(guests: readonly string[], lines: readonly string[] = []): Meeting {
  const uid = `meeting-${++count}`;
  const people = [`ORGANIZER:${ANNA}`, ...[ANNA, ...guests].map((one) => `ATTENDEE;PARTSTAT=NEEDS-ACTION:${one}`)];
  const event = [
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20260105T100000Z',
    'DTEND:20260105T110000Z',
    'SUMMARY:Plan',
  ];
  return { uid, text: calendar([...event, ...people, ...lines]) };
}

function calendar(...events: readonly (readonly string[])[]): string {
  const inner = events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...inner, 'END:VCALENDAR', ''].join('\r\n');
}

async function put(api: Api, { uid, text }: Meeting, headers: Record<string, string> = {}): Promise<Response> {
  return api(`r/Calendar/${uid}.ics`, { method: 'PUT', headers: { ...TYPE, ...headers }, body: text });
}

async function get(api: Api, uid: string): Promise<string> {
  const response = await api(`r/Calendar/${uid}.ics`);
  return response.status === 200 ? (await response.text()).replaceAll('\r\n ', '') : '';
}

/** of a line like `ATTENDEE;PARTSTAT=ACCEPTED;…:mailto:ben@host` */
function partstat(text: string, address: string): string {
  const line = text.split('\r\n').find((one) => one.startsWith('ATTENDEE') && one.endsWith(`:${address}`));
  return /PARTSTAT=([A-Z-]+)/.exec(line ?? '')?.[1] ?? '';
}

/** Deliveries go on in the background. */
function settled(check: () => Promise<unknown>): Promise<void> {
  return eventually(async () => {
    await check();
    return true;
  }, true);
}

/** His copy, with another answer of his. */
async function answer(api: Api, uid: string, address: string, partstat: string): Promise<Response> {
  const text = await get(api, uid);
  const lines = text.split('\r\n').map((line) => {
    return line.startsWith('ATTENDEE') && line.endsWith(`:${address}`)
      ? `ATTENDEE;PARTSTAT=${partstat}:${address}`
      : line;
  });
  return put(api, { uid, text: lines.join('\r\n') });
}

describe('an invitation', () => {
  it('is in the calendars of the guests, and their answers in that of the organizer', async () => {
    const first = meeting([BEN, CORA]);
    const response = await put(anna, first);
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('etag'), null, 'what is stored is not what came');
    const tag = response.headers.get('schedule-tag');
    assert.match(tag!, /^"\d+"$/);
    const stored = await get(anna, first.uid);
    assert.match(stored, new RegExp(`ATTENDEE;PARTSTAT=NEEDS-ACTION;SCHEDULE-STATUS=1\\.2:${BEN}`));

    await settled(async () => assert.equal(partstat(await get(ben, first.uid), BEN), 'NEEDS-ACTION'));
    assert.doesNotMatch(await get(ben, first.uid), /SCHEDULE-STATUS|METHOD/);
    assert.equal((await answer(ben, first.uid, BEN, 'ACCEPTED')).status, 204);
    await settled(async () => assert.equal(partstat(await get(anna, first.uid), BEN), 'ACCEPTED'));
    // and the other guest hears of it
    await settled(async () => assert.equal(partstat(await get(cora, first.uid), BEN), 'ACCEPTED'));
    const now = await anna(`r/Calendar/${first.uid}.ics`);
    assert.equal(now.headers.get('schedule-tag'), tag, 'an answer is no change of the invitation');
  });

  it('follows its organizer: another time, an instance, a guest less, the end', async () => {
    const first = meeting([BEN, CORA], ['RRULE:FREQ=WEEKLY;COUNT=3']);
    await put(anna, first);
    await settled(async () => assert.notEqual(await get(ben, first.uid), ''));
    await answer(ben, first.uid, BEN, 'ACCEPTED');
    await settled(async () => assert.equal(partstat(await get(anna, first.uid), BEN), 'ACCEPTED'));
    // another time: Ben is asked again
    const moved = first.text.replace('T100000Z', 'T103000Z');
    assert.equal((await put(anna, { ...first, text: moved })).status, 204);
    await settled(async () => {
      const copy = await get(ben, first.uid);
      assert.match(copy, /DTSTART:20260105T103000Z/);
      assert.equal(partstat(copy, BEN), 'NEEDS-ACTION');
    });
    // one instance without Cora
    const people = [`ORGANIZER:${ANNA}`, `ATTENDEE:${ANNA}`, `ATTENDEE:${BEN}`];
    const instance = [
      `UID:${first.uid}`,
      'RECURRENCE-ID:20260112T103000Z',
      'DTSTAMP:20260101T000000Z',
      'DTSTART:20260112T103000Z',
      'DTEND:20260112T110000Z',
      ...people,
    ];
    const override = `BEGIN:VEVENT\r\n${instance.join('\r\n')}\r\nEND:VEVENT\r\nEND:VCALENDAR`;
    assert.equal((await put(anna, { ...first, text: moved.replace('END:VCALENDAR', override) })).status, 204);
    await settled(async () => assert.match(await get(cora, first.uid), /EXDATE:20260112T103000Z/));
    await settled(async () => assert.match(await get(ben, first.uid), /RECURRENCE-ID:20260112T103000Z/));
    // Cora is invited no more
    const without = moved.replace(`ATTENDEE;PARTSTAT=NEEDS-ACTION:${CORA}\r\n`, '');
    assert.equal((await put(anna, { ...first, text: without })).status, 204);
    await settled(async () => assert.match(await get(cora, first.uid), /STATUS:CANCELLED/));
    assert.equal((await anna(`r/Calendar/${first.uid}.ics`, { method: 'DELETE' })).status, 204);
    await settled(async () => assert.match(await get(ben, first.uid), /STATUS:CANCELLED/));
  });

  it('is declined by who deletes it, unless he asks for silence', async () => {
    const [first, second] = [meeting([BEN]), meeting([BEN])];
    for (const one of [first, second]) {
      await put(anna, one);
      await settled(async () => assert.notEqual(await get(ben, one.uid), ''));
    }
    const silence = { 'schedule-reply': 'F' };
    assert.equal((await ben(`r/Calendar/${second.uid}.ics`, { method: 'DELETE', headers: silence })).status, 204);
    assert.equal((await ben(`r/Calendar/${first.uid}.ics`, { method: 'DELETE' })).status, 204);
    await settled(async () => assert.equal(partstat(await get(anna, first.uid), BEN), 'DECLINED'));
    assert.equal(partstat(await get(anna, second.uid), BEN), 'NEEDS-ACTION');
  });

  it('is taken back or declined by who moves it out of his calendars, but not within them', async () => {
    const [first, second] = [meeting([BEN]), meeting([BEN])];
    for (const one of [first, second]) {
      await put(anna, one);
      await settled(async () => assert.notEqual(await get(ben, one.uid), ''));
    }
    const move = (api: Api, uid: string, room: string) =>
      api(`r/Calendar/${uid}.ics`, { method: 'MOVE', headers: { destination: `/svc/r/${room}/` } });
    assert.equal((await ben('r/Second/', { method: 'MKCALENDAR' })).status, 201);
    assert.equal((await move(ben, first.uid, 'Second')).status, 201);
    assert.equal((await move(anna, second.uid, 'Trash')).status, 201);
    await settled(async () => assert.match(await get(ben, second.uid), /STATUS:CANCELLED/));
    assert.equal(partstat(await get(anna, first.uid), BEN), 'NEEDS-ACTION');
    // where it is now it follows its organizer
    await put(anna, { ...first, text: first.text.replace('SUMMARY:Plan', 'SUMMARY:Talk') });
    await settled(async () => assert.match(await (await ben(`r/Second/${first.uid}.ics`)).text(), /SUMMARY:Talk/));
    assert.equal(await get(ben, first.uid), '');
    // and is there once
    const again = await put(ben, { uid: first.uid, text: await (await ben(`r/Second/${first.uid}.ics`)).text() });
    assert.equal(again.status, 403);
    assert.match(await again.text(), /<C:unique-scheduling-object-resource/);
    assert.equal(
      (await ben(`r/Second/${first.uid}.ics`, { method: 'MOVE', headers: { destination: '/svc/r/Trash/' } })).status,
      201,
    );
    await settled(async () => assert.equal(partstat(await get(anna, first.uid), BEN), 'DECLINED'));
  });

  it('goes out when it is moved or copied into a calendar, which has it once', async () => {
    assert.equal((await anna('r/Aside/', { method: 'MKCALENDAR' })).status, 201);
    const toss = async (uid: string, method: string, from: string, to: string) =>
      (await anna(`r/${from}/${uid}.ics`, { method, headers: { destination: `/svc/r/${to}/${uid}.ics` } })).status;
    const second = meeting([BEN]);
    const shared = { name: 'Shared calendar', view: 3 };
    const json = { 'content-type': 'application/json' };
    assert.equal((await anna('r/', { method: 'POST', headers: json, body: JSON.stringify(shared) })).status, 201);
    const there = 'Shared%20calendar';
    const stored = await anna(`r/${there}/${second.uid}.ics`, { method: 'PUT', headers: TYPE, body: second.text });
    assert.equal(stored.status, 201);
    assert.equal(await get(ben, second.uid), '', 'a calendar of several people sends nothing');
    assert.equal(await toss(second.uid, 'COPY', there, 'Calendar'), 201);
    await settled(async () => assert.notEqual(await get(ben, second.uid), ''));
    assert.match((await anna(`r/Calendar/${second.uid}.ics`)).headers.get('schedule-tag') ?? '', /^"\d+"$/);
    assert.equal(await toss(second.uid, 'COPY', 'Calendar', 'Aside'), 403, 'unique-scheduling-object-resource');
    assert.equal(await toss(second.uid, 'MOVE', 'Calendar', 'Aside'), 201);
    const whole = await anna('r/Aside/', { method: 'COPY', headers: { destination: '/svc/r/Twice/' } });
    assert.equal(whole.status, 403);
    assert.match(await whole.text(), /<C:unique-scheduling-object-resource/);
    assert.equal((await anna('r/Twice/')).status, 404);
    const third = meeting([BEN]);
    await anna(`r/${there}/${third.uid}.ics`, { method: 'PUT', headers: TYPE, body: third.text });
    assert.equal(await toss(third.uid, 'MOVE', there, 'Calendar'), 201);
    await settled(async () => assert.notEqual(await get(ben, third.uid), ''));
    assert.equal((await answer(ben, third.uid, BEN, 'ACCEPTED')).status, 204);
    await settled(async () => assert.equal(partstat(await get(anna, third.uid), BEN), 'ACCEPTED'));
  });

  it('goes with its calendar: taken back by who organizes it, declined by who is invited', async () => {
    for (const api of [anna, ben]) assert.equal((await api('r/Going/', { method: 'MKCALENDAR' })).status, 201);
    const [own, other] = [meeting([BEN]), meeting([BEN])];
    const headers = TYPE;
    assert.equal((await anna(`r/Going/${own.uid}.ics`, { method: 'PUT', headers, body: own.text })).status, 201);
    await put(anna, other);
    const plain = {
      uid: 'plain-1',
      text: calendar(['UID:plain-1', 'DTSTAMP:20260101T000000Z', 'DTSTART:20260105T100000Z']),
    };
    assert.equal((await anna('r/Going/plain-1.ics', { method: 'PUT', headers, body: plain.text })).status, 201);
    for (const { uid } of [own, other]) await settled(async () => assert.notEqual(await get(ben, uid), ''));
    const destination = '/svc/r/Going/';
    assert.equal((await ben(`r/Calendar/${other.uid}.ics`, { method: 'MOVE', headers: { destination } })).status, 201);

    assert.equal((await anna('r/Going/', { method: 'DELETE' })).status, 204);
    assert.equal((await anna('r/Going/')).status, 404);
    await settled(async () => assert.match(await get(ben, own.uid), /STATUS:CANCELLED/));
    assert.equal((await ben('r/Going/', { method: 'DELETE' })).status, 204);
    await settled(async () => assert.equal(partstat(await get(anna, other.uid), BEN), 'DECLINED'));
  });

  it('is the organizer’s to change, with a precondition that says so', async () => {
    const first = meeting([BEN]);
    await put(anna, first);
    await settled(async () => assert.notEqual(await get(ben, first.uid), ''));
    const copy = await get(ben, first.uid);
    const moved = copy.replace('T100000Z', 'T090000Z');
    const refused = await put(ben, { ...first, text: moved });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /<C:allowed-attendee-scheduling-object-change/);
    const late = { 'if-match': '"1"' };
    assert.equal((await put(ben, { ...first, text: moved }, late)).status, 412);
    assert.equal(await get(ben, first.uid), copy);
    const named = await put(ben, { ...first, text: copy.replace('SUMMARY:Plan', 'SUMMARY:Party\r\nLOCATION:') });
    assert.deepEqual([named.status, named.headers.get('etag')], [204, null], 'what is stored is not what came');
    assert.deepEqual((await get(ben, first.uid)).split('\r\n').sort(), copy.split('\r\n').sort());
    const alarm = 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT';
    const own = await put(ben, { ...first, text: copy.replace('END:VEVENT', alarm) });
    assert.equal(own.status, 204);
    assert.notEqual(own.headers.get('etag'), null, 'stored as it came');
  });

  it('takes principals for addresses, as calendar-user-address-set tells them', async () => {
    const uid = `meeting-${++count}`;
    const people = ['ORGANIZER:/svc/u/anna/', 'ATTENDEE:/svc/u/anna/', 'ATTENDEE:/svc/u/ben/', 'ATTENDEE:/svc/u/%zz/'];
    const times = ['DTSTAMP:20260101T000000Z', 'DTSTART:20260105T100000Z'];
    await put(anna, { uid, text: calendar([`UID:${uid}`, ...times, ...people]) });
    assert.match(await get(anna, uid), /SCHEDULE-STATUS=1\.2:\/svc\/u\/ben\//);
    assert.match(await get(anna, uid), /SCHEDULE-STATUS=3\.7:\/svc\/u\/%zz\//);
    await settled(async () => assert.notEqual(await get(ben, uid), ''));
    assert.equal((await answer(ben, uid, '/svc/u/ben/', 'ACCEPTED')).status, 204);
    await settled(async () => assert.equal(partstat(await get(anna, uid), '/svc/u/ben/'), 'ACCEPTED'));
  });

  it('says what became of guests who are not here', async () => {
    const first = meeting(['mailto:x@elsewhere.example', BEN.replace('ben', 'nobody')]);
    await put(anna, first);
    const stored = await get(anna, first.uid);
    assert.match(stored, /SCHEDULE-STATUS=5\.2:mailto:x@elsewhere/);
    assert.match(stored, /SCHEDULE-STATUS=3\.7:mailto:nobody@/);
  });

  it('is not sent twice, nor from a public room, nor for somebody else', async () => {
    const first = meeting([BEN]);
    await put(anna, first);
    await settled(async () => assert.notEqual(await get(ben, first.uid), ''));
    const copy = await get(ben, first.uid);
    const again = await put(anna, first);
    assert.match(again.headers.get('schedule-tag')!, /^"\d+"$/);
    assert.equal(await get(ben, first.uid), copy);
    // Cora puts a meeting of Anna's with Ben: it is no business of hers
    const forged = meeting([BEN]);
    assert.equal((await put(cora, forged)).status, 201);
    assert.equal(await get(ben, forged.uid), '');
  });
});

describe('If-Schedule-Tag-Match', () => {
  it('lets through what an answer has changed meanwhile, and keeps that answer', async () => {
    const first = meeting([BEN]);
    const tag = (await put(anna, first)).headers.get('schedule-tag')!;
    await settled(async () => assert.notEqual(await get(ben, first.uid), ''));
    await answer(ben, first.uid, BEN, 'TENTATIVE');
    await settled(async () => assert.equal(partstat(await get(anna, first.uid), BEN), 'TENTATIVE'));
    const changed = { ...first, text: first.text.replace('SUMMARY:Plan', 'SUMMARY:Talk') };
    const put1 = await put(anna, changed, { 'if-schedule-tag-match': tag });
    assert.equal(put1.status, 204);
    assert.equal(partstat(await get(anna, first.uid), BEN), 'TENTATIVE');
    assert.equal((await put(anna, first, { 'if-schedule-tag-match': tag })).status, 412);
    const remove = { method: 'DELETE', headers: { 'if-schedule-tag-match': tag } };
    assert.equal((await anna(`r/Calendar/${first.uid}.ics`, remove)).status, 412);
    assert.match(await get(anna, first.uid), /SUMMARY:Talk/);
  });
});

async function xml(api: Api, method: string, path: string, body: string, headers: Record<string, string> = {}) {
  const response = await api(path, { method, headers: { ...XML, ...headers }, body });
  return { status: response.status, text: await response.text() };
}

const XML = { 'content-type': 'application/xml' };

describe('the scheduling inbox', () => {
  const hrefsIn = (text: string) => [...text.matchAll(/<D:href>([^<]+)<\/D:href>/g)].map((match) => match[1]!);

  it('is found from the principal, lists messages, gives and removes them', async () => {
    const asked = `<D:propfind ${DAV}><D:prop><C:schedule-inbox-URL/><C:schedule-outbox-URL/></D:prop></D:propfind>`;
    const principal = await xml(cora, 'PROPFIND', 'u/cora/', asked, { depth: '0' });
    assert.match(principal.text, /<C:schedule-inbox-URL><D:href>\/svc\/u\/cora\/inbox\/<\/D:href>/);
    assert.match(principal.text, /<C:schedule-outbox-URL><D:href>\/svc\/u\/cora\/outbox\/<\/D:href>/);

    const first = meeting([CORA]);
    await put(anna, first);
    const wanted = '<D:resourcetype/><D:getetag/><C:schedule-default-calendar-URL/>';
    const props = `<D:propfind ${DAV}><D:prop>${wanted}</D:prop></D:propfind>`;
    await settled(async () => {
      const { text } = await xml(cora, 'PROPFIND', 'u/cora/inbox/', props, { depth: '1' });
      assert.match(text, /<C:schedule-inbox\/>/);
      assert.match(text, /<C:schedule-default-calendar-URL><D:href>\/svc\/r\/Calendar\//);
      const last = hrefsIn(text).at(-1)!;
      assert.match(await (await cora(last)).text(), new RegExp(`METHOD:REQUEST[\\s\\S]*UID:${first.uid}`));
    });
    const wantedState = '<D:sync-token/><CS:getctag xmlns:CS="http://calendarserver.org/ns/"/>';
    const tags = `<D:propfind ${DAV}><D:prop>${wantedState}</D:prop></D:propfind>`;
    const state = await xml(cora, 'PROPFIND', 'u/cora/inbox/', tags, { depth: '0' });
    assert.match(state.text, /<D:sync-token>data:,[^<]+<\/D:sync-token><CS:getctag>data:,/);
    const filter = '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>';
    const data = '<D:prop><D:getetag/><C:calendar-data/></D:prop>';
    const query = `<C:calendar-query ${DAV}>${data}${filter}</C:calendar-query>`;
    const report = await xml(cora, 'REPORT', 'u/cora/inbox/', query, { depth: '1' });
    assert.equal(report.status, 207);
    assert.match(report.text, new RegExp(`METHOD:REQUEST[\\s\\S]*UID:${first.uid}`));
    const last = hrefsIn(report.text).at(-1)!;
    const multiget = `<C:calendar-multiget ${DAV}>${data}<D:href>${last}</D:href></C:calendar-multiget>`;
    assert.match((await xml(cora, 'REPORT', 'u/cora/inbox/', multiget)).text, new RegExp(`UID:${first.uid}`));

    assert.equal((await cora(last, { method: 'DELETE' })).status, 204);
    assert.equal((await cora(last)).status, 404);
    assert.equal(partstat(await get(anna, first.uid), CORA), 'NEEDS-ACTION', 'who tidies up has not declined');
  });

  it('is its owner’s only, and in no list of rooms', async () => {
    for (const path of ['u/cora/inbox/', 'u/cora/outbox/']) {
      assert.equal((await xml(ben, 'PROPFIND', path, '', { depth: '0' })).status, 403);
    }
    const rooms = (await (await cora('r/')).json()) as { name: string }[];
    assert.ok(rooms.every(({ name }) => !name.includes('Scheduling')));
  });
});

describe('the calendar for new events', () => {
  const asked = `<D:propfind ${DAV}><D:prop><C:schedule-default-calendar-URL/></D:prop></D:propfind>`;
  const shown = async (api: Api, user: string) => {
    const { text } = await xml(api, 'PROPFIND', `u/${user}/inbox/`, asked, { depth: '0' });
    return /<C:schedule-default-calendar-URL><D:href>([^<]*)</.exec(text)?.[1];
  };
  const set = (api: Api, user: string, inner: string, more = '') =>
    xml(
      api,
      'PROPPATCH',
      `u/${user}/inbox/`,
      `<D:propertyupdate ${DAV}><D:set><D:prop>${more}<C:schedule-default-calendar-URL>${inner}` +
        '</C:schedule-default-calendar-URL></D:prop></D:set></D:propertyupdate>',
    );
  const hrefOf = (path: string) => `<D:href>${path}</D:href>`;
  const stored = async (path: string) => (await cora(path)).status;

  it('is one of the user’s own, which he chooses; the next one where it is gone', async () => {
    assert.equal(await shown(cora, 'cora'), '/svc/r/Calendar/');
    assert.equal((await cora('r/Work/', { method: 'MKCALENDAR' })).status, 201);
    assert.match((await set(cora, 'cora', hrefOf('/svc/r/Work/'))).text, /200 OK/);
    assert.equal(await shown(cora, 'cora'), '/svc/r/Work/');
    const first = meeting([CORA]);
    await put(anna, first);
    await settled(async () => assert.equal(await stored(`r/Work/${first.uid}`), 200));
    assert.equal(await stored(`r/Calendar/${first.uid}`), 404);

    assert.match((await set(cora, 'cora', '')).text, /200 OK/);
    assert.equal(await shown(cora, 'cora'), '/svc/r/Calendar/', 'left to the server');
    await set(cora, 'cora', hrefOf('/svc/r/Work/'));
    assert.equal((await cora('r/Work/', { method: 'DELETE' })).status, 204);
    assert.equal(await shown(cora, 'cora'), '/svc/r/Calendar/');
    const second = meeting([CORA]);
    await put(anna, second);
    await settled(async () => assert.equal(await stored(`r/Calendar/${second.uid}`), 200));
  });

  it('is no room of another kind, of others, or that is not there', async () => {
    const wrong = [
      '/svc/r/Tasks/',
      '/svc/r/Lobby/',
      '/svc/r/None/',
      '/svc/r/Calendar/one.ics',
      '/other/',
      'x',
      '/svc/u/cora/',
    ];
    for (const path of wrong) {
      const { status, text } = await set(ben, 'ben', hrefOf(path));
      assert.equal(status, 207);
      assert.match(text, /403 Forbidden<\/D:status><D:error><C:valid-schedule-default-calendar-URL\/>/, path);
    }
    const two = await set(ben, 'ben', hrefOf('/svc/r/Calendar/').repeat(2));
    assert.match(two.text, /valid-schedule-default-calendar-URL\/><\/D:error>/);
    const withAnother = await set(ben, 'ben', hrefOf('/svc/r/Calendar/'), '<D:displayname>Inbox</D:displayname>');
    assert.match(withAnother.text, /424 Failed Dependency/);
    assert.equal((await set(anna, 'ben', hrefOf('/svc/r/Calendar/'))).status, 403);
    assert.equal(await shown(ben, 'ben'), '/svc/r/Calendar/');
  });
});

describe('the scheduling outbox', () => {
  const request = (lines: readonly string[], component = 'VFREEBUSY', method = 'REQUEST') =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Test//EN',
      `METHOD:${method}`,
      `BEGIN:${component}`,
      'UID:busy-1',
      'DTSTAMP:20260101T000000Z',
      ...lines,
      `END:${component}`,
      'END:VCALENDAR',
      '',
    ].join('\r\n');
  const times = ['DTSTART:20270301T000000Z', 'DTEND:20270302T000000Z'];
  const ask = (api: Api, text: string, name = 'anna') =>
    api(`u/${name}/outbox/`, { method: 'POST', headers: TYPE, body: text });

  it('says when people who are here are busy, and nothing else', async () => {
    const text = calendar([
      'UID:secret',
      'DTSTAMP:20260101T000000Z',
      'DTSTART:20270301T090000Z',
      'DTEND:20270301T100000Z',
      'SUMMARY:Secret',
    ]);
    assert.equal((await put(ben, { uid: 'secret', text })).status, 201);
    const nobody = BEN.replace('ben', 'nobody');
    const response = await ask(anna, request([...times, `ORGANIZER:${ANNA}`, `ATTENDEE:${BEN}`, `ATTENDEE:${nobody}`]));
    assert.equal(response.status, 200);
    const answer = await response.text();
    assert.match(answer, new RegExp(`<D:href>${BEN}</D:href></C:recipient><C:request-status>2\\.0;Success`));
    assert.match(answer, /FREEBUSY:20270301T090000Z\/PT1H/);
    assert.match(answer, new RegExp(`<D:href>${nobody}</D:href></C:recipient><C:request-status>3\\.7;`));
    assert.doesNotMatch(answer, /Secret/);
  });

  it('does not count a calendar that its owner has taken out', async () => {
    const question = request([...times, `ORGANIZER:${ANNA}`, `ATTENDEE:${CORA}`]);
    const event = ['DTSTAMP:20260101T000000Z', 'DTSTART:20270301T120000Z', 'DTEND:20270301T130000Z'];
    await put(cora, { uid: 'free', text: calendar(['UID:free', ...event]) });
    assert.match(await (await ask(anna, question)).text(), /FREEBUSY:20270301T120000Z/);
    const set = (value: string) =>
      `<D:propertyupdate ${DAV}><D:set><D:prop><C:schedule-calendar-transp><C:${value}/></C:schedule-calendar-transp>` +
      '</D:prop></D:set></D:propertyupdate>';
    assert.match((await xml(cora, 'PROPPATCH', 'r/Calendar/', set('transparent'))).text, /200 OK/);
    assert.doesNotMatch(await (await ask(anna, question)).text(), /FREEBUSY:/);
    assert.match((await xml(cora, 'PROPPATCH', 'r/Calendar/', set('opaque'))).text, /200 OK/);
    assert.match(await (await ask(anna, question)).text(), /FREEBUSY:20270301T120000Z/);
  });

  it('takes nothing else, and questions of the caller only', async () => {
    const people = [`ORGANIZER:${ANNA}`, `ATTENDEE:${BEN}`];
    const refused = async (text: string, condition: string, headers = TYPE) => {
      const response = await anna('u/anna/outbox/', { method: 'POST', headers, body: text });
      assert.equal(response.status, 403);
      assert.match(await response.text(), new RegExp(`<C:${condition}`));
    };
    await refused('no calendar', 'valid-calendar-data');
    await refused(request([...times, ...people], 'VEVENT'), 'valid-scheduling-message');
    await refused(request([...times, ...people], 'VFREEBUSY', 'REPLY'), 'valid-scheduling-message');
    await refused(request(people), 'valid-scheduling-message');
    await refused(request([...times, `ORGANIZER:${BEN}`, `ATTENDEE:${BEN}`]), 'valid-organizer');
    await refused(request([...times, ...people]), 'supported-calendar-data', { 'content-type': 'text/plain' });
    assert.equal((await ask(ben, request([...times, ...people]))).status, 403);
  });
});

describe('schedule-tag', () => {
  it('is a property of invitations, in lists and in reports', async () => {
    const first = meeting([BEN]);
    const tag = (await put(anna, first)).headers.get('schedule-tag')!;
    const asked = `<D:prop><D:getetag/><C:schedule-tag/></D:prop>`;
    const found = new RegExp(`${first.uid}\\.ics</D:href>.*?<C:schedule-tag>${tag}</C:schedule-tag>`);
    const list = await xml(anna, 'PROPFIND', 'r/Calendar/', `<D:propfind ${DAV}>${asked}</D:propfind>`, { depth: '1' });
    assert.match(list.text, /<C:schedule-tag>/);
    const href = `/svc/r/Calendar/${first.uid}.ics`;
    const one = await xml(anna, 'PROPFIND', href, `<D:propfind ${DAV}>${asked}</D:propfind>`, { depth: '0' });
    assert.match(one.text, found);
    const body = `<C:calendar-multiget ${DAV}>${asked}<D:href>${href}</D:href></C:calendar-multiget>`;
    assert.match((await xml(anna, 'REPORT', 'r/Calendar/', body)).text, found);
  });
});
