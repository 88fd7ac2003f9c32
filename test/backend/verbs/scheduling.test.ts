// SCHD on plain sessions: what is prepared goes with the change of the object it is about, and with no other.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { calendarTextOf, objectOf } from '../../../src/backend/content/calendars.ts';
import { deliverSome, inboxOf, nextDelivery, queueDelivery } from '../../../src/backend/content/scheduling.ts';
import type { Session } from '../../../src/backend/session/session.ts';
import { HIGHEST_NUMBER, messagesInRoom } from '../../../src/backend/store/messages.ts';
import type { StoredRoom, StoredUser } from '../../../src/backend/store/records.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { dele } from '../../../src/backend/verbs/moving.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { lkra } from '../../../src/backend/verbs/room-lists.ts';
import { schd } from '../../../src/backend/verbs/scheduling.ts';
import {
  MAX_BUSY_SECONDS,
  MAX_BUSY_USERS,
  MAX_INBOX_MESSAGES,
  MAX_PENDING_DELIVERIES,
  MAX_REFRESHED_ATTENDEES,
  MAX_SCHEDULING_BYTES,
  MAX_SCHEDULING_MESSAGE_BYTES,
} from '../../../src/limits/backend.ts';
import { messageWorld, run } from '../../support/message-session.ts';

const event = (uid: string, ...lines: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\n');
const MEETING = [
  'DTSTART:20260105T100000Z',
  'DTEND:20260105T110000Z',
  'ORGANIZER:mailto:anna@vm',
  'ATTENDEE:mailto:ben@vm',
];
const INVITATION = event('m1', ...MEETING).replace('VERSION:2.0', 'VERSION:2.0\nMETHOD:REQUEST');
const post = (session: Session, text: string): string =>
  run(session, ent0, '1|||4|||1', `Content-type: text/calendar; charset=utf-8\n\n${text}`);

async function sent(session: Session, args: string, body: string): Promise<string> {
  const reply = schd(session, args);
  assert.ok(typeof reply !== 'string' && 'text' in reply);
  reply.text.write(Buffer.from(body));
  return (await reply.text.end()) as string;
}

function world(t: TestContext) {
  const w = messageWorld(t);
  const [anna, ben, cora] = ['anna', 'ben', 'cora'].map((name) => w.user(name)) as [StoredUser, StoredUser, StoredUser];
  const calendar = personalRoom(w.store, anna, 'Calendar');
  const inbox = (user: StoredUser) => textsIn(inboxOf(w.store, user));
  const textsIn = (room: StoredRoom) =>
    messagesInRoom(w.store, room.id, { low: 1, high: HIGHEST_NUMBER }, 1000).map((row) => calendarTextOf(w.store, row));
  const copy = (user: StoredUser) => objectOf(w.store, user, 'm1')?.text;
  return { w, anna, ben, cora, session: w.session(anna, calendar), calendar, inbox, copy };
}

describe('SCHD send', () => {
  it('takes nothing but messages about that object, from its organizer', async (t) => {
    const { session, ben } = world(t);
    const status = async (message: string) =>
      (await sent(session, 'send|m1|1', `to|mailto:ben@vm\n${message}`)).split('\n')[0]!.split('|')[1];
    const withMore = (...lines: string[]) => INVITATION.replace('END:VCALENDAR', `${lines.join('\n')}\nEND:VCALENDAR`);
    const override = (...lines: string[]) =>
      withMore('BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', 'RECURRENCE-ID:20260106T100000Z', ...lines, 'END:VEVENT');
    const zone = ['BEGIN:VTIMEZONE', 'TZID:X', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0100'];
    const good = [
      INVITATION,
      override('UID:m1', 'ORGANIZER:mailto:anna@vm', 'ATTENDEE:mailto:ben@vm'),
      override('UID:m1', 'ATTENDEE:mailto:ben@vm'),
      withMore(...zone, 'TZOFFSETTO:+0100', 'END:STANDARD', 'END:VTIMEZONE'),
    ];
    for (const message of good) assert.equal(await status(message), '1.2', message);
    const bad = [
      override('UID:m1', 'ORGANIZER:mailto:ben@vm', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@vm'),
      override('UID:m1', 'ORGANIZER:mailto:cora@vm', 'ATTENDEE:mailto:ben@vm'),
      override('UID:m2', 'ORGANIZER:mailto:anna@vm', 'ATTENDEE:mailto:ben@vm'),
      override('ORGANIZER:mailto:anna@vm', 'ATTENDEE:mailto:ben@vm'),
      withMore('BEGIN:VJOURNAL', 'UID:m1', 'DTSTAMP:20260101T000000Z', 'END:VJOURNAL'),
      withMore('BEGIN:VTODO', 'UID:m1', 'DTSTAMP:20260101T000000Z', 'RECURRENCE-ID:20260106T100000Z', 'END:VTODO'),
      withMore('BEGIN:X-THING', 'UID:m1', 'END:X-THING'),
      withMore('BEGIN:VFREEBUSY', 'UID:m1', 'DTSTAMP:20260101T000000Z', 'END:VFREEBUSY'),
      INVITATION.replace('END:VEVENT', 'BEGIN:VALARM\nACTION:AUDIO\nTRIGGER:-PT1M\nEND:VALARM\nEND:VEVENT'),
      INVITATION.replace('METHOD:REQUEST', 'METHOD:REQUEST\nMETHOD:CANCEL'),
      INVITATION.replace('METHOD:REQUEST\n', ''),
    ];
    for (const message of bad) assert.equal(await status(message), '5.2', message);
    // none of them has left anything behind
    post(session, event('m1', ...MEETING));
    assert.equal(objectOf(session.store, ben, 'm1'), undefined);
  });

  it('delivers with the post of the object it is about, and not before', async (t) => {
    const { session, ben, inbox, copy, w } = world(t);
    assert.equal(await sent(session, 'send|m1|1', `to|mailto:ben@vm\n${INVITATION}`), 'mailto:ben@vm|1.2\n000\n');
    assert.equal(copy(ben), undefined);
    post(session, event('other', ...MEETING));
    assert.equal(copy(ben), undefined);
    post(session, event('m1', ...MEETING));
    assert.equal(copy(ben), INVITATION.replace('METHOD:REQUEST\n', '').replaceAll('\n', '\r\n'));
    assert.deepEqual(inbox(ben), [INVITATION.replaceAll('\n', '\r\n')]);
    assert.equal(nextDelivery(w.store), undefined);
    assert.match(run(session, schd, 'tags'), /^100 .*\n2\|2\n000\n$/);
    // it has gone once
    post(session, event('m1', ...MEETING));
    assert.equal(inbox(ben).length, 1);
  });

  it('delivers with the removal of the object, too', async (t) => {
    const { session, ben, copy } = world(t);
    await sent(session, 'send|m1|1', `to|mailto:ben@vm\n${INVITATION}`);
    post(session, event('m1', ...MEETING));
    await sent(session, 'send|m1', `to|mailto:ben@vm\n${INVITATION.replace('REQUEST', 'CANCEL')}`);
    assert.match(run(session, dele, '1'), /^200/);
    assert.match(copy(ben)!, /STATUS:CANCELLED/);
  });

  it('lets nobody speak for others', async (t) => {
    const { w, cora, ben } = world(t);
    const session = w.session(cora, personalRoom(w.store, cora, 'Calendar'));
    assert.equal(await sent(session, 'send|m1', `to|mailto:ben@vm\n${INVITATION}`), 'mailto:ben@vm|3.8\n000\n');
    const reply = event('m1', ...MEETING).replace('VERSION:2.0', 'VERSION:2.0\nMETHOD:REPLY');
    assert.equal(await sent(session, 'send|m1', `to|mailto:anna@vm\n${reply}`), 'mailto:anna@vm|3.8\n000\n');
    post(session, event('m1', ...MEETING));
    assert.equal(objectOf(w.store, ben, 'm1'), undefined);
    // and nobody writes to who is not in the message
    const own = w.session(w.user('dora'), w.room('Lobby'));
    const named = INVITATION.replace('anna@vm', 'dora@vm');
    assert.equal(
      await sent(own, 'send|m1', `to|mailto:cora@vm\nto|mailto:ben@vm\n${named}`),
      'mailto:cora@vm|3.8\nmailto:ben@vm|1.2\n000\n',
    );
  });

  it('says why an address gets nothing', async (t) => {
    const { session } = world(t);
    const guests = ['mailto:nobody@vm', 'mailto:x@elsewhere.example', 'urn:x', 'mailto:anna@vm'];
    const message = INVITATION.replace('ATTENDEE', `${guests.map((one) => `ATTENDEE:${one}\n`).join('')}ATTENDEE`);
    const to = guests.map((one) => `to|${one}\n`).join('');
    assert.equal(
      await sent(session, 'send|m1', to + message),
      'mailto:nobody@vm|3.7\nmailto:x@elsewhere.example|5.2\nurn:x|3.7\nmailto:anna@vm|1.2\n000\n',
    );
  });

  it('leaves others their turn with each address and each line', async (t) => {
    const { session } = world(t);
    const turns = t.mock.fn(async () => {});
    t.mock.method(session.server.turns, 'begin', () => ({ isOver: true, next: turns }));
    const told = await sent(session, 'send|m1|1', 'to|mailto:ben@vm\n'.repeat(500) + INVITATION);
    assert.equal(told, `${'mailto:ben@vm|1.2\n'.repeat(500)}000\n`);
    assert.ok(turns.mock.callCount() >= 1000, String(turns.mock.callCount()));
  });

  it('takes MAX_SCHEDULING_BYTES, and not one more', async (t) => {
    const { session, ben, copy } = world(t);
    const text = `to|mailto:ben@vm\n${INVITATION}`;
    const filled = (bytes: number) => `${'x'.repeat(bytes - text.length - 1)}\n${text}`;
    assert.equal(await sent(session, 'send|m1', filled(MAX_SCHEDULING_BYTES + 1)), '000\n');
    post(session, event('m1', ...MEETING));
    assert.equal(copy(ben), undefined);
    assert.equal(await sent(session, 'send|m1', filled(MAX_SCHEDULING_BYTES)), 'mailto:ben@vm|1.2\n000\n');
  });

  it('delivers messages of MAX_SCHEDULING_MESSAGE_BYTES, and says of a larger one that it does not', async (t) => {
    const { session } = world(t);
    const invitation = INVITATION.replaceAll('\n', '\r\n');
    const long = (bytes: number) => {
      const filled = 'X'.repeat(bytes - Buffer.byteLength(invitation) - Buffer.byteLength('X-A:ü\r\n'));
      return INVITATION.replace('END:VEVENT', `X-A:ü${filled}\nEND:VEVENT`);
    };
    const status = async (bytes: number) => {
      const told = await sent(session, 'send|m1|1', `to|mailto:ben@vm\n${long(bytes)}`);
      return told.split('\n', 1)[0];
    };
    assert.equal(await status(MAX_SCHEDULING_MESSAGE_BYTES), 'mailto:ben@vm|1.2');
    assert.equal(await status(MAX_SCHEDULING_MESSAGE_BYTES + 1), 'mailto:ben@vm|5.1');
  });

  it('is refused where the object has become another one meanwhile', async (t) => {
    const { session, ben, copy } = world(t);
    post(session, event('m1', ...MEETING));
    for (const [expected, isTaken] of [
      [0, false],
      [7, false],
      [1, true],
    ] as const) {
      await sent(session, `send|m1|1|${expected}`, `to|mailto:ben@vm\n${INVITATION}`);
      assert.equal(/^-3$/m.test(post(session, event('m1', ...MEETING))), !isTaken);
      assert.equal(copy(ben) !== undefined, isTaken);
    }
  });

  it('is forgotten by SCHD drop, and by who is in another room', async (t) => {
    const { w, session, ben, copy, calendar } = world(t);
    await sent(session, 'send|m1', `to|mailto:ben@vm\n${INVITATION}`);
    run(session, schd, 'drop');
    post(session, event('m1', ...MEETING));
    await sent(session, 'send|m1', `to|mailto:ben@vm\n${INVITATION}`);
    session.room = personalRoom(w.store, session.user!, 'Tasks');
    post(session, event('m1', ...MEETING));
    assert.equal(copy(ben), undefined);
    assert.notEqual(session.room, calendar);
  });
});

describe('deliveries', () => {
  it('bring the answer back, keep the tag of the organizer, and tell the other guests', async (t) => {
    const { w, session, anna, ben, cora, copy, inbox } = world(t);
    const guests = [...MEETING, 'ATTENDEE:mailto:cora@vm'];
    const request = event('m1', ...guests).replace('VERSION:2.0', 'VERSION:2.0\nMETHOD:REQUEST');
    await sent(session, 'send|m1|1', `to|mailto:ben@vm\nto|mailto:cora@vm\n${request}`);
    post(session, event('m1', ...guests));
    const own = w.session(ben, personalRoom(w.store, ben, 'Calendar'));
    const answered = MEETING.map((line) => line.replace('ATTENDEE:', 'ATTENDEE;PARTSTAT=ACCEPTED:'));
    const reply = event('m1', ...answered).replace('VERSION:2.0', 'VERSION:2.0\nMETHOD:REPLY');
    assert.equal(await sent(own, 'send|m1|1', `to|mailto:anna@vm\n${reply}`), 'mailto:anna@vm|1.2\n000\n');
    post(own, event('m1', ...answered, 'ATTENDEE:mailto:cora@vm'));
    while (!deliverSome(w.store, () => true));
    assert.match(copy(anna)!, /ATTENDEE;PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2\.0:mailto:ben@vm/);
    assert.match(run(session, schd, 'tags'), /\n\d+\|1\n000\n$/);
    assert.match(copy(cora)!, /ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@vm/);
    assert.deepEqual(
      [anna, ben, cora].map((user) => inbox(user).length),
      [1, 1, 1],
    );
  });

  it('tell the answer of one guest to MAX_REFRESHED_ATTENDEES, and of a larger event to none', async (t) => {
    const { w, session, ben, cora } = world(t);
    const others = Array.from({ length: MAX_REFRESHED_ATTENDEES - 1 }, (_, i) => w.user(`guest ${i}x`));
    const told = async (guests: readonly StoredUser[], uid: string) => {
      const people = guests.map(({ name }) => `ATTENDEE:mailto:${name.replaceAll(' ', '_')}@vm`);
      const lines = [...MEETING, ...people];
      const request = event(uid, ...lines).replace('VERSION:2.0', 'VERSION:2.0\nMETHOD:REQUEST');
      await sent(session, `send|${uid}|1`, `to|mailto:cora@vm\n${request}`);
      post(session, event(uid, ...lines));
      const reply = event(uid, ...MEETING.map((line) => line.replace('ATTENDEE:', 'ATTENDEE;PARTSTAT=DECLINED:')));
      const text = reply.replace('VERSION:2.0', 'VERSION:2.0\nMETHOD:REPLY');
      const recipients = [session.user!.id];
      w.store.transaction(() => queueDelivery(w.store, { sender: ben.id, text, recipients, isRefresh: false }));
      while (!deliverSome(w.store, () => true));
      return /PARTSTAT=DECLINED/.test(objectOf(w.store, cora, uid)!.text);
    };
    const most = [cora, ...others.slice(1)];
    assert.equal(await told(most, 'e1'), true);
    assert.equal(await told([...most, others[0]!], 'e2'), false);
  });

  it('are still there after the end of the program, and each comes once', async (t) => {
    const { w, anna, ben, inbox } = world(t);
    w.store.transaction(() =>
      queueDelivery(w.store, { sender: anna.id, text: INVITATION, recipients: [ben.id], isRefresh: false }),
    );
    assert.equal(inbox(ben).length, 0);
    assert.equal(
      deliverSome(w.store, () => false),
      true,
    );
    assert.equal(
      deliverSome(w.store, () => false),
      true,
    );
    assert.equal(inbox(ben).length, 1);
  });

  it('leave MAX_INBOX_MESSAGES in an inbox, the latest', (t) => {
    const { w, anna, ben, inbox } = world(t);
    w.store.transaction(() => {
      for (let i = 0; i <= MAX_INBOX_MESSAGES; i++) {
        queueDelivery(w.store, {
          sender: anna.id,
          text: INVITATION.replace('UID:m1', `UID:n${i}`),
          recipients: [ben.id],
          isRefresh: false,
        });
      }
      deliverSome(w.store, () => false);
    });
    const kept = inbox(ben);
    assert.equal(kept.length, MAX_INBOX_MESSAGES);
    assert.match(kept[0]!, /UID:n1\n/);
  });

  it('wait for MAX_PENDING_DELIVERIES of one user at most', async (t) => {
    const { w, session, anna, cora } = world(t);
    const others = Array.from({ length: MAX_PENDING_DELIVERIES - 1 }, () => anna.id);
    w.store.transaction(() => {
      for (const recipient of others) {
        queueDelivery(w.store, { sender: anna.id, text: '', recipients: [recipient], isRefresh: false });
      }
    });
    const request = INVITATION.replace('ATTENDEE', `ATTENDEE:mailto:${cora.name}@vm\nATTENDEE`);
    const rows = await sent(session, 'send|m1', `to|mailto:ben@vm\nto|mailto:cora@vm\n${request}`);
    assert.equal(rows, 'mailto:ben@vm|1.2\nmailto:cora@vm|5.1\n000\n');
  });

  it('lie in a room that is in no list', (t) => {
    const { w, anna, ben } = world(t);
    w.store.transaction(() =>
      queueDelivery(w.store, { sender: anna.id, text: INVITATION, recipients: [ben.id], isRefresh: false }),
    );
    deliverSome(w.store, () => false);
    assert.doesNotMatch(run(w.session(ben, w.room('Lobby')), lkra, ''), /Scheduling/);
  });
});

describe('SCHD busy', () => {
  const [start, end] = [Date.UTC(2026, 0, 5) / 1000, Date.UTC(2026, 0, 6) / 1000];

  it('tells times of people who are here, and no more', async (t) => {
    const { w, session, cora } = world(t);
    post(session, event('m1', ...MEETING, 'SUMMARY:Secret'));
    post(session, event('m2', 'DTSTART:20260105T103000Z', 'DTEND:20260105T113000Z'));
    post(session, event('m3', 'DTSTART:20260105T150000Z', 'DTEND:20260105T160000Z', 'TRANSP:TRANSPARENT'));
    const asking = w.session(cora, w.room('Lobby'));
    const from = Date.UTC(2026, 0, 5, 10) / 1000;
    assert.equal(
      await sent(asking, `busy|${start}|${end}`, 'mailto:anna@vm\nmailto:nobody@vm\n'),
      `A|mailto:anna@vm|2.0\nB|${from}|${from + 5400}|BUSY\nA|mailto:nobody@vm|3.7\n000\n`,
    );
  });

  it('counts the time of all who are asked for together: others have their turn in between', async (t) => {
    const { session } = world(t);
    const turns = t.mock.fn(async () => {});
    const begun = t.mock.method(session.server.turns, 'begin', () => ({ isOver: true, next: turns })).mock;
    await sent(session, `busy|${start}|${end}`, 'mailto:ben@vm\nmailto:cora@vm\n');
    assert.deepEqual([begun.callCount(), turns.mock.callCount()], [1, 2]);
  });

  it('takes MAX_BUSY_SECONDS and MAX_BUSY_USERS, and not one more', async (t) => {
    const { session } = world(t);
    assert.equal(await sent(session, `busy|0|${MAX_BUSY_SECONDS}`, ''), '000\n');
    assert.match(run(session, schd, `busy|0|${MAX_BUSY_SECONDS + 1}`), /^512/);
    assert.match(run(session, schd, 'busy|5|5'), /^512/);
    const rows = (await sent(session, `busy|${start}|${end}`, 'mailto:ben@vm\n'.repeat(MAX_BUSY_USERS + 1))).split(
      '\n',
    );
    assert.deepEqual(rows.slice(MAX_BUSY_USERS - 1, MAX_BUSY_USERS + 1), [
      'A|mailto:ben@vm|2.0',
      'A|mailto:ben@vm|3.8',
    ]);
  });
});
