// An invitation that has come as mail, at the embedded room server: it is taken into the calendar with an answer.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import { CALENDAR_TYPE, meetingOf, startPeople } from '../../../support/meetings.ts';

const { api, addresses, put, get } = await startPeople({ after }, ['anna', 'ben']);
const { anna: ANNA, ben: BEN } = addresses as { anna: string; ben: string };

/** The number of a mail to ben. */
async function mailed(text: string, type = CALENDAR_TYPE['content-type']): Promise<number> {
  const headers = { 'content-type': type };
  const sent = await api('anna')('r/_MAIL_/new?mailto=ben', { method: 'PUT', headers, body: text });
  assert.equal(sent.status, 201);
  const { msgs } = (await (await api('ben')('r/_MAIL_/mailbox')).json()) as { msgs: { msgnum: number }[] };
  return Math.max(...msgs.map(({ msgnum }) => msgnum));
}

function answer(msgnum: number, body: object, name = 'ben') {
  const headers = { 'content-type': 'application/json' };
  return api(name)(`r/_MAIL_/${msgnum}/invitation`, { method: 'POST', headers, body: JSON.stringify(body) });
}

const withMethod = (text: string, method: string) => text.replace('VERSION:2.0', `VERSION:2.0\r\nMETHOD:${method}`);

it('it is put into the calendar with the answer, and again with another one', async () => {
  const text = withMethod(meetingOf('mail-1', 'mailto:boss@elsewhere', [BEN]).text, 'REQUEST');
  const number = await mailed(text);
  assert.equal(await get('ben', 'mail-1'), '', 'a mail changes no calendar by itself');
  const accepted = await answer(number, { answer: 'accepted' });
  assert.equal(accepted.status, 200);
  const { room, msgnum } = (await accepted.json()) as { room: string; msgnum: number };
  assert.equal(room, 'Calendar');
  assert.equal((await api('ben')(`r/Calendar/${msgnum}`)).status, 200);
  assert.match(await get('ben', 'mail-1'), /PARTSTAT=ACCEPTED[^\r]*:mailto:ben@/);
  assert.doesNotMatch(await get('ben', 'mail-1'), /METHOD/);
  assert.equal((await answer(number, { answer: 'declined' })).status, 200);
  assert.match(await get('ben', 'mail-1'), /PARTSTAT=DECLINED[^\r]*:mailto:ben@/);
});

it('a cancellation takes no answer, and marks the event', async () => {
  const { text } = meetingOf('mail-2', 'mailto:boss@elsewhere', [BEN], ['SEQUENCE:0']);
  assert.equal((await answer(await mailed(withMethod(text, 'REQUEST')), { answer: 'tentative' })).status, 200);
  const cancel = withMethod(text, 'CANCEL').replace('SEQUENCE:0', 'SEQUENCE:1\r\nSTATUS:CANCELLED');
  const number = await mailed(cancel);
  assert.equal((await answer(number, { answer: 'accepted' })).status, 400);
  assert.equal((await answer(number, {})).status, 200);
  assert.match(await get('ben', 'mail-2'), /STATUS:CANCELLED/);
});

it('the organizer who is here is told', async () => {
  await put('anna', meetingOf('mail-3', ANNA, [BEN]));
  await eventually(async () => (await get('ben', 'mail-3')) !== '', true);
  const text = withMethod(meetingOf('mail-3', ANNA, [BEN]).text, 'REQUEST');
  const accepted = await answer(await mailed(text), { answer: 'accepted' });
  assert.equal(accepted.status, 200);
  const { schedule_status } = (await accepted.json()) as { schedule_status: string };
  assert.equal(schedule_status, '1.2');
  await eventually(async () => /PARTSTAT=ACCEPTED[^\r]*:mailto:ben@/.test(await get('anna', 'mail-3')), true);
});

it('what is no invitation, or invites somebody else, changes nothing', async () => {
  const other = meetingOf('mail-4', 'mailto:boss@elsewhere', ['mailto:dora@elsewhere']).text;
  for (const [text, type] of [
    ['no invitation', 'text/plain'],
    [meetingOf('mail-4', ANNA, [BEN]).text, CALENDAR_TYPE['content-type']],
    [withMethod(other, 'REQUEST'), 'text/calendar; method=REQUEST'],
    ['BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n', 'text/calendar; method=REQUEST'],
  ] as const) {
    assert.equal((await answer(await mailed(text, type), { answer: 'accepted' })).status, 409, text.slice(0, 60));
  }
  assert.equal(await get('ben', 'mail-4'), '');
  assert.equal((await answer(999_999, { answer: 'accepted' })).status, 404);
});

it('a request without an answer, or with one that there is not, is refused', async () => {
  const number = await mailed(withMethod(meetingOf('mail-5', 'mailto:boss@elsewhere', [BEN]).text, 'REQUEST'));
  for (const body of [{}, { answer: 'perhaps' }, { answer: 'accepted', more: 1 }, []]) {
    assert.equal((await answer(number, body)).status, 400, JSON.stringify(body));
  }
  assert.equal(await get('ben', 'mail-5'), '');
});
