// POST of an answer to an invitation that has come as mail.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { postedNumber, startGateway } from '../../support/gateway.ts';

const gateway = await startGateway({ after }, { demo: true });
const [alice, bob] = [gateway.as('alice'), gateway.as('bob')];
const { email } = (await (await bob('a/whoami')).json()) as { email: string };
const ORGANIZER = email.replace('bob@', 'alice@');
const INVITATION = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:by-mail',
  'DTSTAMP:20260101T000000Z',
  'DTSTART:20260105T100000Z',
  'DTEND:20260105T110000Z',
  `ORGANIZER:mailto:${ORGANIZER}`,
  `ATTENDEE;RSVP=TRUE:mailto:${email}`,
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

async function mailed(type: string, body: string): Promise<number> {
  postedNumber(await alice('r/Mail/new?mailto=bob', { method: 'PUT', headers: { 'content-type': type }, body }));
  return Math.max(...((await (await bob('r/Mail/msgs.all')).json()) as number[]));
}
const answer = (msgnum: number, body: string, api = bob) =>
  api(`r/Mail/${msgnum}/invitation`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

it('An answer is one of three words, or none, and nothing beside it', async () => {
  const msgnum = await mailed('text/calendar; method=REQUEST', INVITATION);
  for (const body of [
    '{"answer":"Accepted"}',
    '{"answer":null}',
    '{"answer":["accepted"]}',
    '{"answer":"accepted","comment":"yes"}',
    '{"answer":"__proto__"}',
    '{}',
    'null',
    '"accepted"',
    '{',
  ]) {
    assert.equal((await answer(msgnum, body)).status, 400, body);
  }
  assert.equal((await bob('r/Calendar/by-mail.ics')).status, 404, 'nothing was changed');
  const accepted = await answer(msgnum, '{"answer":"accepted"}');
  assert.equal(accepted.status, 200);
  const { room, msgnum: stored } = (await accepted.json()) as { room: string; msgnum: number };
  assert.equal(room, 'Calendar');
  assert.match(await (await bob(`r/Calendar/${stored}`)).text(), /PARTSTAT=ACCEPTED/);
});

it('What is no invitation, or nothing, is not answered, nor by a guest', async () => {
  const letter = await mailed('text/plain', 'hello');
  assert.equal((await answer(letter, '{"answer":"accepted"}')).status, 409);
  assert.equal((await answer(999_999, '{"answer":"accepted"}')).status, 404);
  assert.equal((await answer(letter, '{"answer":"accepted"}', gateway.api)).status, 401);
  assert.equal((await alice(`r/Mail/${letter}/invitation`)).status, 405, 'there is only the POST');
});

it('nothing of it was a fault', () => assert.deepEqual(gateway.faults, []));
