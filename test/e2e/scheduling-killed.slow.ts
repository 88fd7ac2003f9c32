// An invitation and kill -9: the organizer's event and the message to the guest are both there afterwards, or neither.
// The room server kills itself before each of the changes that the invitation makes of the database, one after the
// other. Run: npm run test:slow

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { objectOf } from '../../src/backend/content/calendars.ts';
import { deliverSome, inboxOf, nextDelivery } from '../../src/backend/content/scheduling.ts';
import { findFaults } from '../../src/backend/maintenance/check.ts';
import { openStore } from '../../src/backend/store/store.ts';
import { findUser } from '../../src/backend/store/users.ts';
import { WireClient } from '../support/wire-client.ts';

/** more than an invitation makes */
const MAX_CHANGES = 200;

const folder = await mkdtemp(join(tmpdir(), 'scheduling-'));
after(() => rm(folder, { recursive: true, force: true }));

describe('kill -9 while an invitation goes out', () => {
  it('leaves the event with its message, or nothing of it', async () => {
    let [kept, lost, waiting] = [0, 0, 0];
    for (let killAt = 0; killAt < MAX_CHANGES; killAt++) {
      const isAnswered = await invite(killAt);
      const found = outcomeOf(killAt);
      assert.ok(found.isStored || !isAnswered, `what was acknowledged is there, killed before change ${killAt}`);
      assert.equal(found.isDelivered, found.isStored, `both or none, killed before change ${killAt}`);
      if (found.isStored) kept++;
      else lost++;
      if (found.hasWaited) waiting++;
      // behind the last change nothing is killed any more
      if (isAnswered && killAt > 0) break;
    }
    assert.ok(kept > 1 && lost > 1 && waiting > 0, `${kept} kept, ${lost} lost, ${waiting} delivered later`);
  });
});

/** Whether the post was acknowledged; the server is gone then in any case. */
async function invite(killAt: number): Promise<boolean> {
  const script = fileURLToPath(new URL('../support/room-server-process.ts', import.meta.url));
  const name = `s${killAt}`;
  // a log-in is a change, too
  const child = spawn(process.execPath, [script, folder, name, String(killAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout!, 'data');
  try {
    const admin = await WireClient.login(join(folder, name), 'admin', 'adminpw');
    if (killAt === 0) await admin.expect('CREU ben|pw', 200);
    await admin.expect('GOTO Calendar', 200);
    const { lines } = await admin.expect('SCHD addresses', 100);
    const [organizer = ''] = lines;
    const guest = organizer.replace('admin@', 'ben@');
    const event = (method: string) =>
      ['BEGIN:VCALENDAR', 'VERSION:2.0', ...(method === '' ? [] : [`METHOD:${method}`]), 'BEGIN:VEVENT']
        .concat(`UID:meeting-${killAt}`, 'DTSTAMP:20260101T000000Z', 'DTSTART:20260105T100000Z')
        .concat(`ORGANIZER:${organizer}`, `ATTENDEE:${guest}`, 'END:VEVENT', 'END:VCALENDAR', '')
        .join('\n');
    const statuses = await admin.send(`SCHD send|meeting-${killAt}|1|0`, `to|${guest}\n${event('REQUEST')}`);
    assert.deepEqual(statuses, [`${guest}|1.2`]);
    const [msgnum] = await admin.send('ENT0 1|||4|||1', `Content-type: text/calendar; charset=utf-8\n\n${event('')}`);
    return Number(msgnum) > 0;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return false;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** When all that waits has been delivered. */
function outcomeOf(killAt: number): { isStored: boolean; isDelivered: boolean; hasWaited: boolean } {
  using store = openStore(join(folder, 'data'));
  assert.deepEqual([...findFaults(store)], []);
  const hasWaited = nextDelivery(store) !== undefined;
  deliverSome(store, () => false);
  const isIn = (name: string) => objectOf(store, findUser(store, name)!, `meeting-${killAt}`) !== undefined;
  const ben = findUser(store, 'ben')!;
  const inbox = store.db
    .prepare('SELECT count(*) AS count FROM room_message WHERE room = ?')
    .get(inboxOf(store, ben).id)!;
  const calendar = store.db
    .prepare(
      `SELECT count(*) AS count FROM room_message rm JOIN room r ON r.id = rm.room
       WHERE r.owner = ? AND r.name = 'Calendar'`,
    )
    .get(ben.id)!;
  assert.equal(inbox.count, calendar.count, 'each message came once');
  return { isStored: isIn('admin'), isDelivered: isIn('ben'), hasWaited };
}
