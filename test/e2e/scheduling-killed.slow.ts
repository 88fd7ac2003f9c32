// An invitation, its answer, and kill -9: an event and the message about it are both there afterwards, or neither.
// The room server kills itself before each of the changes that they make of the database, one after the other.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { objectOf } from '../../src/backend/content/calendars.ts';
import { deliverSome, inboxOf, nextDelivery, storedScheduleTag } from '../../src/backend/content/scheduling.ts';
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

describe('kill -9 while an answer comes back', () => {
  it('leaves it at the guest and at the organizer, or at neither, and the Schedule-Tag in any case', async () => {
    let [kept, lost] = [0, 0];
    for (let killAt = 1; killAt < MAX_CHANGES; killAt++) {
      const uid = `answer-${killAt}`;
      assert.ok(await invite(0, uid));
      const [tag, copy] = [tagAt('admin', uid), numberAt('ben', uid)];
      const isAnswered = await inProcess(`a${killAt}`, killAt, 'ben', async (ben) => {
        await ben.expect('GOTO Calendar', 200);
        const [guest = ''] = (await ben.expect('SCHD addresses', 100)).lines;
        const event = eventOf(uid, guest.replace('ben@', 'admin@'), `ATTENDEE;PARTSTAT=ACCEPTED:${guest}`);
        const reply = `to|${guest.replace('ben@', 'admin@')}\n${event('REPLY')}`;
        const statuses = await ben.send(`SCHD send|${uid}|1|${copy}`, reply);
        assert.match(statuses.join(), /\|1\.2$/);
        return post(ben, event(''));
      });
      const answered = answeredAt(uid);
      assert.equal(answered.ben, answered.admin, `both or none, killed before change ${killAt}`);
      assert.ok(answered.ben || !isAnswered, `what was acknowledged is there, killed before change ${killAt}`);
      assert.equal(tagAt('admin', uid), tag);
      if (answered.ben) kept++;
      else lost++;
      if (isAnswered) break;
    }
    assert.ok(kept > 0 && lost > 1, `${kept} kept, ${lost} lost`);
  });
});

type EventText = (method: string) => string;

function eventOf(uid: string, organizer: string, attendee: string): EventText {
  return (method) =>
    ['BEGIN:VCALENDAR', 'VERSION:2.0', ...(method === '' ? [] : [`METHOD:${method}`]), 'BEGIN:VEVENT']
      .concat(`UID:${uid}`, 'DTSTAMP:20260101T000000Z', 'DTSTART:20260105T100000Z')
      .concat(`ORGANIZER:${organizer}`, attendee, 'END:VEVENT', 'END:VCALENDAR', '')
      .join('\n');
}

async function post(client: WireClient, text: string): Promise<boolean> {
  const [msgnum] = await client.send('ENT0 1|||4|||1', `Content-type: text/calendar; charset=utf-8\n\n${text}`);
  return Number(msgnum) > 0;
}

/** Whether the post was acknowledged. */
function invite(killAt: number, uid = `meeting-${killAt}`): Promise<boolean> {
  return inProcess(`s${uid}`, killAt, 'admin', async (admin) => {
    if (!hasBen) await admin.expect('CREU ben|benpw', 200);
    hasBen = true;
    await admin.expect('GOTO Calendar', 200);
    const [organizer = ''] = (await admin.expect('SCHD addresses', 100)).lines;
    const guest = organizer.replace('admin@', 'ben@');
    const event = eventOf(uid, organizer, `ATTENDEE:${guest}`);
    const statuses = await admin.send(`SCHD send|${uid}|1|0`, `to|${guest}\n${event('REQUEST')}`);
    assert.deepEqual(statuses, [`${guest}|1.2`]);
    return post(admin, event(''));
  });
}

let hasBen = false;

/** False if the server killed itself; it is gone afterwards in any case. */
async function inProcess(
  socket: string,
  killAt: number,
  user: string,
  use: (client: WireClient) => Promise<boolean>,
): Promise<boolean> {
  const script = fileURLToPath(new URL('../support/room-server-process.ts', import.meta.url));
  // a log-in is a change, too
  const child = spawn(process.execPath, [script, folder, socket, String(killAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout!, 'data');
  try {
    return await use(await WireClient.login(join(folder, socket), user, `${user}pw`));
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return false;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

function numberAt(name: string, uid: string): number {
  using store = openStore(join(folder, 'data'));
  return objectOf(store, findUser(store, name)!, uid)!.row.id;
}

function tagAt(name: string, uid: string): number | undefined {
  using store = openStore(join(folder, 'data'));
  return storedScheduleTag(store, objectOf(store, findUser(store, name)!, uid)!.row.id);
}

/** Who has the answer, when all that waits has been delivered. */
function answeredAt(uid: string): { ben: boolean; admin: boolean } {
  using store = openStore(join(folder, 'data'));
  assert.deepEqual([...findFaults(store)], []);
  deliverSome(store, () => false);
  const has = (name: string) => /ACCEPTED/.test(objectOf(store, findUser(store, name)!, uid)!.text);
  return { ben: has('ben'), admin: has('admin') };
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
