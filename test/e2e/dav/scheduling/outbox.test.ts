// POST on the scheduling outbox: when are these people busy?

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { MAX_BUSY_SECONDS, MAX_BUSY_USERS } from '../../../../src/limits/backend.ts';
import { MAX_BUSY_QUESTION_BYTES } from '../../../../src/limits/dav.ts';
import { utcText } from '../../../../src/mime/objects/calendar-time.ts';
import { CALENDAR_TYPE, startDavWorld } from '../../../support/dav-world.ts';

const { gateway, alice } = await startDavWorld({ after });
const { email } = (await (await gateway.as('alice')('a/whoami')).json()) as { email: string };
const START = Date.UTC(2026, 0, 1) / 1000;

/** A question of alice's; POST is sent as it is. */
async function ask(attendees: readonly string[], seconds = 86_400, lines: readonly string[] = []) {
  const body = question(attendees, seconds, lines);
  const answer = await gateway.as('alice')('u/alice/outbox/', { method: 'POST', headers: CALENDAR_TYPE, body });
  return { status: answer.status, text: (await answer.text()).replaceAll('&#13;\n ', '') };
}

function question(attendees: readonly string[], seconds: number, lines: readonly string[]): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'METHOD:REQUEST',
    'BEGIN:VFREEBUSY',
    'UID:busy-1',
    `DTSTART:${utcText(START)}`,
    `DTEND:${utcText(START + seconds)}`,
    `ORGANIZER;SCHEDULE-AGENT=SERVER:mailto:${email}`,
    ...attendees.map((one) => `ATTENDEE;SCHEDULE-STATUS="1.2":${one}`),
    ...lines,
    'END:VFREEBUSY',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

it('An answer is a reply to the question, without what is between a user and his server', async () => {
  const { status, text } = await ask([`mailto:${email}`]);
  assert.equal(status, 200);
  for (const line of ['METHOD:REPLY', 'UID:busy-1', `ORGANIZER:mailto:${email}`, `ATTENDEE:mailto:${email}`]) {
    assert.ok(text.includes(line), line);
  }
  assert.doesNotMatch(text, /SCHEDULE-/);
});

it('An answer has one line of each kind, however many the question has', async () => {
  const { text } = await ask([`mailto:${email}`], 86_400, ['UID:busy-2', `ORGANIZER:mailto:${email}`]);
  assert.equal(text.match(/^UID:/gm)?.length, 1);
  assert.equal(text.match(/^ORGANIZER:/gm)?.length, 1);
});

it('Each is answered once, and strangers without times', async () => {
  const { text } = await ask([`mailto:${email}`, `mailto:${email}`, 'mailto:nobody@elsewhere.example']);
  assert.equal(text.match(/<C:response>/g)?.length, 2);
  assert.equal(text.match(/<C:calendar-data>/g)?.length, 1);
  assert.match(text, /<C:request-status>5\.2;No way to ask/);
});

it('The time and the people are as many as may be, and not one more', async () => {
  const people = (count: number) => Array.from({ length: count }, (_, i) => `mailto:nobody${i}@elsewhere.example`);
  assert.equal((await ask(people(1), MAX_BUSY_SECONDS)).status, 200);
  assert.equal((await ask(people(1), MAX_BUSY_SECONDS + 1)).status, 403);
  assert.equal((await ask(people(MAX_BUSY_USERS))).status, 200);
  const tooMany = await ask(people(MAX_BUSY_USERS + 1));
  assert.equal(tooMany.status, 403);
  assert.match(tooMany.text, /valid-scheduling-message/);
  assert.equal((await ask(people(1), 0)).status, 403, 'no time');
  assert.equal((await ask([])).status, 403, 'nobody');
});

it('A body is no larger than it may be', async () => {
  const around = question(['mailto:a@b'], 86_400, ['X-LONG:']).length;
  const long = (bytes: number) => ask(['mailto:a@b'], 86_400, [`X-LONG:${'x'.repeat(bytes - around)}`]);
  assert.equal((await long(MAX_BUSY_QUESTION_BYTES)).status, 200);
  assert.equal((await long(MAX_BUSY_QUESTION_BYTES + 1)).status, 413);
  assert.equal((await alice('PROPFIND', 'u/alice/outbox/', { depth: '1' })).status, 207, 'and all goes on');
});

it('What is no UTF-8 is no calendar', async () => {
  const body = Buffer.from('BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nX-NAME:Caf\u00e9\r\nEND:VCALENDAR\r\n', 'latin1');
  const answer = await gateway.as('alice')('u/alice/outbox/', { method: 'POST', headers: CALENDAR_TYPE, body });
  assert.equal(answer.status, 403);
  assert.match(await answer.text(), /<C:valid-calendar-data /);
});
