// Invitations by mail, in front of a room server that has no verb to deliver them (RFC 6047), and the answers to them.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MAX_INVITATION_BYTES, MAX_PROBED_GUESTS } from '../../src/limits/dav.ts';
import { type Api, startGateway } from '../support/gateway.ts';
import { startRealServer } from '../support/real-server.ts';

const TYPE = { 'content-type': 'text/calendar; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json' };

async function world(t: TestContext) {
  const real = await startRealServer(t, { users: { anna: 4, ben: 4 } });
  const gateway = await startGateway(t, { backend: `unix:${real.path}` });
  const [anna, ben] = ['anna', 'ben'].map((name) => gateway.as(name, `${name}pw`)) as [Api, Api];
  const { email } = (await (await ben('a/whoami')).json()) as { email: string };
  const host = email.split('@')[1];
  return { anna, ben, ANNA: `mailto:anna@${host}`, BEN: `mailto:ben@${host}` };
}

function meeting(organizer: string, guests: readonly string[], lines: readonly string[] = []): string {
  const people = [`ORGANIZER:${organizer}`, ...guests.map((one) => `ATTENDEE;RSVP=TRUE:${one}`)];
  const event = [
    'UID:by-mail',
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20260105T100000Z',
    'DTEND:20260105T110000Z',
    'SUMMARY:Plan',
  ];
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'BEGIN:VEVENT',
    ...event,
    ...people,
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

async function get(api: Api): Promise<string> {
  const response = await api('r/Calendar/by-mail.ics');
  return response.status === 200 ? (await response.text()).replaceAll('\r\n ', '') : '';
}

/** Number and subject of the latest mail; undefined where there is none. */
async function latestMail(api: Api): Promise<{ msgnum: number; subject: string } | undefined> {
  const { msgs } = (await (await api('r/_MAIL_/mailbox')).json()) as { msgs: { msgnum: number; subject: string }[] };
  return msgs.sort((one, other) => other.msgnum - one.msgnum)[0];
}

const answer = (api: Api, msgnum: number, body: object) =>
  api(`r/_MAIL_/${msgnum}/invitation`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });

describe('inbox and outbox where invitations come as mail', () => {
  it('are there, and empty', async (t) => {
    const { anna, ANNA, BEN } = await world(t);
    for (const box of ['inbox', 'outbox']) {
      const found = await anna(`u/anna/${box}/`, { method: 'PROPFIND', headers: { depth: '1' } });
      assert.equal(found.status, 207);
      assert.equal((await found.text()).match(/<D:response>/g)?.length, 1);
    }
    assert.equal((await anna('u/anna/inbox/1')).status, 404);
    const lines = ['DTSTART:20260105T100000Z', 'DTEND:20260106T100000Z', `ORGANIZER:${ANNA}`, `ATTENDEE:${BEN}`];
    const body = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:REQUEST', 'BEGIN:VFREEBUSY', 'UID:b', ...lines]
      .concat('END:VFREEBUSY', 'END:VCALENDAR', '')
      .join('\r\n');
    const answer = await anna('u/anna/outbox/', { method: 'POST', headers: TYPE, body });
    assert.match(await answer.text(), /<C:request-status>5\.2;/);
  });
});

describe('an invitation by mail', () => {
  it('comes to the guest, is answered, and its answer is taken over by the organizer', async (t) => {
    const { anna, ben, ANNA, BEN } = await world(t);
    const guests = [BEN, BEN.replace('ben@', 'nobody@'), 'urn:uuid:1'];
    const put = await anna('r/Calendar/by-mail.ics', { method: 'PUT', headers: TYPE, body: meeting(ANNA, guests) });
    assert.equal(put.status, 201);
    const stored = await get(anna);
    assert.match(stored, /SCHEDULE-STATUS=1\.1:mailto:ben@/);
    assert.match(stored, /SCHEDULE-STATUS=3\.7:mailto:nobody@/);
    assert.match(stored, /SCHEDULE-STATUS=5\.2:urn:uuid:1/);

    const mail = (await latestMail(ben))!;
    assert.equal(mail.subject, 'Invitation: Plan');
    assert.equal(await get(ben), '', 'a mail changes no calendar by itself');
    const accepted = await answer(ben, mail.msgnum, { answer: 'accepted' });
    assert.equal(accepted.status, 200);
    const { room, schedule_status } = (await accepted.json()) as { room: string; schedule_status: string };
    assert.deepEqual([room, schedule_status], ['Calendar', '1.1']);
    assert.match(await get(ben), /ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@/);

    const reply = (await latestMail(anna))!;
    assert.equal(reply.subject, 'Accepted: Plan');
    assert.equal((await answer(anna, reply.msgnum, {})).status, 200);
    assert.match(await get(anna), /PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2\.0:mailto:ben@/);
    // another answer, in the calendar
    const text = (await get(ben)).replace('PARTSTAT=ACCEPTED', 'PARTSTAT=DECLINED');
    const changed = await ben('r/Calendar/by-mail.ics', { method: 'PUT', headers: TYPE, body: text });
    assert.equal(changed.status, 204);
    assert.equal((await latestMail(anna))!.subject, 'Declined: Plan');
    // and the end
    assert.equal((await anna('r/Calendar/by-mail.ics', { method: 'DELETE' })).status, 204);
    const cancel = (await latestMail(ben))!;
    assert.equal(cancel.subject, 'Cancelled: Plan');
    assert.equal((await answer(ben, cancel.msgnum, {})).status, 200);
    assert.match(await get(ben), /STATUS:CANCELLED/);
  });

  it('is taken back where its calendar is deleted', async (t) => {
    const { anna, ben, ANNA, BEN } = await world(t);
    assert.equal((await anna('r/Going/', { method: 'MKCALENDAR' })).status, 201);
    const put = await anna('r/Going/by-mail.ics', { method: 'PUT', headers: TYPE, body: meeting(ANNA, [BEN]) });
    assert.equal(put.status, 201);
    assert.equal((await latestMail(ben))!.subject, 'Invitation: Plan');
    assert.equal((await anna('r/Going/', { method: 'DELETE' })).status, 204);
    assert.equal((await latestMail(ben))!.subject, 'Cancelled: Plan');
  });

  it('is offered to MAX_PROBED_GUESTS one by one, where the room server does not take all of them', async (t) => {
    const statusBehind = async (count: number) => {
      const { anna, ANNA, BEN } = await world(t);
      const unknown = Array.from({ length: count }, (_, i) => BEN.replace('ben@', `nobody${i}@`));
      const body = meeting(ANNA, [...unknown, BEN]);
      const put = await anna('r/Calendar/by-mail.ics', { method: 'PUT', headers: TYPE, body });
      assert.ok(put.ok);
      return /SCHEDULE-STATUS=([\d.]+):mailto:ben@/.exec(await get(anna))![1];
    };
    assert.equal(await statusBehind(MAX_PROBED_GUESTS - 1), '1.1');
    assert.equal(await statusBehind(MAX_PROBED_GUESTS), '3.7');
  });

  it('to one instance of a series is answered for this one alone', async (t) => {
    const { anna, ben, ANNA, BEN } = await world(t);
    const series = meeting(ANNA, [BEN], ['RRULE:FREQ=DAILY;COUNT=5']);
    assert.equal((await anna('r/Calendar/by-mail.ics', { method: 'PUT', headers: TYPE, body: series })).status, 201);
    const first = (await latestMail(ben))!;
    assert.equal((await answer(ben, first.msgnum, { answer: 'accepted' })).status, 200);
    // as some programs do, the organizer's sends the instance that has changed, and nothing else
    const moved = meeting(ANNA, [BEN], ['RECURRENCE-ID:20260107T100000Z', 'SEQUENCE:1'])
      .replace('DTSTART:20260105T10', 'DTSTART:20260107T12')
      .replace('DTEND:20260105T11', 'DTEND:20260107T13')
      .replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:REQUEST');
    const headers = { 'content-type': 'text/calendar; method=REQUEST' };
    await anna('r/_MAIL_/new?mailto=ben', { method: 'PUT', headers, body: moved });
    const second = (await latestMail(ben))!;
    assert.notEqual(second.msgnum, first.msgnum);
    assert.equal((await answer(ben, second.msgnum, { answer: 'declined' })).status, 200);
    const [whole = '', instance = ''] = (await get(ben)).split('BEGIN:VEVENT').slice(1);
    assert.match(whole, /PARTSTAT=ACCEPTED[\s\S]*RRULE/);
    assert.match(instance, /RECURRENCE-ID:20260107T100000Z/);
    assert.match(instance, /DTSTART:20260107T12/);
    assert.match(instance, /PARTSTAT=DECLINED/);
    const reply = (await latestMail(anna))!;
    assert.equal(reply.subject, 'Declined: Plan');
    assert.equal((await answer(anna, reply.msgnum, {})).status, 200);
    const [ofSeries = '', ofInstance = ''] = (await get(anna)).split('BEGIN:VEVENT').slice(1);
    assert.doesNotMatch(ofSeries, /DECLINED/);
    assert.match(ofInstance, /RECURRENCE-ID:20260107T100000Z/);
    assert.match(ofInstance, /PARTSTAT=DECLINED/);
  });

  it('to a series is answered for one of it, in its own calendar and in that of who invites', async (t) => {
    const { anna, ben, ANNA, BEN } = await world(t);
    const zoned = meeting(ANNA, [BEN], ['RRULE:FREQ=DAILY;COUNT=5']);
    assert.equal((await anna('r/Calendar/by-mail.ics', { method: 'PUT', headers: TYPE, body: zoned })).status, 201);
    const { msgnum } = (await latestMail(ben))!;
    assert.equal((await answer(ben, msgnum, { answer: 'accepted' })).status, 200);
    assert.equal((await answer(anna, (await latestMail(anna))!.msgnum, {})).status, 200);
    for (const id of ['20260107', '20260107T100001Z', '2026-01-07', '20260110T100000Z', 7]) {
      assert.equal((await answer(ben, msgnum, { answer: 'declined', recurrence_id: id })).status, 400, `${id}`);
    }
    assert.equal((await answer(ben, msgnum, { recurrence_id: '20260107T100000Z' })).status, 400);
    const said = { answer: 'declined', recurrence_id: '20260107T100000Z' };
    assert.equal((await answer(ben, msgnum, said)).status, 200);
    assert.equal((await answer(anna, (await latestMail(anna))!.msgnum, {})).status, 200);
    for (const who of [ben, anna]) {
      const [series = '', one = '', ...more] = (await get(who)).split('BEGIN:VEVENT').slice(1);
      assert.match(series, /PARTSTAT=ACCEPTED[\s\S]*RRULE/);
      assert.doesNotMatch(series, /DECLINED/);
      assert.match(one, /RECURRENCE-ID:20260107T100000Z/);
      assert.match(one, /PARTSTAT=DECLINED/);
      assert.deepEqual(more, []);
    }
    assert.equal((await answer(ben, msgnum, { ...said, answer: 'tentative' })).status, 200);
    assert.equal((await get(ben)).match(/BEGIN:VEVENT/g)?.length, 2);
  });

  it('that is to be decided by a person is refused with what can be done', async (t) => {
    const { anna, ben, ANNA, BEN } = await world(t);
    for (const method of ['COUNTER', 'DECLINECOUNTER', 'REFRESH', 'PUBLISH']) {
      const body = meeting(ANNA, [BEN]).replace('VERSION:2.0', `VERSION:2.0\r\nMETHOD:${method}`);
      const headers = { 'content-type': `text/calendar; method=${method}` };
      await ben('r/_MAIL_/new?mailto=anna', { method: 'PUT', headers, body });
      const refused = await answer(anna, (await latestMail(anna))!.msgnum, {});
      assert.equal(refused.status, 409);
      assert.doesNotMatch(((await refused.json()) as { detail: string }).detail, /nothing new|no invitation/, method);
    }
  });

  it('that is none, or has no place for this answer, is refused', async (t) => {
    const { anna, ben, ANNA, BEN } = await world(t);
    const send = async (type: string, body: string) => {
      const sent = await anna('r/_MAIL_/new?mailto=ben', { method: 'PUT', headers: { 'content-type': type }, body });
      assert.equal(sent.status, 201);
      return (await latestMail(ben))!.msgnum;
    };
    const plain = await send('text/plain', 'no invitation');
    assert.equal((await answer(ben, plain, { answer: 'accepted' })).status, 409);
    const published = await send('text/calendar', meeting(ANNA, [BEN]));
    assert.equal((await answer(ben, published, { answer: 'accepted' })).status, 409);
    const request = meeting(ANNA, [BEN]).replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:REQUEST');
    const invited = await send('text/calendar; method=REQUEST', request);
    assert.equal((await answer(ben, invited, {})).status, 400);
    assert.equal((await answer(ben, invited, { answer: 'perhaps' })).status, 400);
    assert.equal((await answer(ben, invited, { answer: 'toString' })).status, 400);
    assert.equal((await answer(ben, 999_999, { answer: 'accepted' })).status, 404);
    const other = await send('text/calendar; method=REQUEST', request.replaceAll('ben@', 'dora@'));
    assert.equal((await answer(ben, other, { answer: 'accepted' })).status, 409);
    const large = request.replace('SUMMARY:Plan', `SUMMARY:Plan\r\nX-LONG:${'x'.repeat(MAX_INVITATION_BYTES)}`);
    assert.equal(
      (await answer(ben, await send('text/calendar; method=REQUEST', large), { answer: 'accepted' })).status,
      409,
    );
    assert.equal(await get(ben), '');
    assert.equal((await answer(ben, invited, { answer: 'tentative' })).status, 200);
    assert.match(await get(ben), /PARTSTAT=TENTATIVE:mailto:ben@/);
  });
});
