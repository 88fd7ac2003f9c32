// Invitations between people of one server, over HTTP: calendars change, and answers come back (RFC 6638).

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type Api, startGateway } from '../support/gateway.ts';

const NAMES = ['anna', 'ben', 'cora'];
const gateway = await startGateway({ after }, { users: NAMES.map((name) => ({ name, password: name, level: 4 })) });
const [anna, ben, cora] = NAMES.map((name) => gateway.as(name)) as [Api, Api, Api];
const TYPE = { 'content-type': 'text/calendar; charset=utf-8' };

/** `anna@host` */
const addresses = await Promise.all(
  NAMES.map(async (name) => {
    const response = await gateway.as(name)(`u/${name}/`, {
      method: 'PROPFIND',
      headers: { depth: '0' },
      body: '<propfind xmlns="DAV:"><prop><C:calendar-user-address-set xmlns:C="urn:ietf:params:xml:ns:caldav"/></prop></propfind>',
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
  return eventually(async () => (await check(), true), true);
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

  it('is the organizer’s to change, with a precondition that says so', async () => {
    const first = meeting([BEN]);
    await put(anna, first);
    await settled(async () => assert.notEqual(await get(ben, first.uid), ''));
    const copy = await get(ben, first.uid);
    const refused = await put(ben, { ...first, text: copy.replace('SUMMARY:Plan', 'SUMMARY:Party') });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /<C:allowed-attendee-scheduling-object-change/);
    const late = { 'if-match': '"1"' };
    assert.equal((await put(ben, { ...first, text: copy.replace('SUMMARY:Plan', 'SUMMARY:x') }, late)).status, 412);
    assert.equal(await get(ben, first.uid), copy);
    const alarm = 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT';
    const own = await put(ben, { ...first, text: copy.replace('END:VEVENT', alarm) });
    assert.equal(own.status, 204);
    assert.notEqual(own.headers.get('etag'), null, 'stored as it came');
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
