// A calendar with as many invitations as go with it when it is deleted, and with one more. Run: npm run test:slow

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { MAX_REMOVED_INVITATIONS } from '../../src/limits/dav.ts';
import { startGateway } from '../support/gateway.ts';

const AT_ONCE = 50;

it('a calendar with more than MAX_REMOVED_INVITATIONS is not deleted, and keeps them all', async () => {
  const gateway = await startGateway({ after }, { users: [{ name: 'anna', password: 'anna', level: 4 }] });
  const anna = gateway.as('anna');
  const { email } = (await (await anna('a/whoami')).json()) as { email: string };
  const headers = { 'content-type': 'text/calendar' };
  const put = async (i: number) => {
    const times = ['DTSTAMP:20260101T000000Z', 'DTSTART:20260105T100000Z', `ORGANIZER:mailto:${email}`];
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', 'BEGIN:VEVENT', `UID:${i}-x`, ...times];
    const body = [...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
    assert.equal((await anna(`r/Full/${i}-x.ics`, { method: 'PUT', headers, body })).status, 201);
  };
  assert.equal((await anna('r/Full/', { method: 'MKCALENDAR' })).status, 201);
  for (let i = 0; i <= MAX_REMOVED_INVITATIONS; i += AT_ONCE) {
    const left = Math.min(AT_ONCE, MAX_REMOVED_INVITATIONS + 1 - i);
    await Promise.all(Array.from({ length: left }, (_, k) => put(i + k)));
  }
  assert.equal((await anna('r/Full/', { method: 'DELETE' })).status, 403);
  const kept = (await (await anna('r/Full/')).json()) as { total_messages: number };
  assert.equal(kept.total_messages, MAX_REMOVED_INVITATIONS + 1);
  assert.equal((await anna('r/Full/0-x.ics', { method: 'DELETE' })).status, 204);
  assert.equal((await anna('r/Full/', { method: 'DELETE' })).status, 204);
});
