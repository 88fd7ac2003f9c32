// The calendars of a user, and what is found and stored in them.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { calendarsOf, calendarTextOf, objectOf, storeCalendar } from '../../../src/backend/content/calendars.ts';
import { RejectedByRoom } from '../../../src/backend/content/posting-rules.ts';
import { inboxOf } from '../../../src/backend/content/scheduling.ts';
import { messageInRoom } from '../../../src/backend/store/messages.ts';
import type { StoredRoom } from '../../../src/backend/store/records.ts';
import { isInRoom, nameInRoom } from '../../../src/backend/store/references.ts';
import { createRoom } from '../../../src/backend/store/rooms.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { MAX_EUID_BYTES, MAX_OBJECT_BYTES } from '../../../src/limits/backend.ts';
import { VIEW } from '../../../src/model.ts';
import { event } from '../../support/member-world.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const [ann, bob] = [w.user('ann'), w.user('bob')];
  const calendar = personalRoom(w.store, ann, 'Calendar');
  const put = (room: StoredRoom, uid: string, more = {}) =>
    saveIn(w, room, { euid: uid, type: 'text/calendar', text: event(uid), ...more });
  const store = (room: StoredRoom, text: string, old?: number) =>
    storeCalendar(w.store, room, text, bob, old === undefined ? undefined : messageInRoom(w.store, room.id, old));
  return { w, ann, bob, calendar, put, store };
}

describe('the calendars of a user', () => {
  it('are his rooms for events and tasks, by name, and not his inbox', (t) => {
    const { w, ann, bob } = world(t);
    inboxOf(w.store, ann);
    createRoom(w.store, { name: 'Allotment', flags: 0, view: VIEW.calendar, owner: ann.id });
    w.room('Public', VIEW.calendar);
    assert.deepEqual(
      calendarsOf(w.store, ann).map(({ name }) => name),
      ['Allotment', 'Calendar', 'Tasks'],
    );
    assert.deepEqual(
      calendarsOf(w.store, bob).map(({ name }) => name),
      ['Calendar', 'Tasks'],
    );
  });
});

describe('a calendar object', () => {
  it('is found by its UID in the first calendar that has it', (t) => {
    const { w, ann, bob, calendar, put } = world(t);
    const tasks = personalRoom(w.store, ann, 'Tasks');
    put(tasks, 'both');
    const first = put(calendar, 'both');
    const second = put(tasks, 'one');
    assert.deepEqual([objectOf(w.store, ann, 'both')?.row.id, objectOf(w.store, ann, 'both')?.room], [first, calendar]);
    assert.equal(objectOf(w.store, ann, 'one')?.row.id, second);
    assert.equal(objectOf(w.store, ann, 'one')?.text, event('one'));
    assert.deepEqual([objectOf(w.store, ann, 'none'), objectOf(w.store, bob, 'one')], [undefined, undefined]);
  });

  it('is the calendar part of a message, whatever else is in it', (t) => {
    const { w, calendar } = world(t);
    const parts = `--x\nContent-Type: text/plain\n\nhello\n--x\nContent-Type: application/ics\n\n${event('u')}--x--\n`;
    const textOf = (fields: Parameters<typeof saveIn>[2]) => {
      const id = saveIn(w, calendar, fields);
      return calendarTextOf(w.store, messageInRoom(w.store, calendar.id, id)!);
    };
    assert.match(textOf({ type: 'multipart/mixed; boundary=x', text: parts })!, /^BEGIN:VCALENDAR/);
    assert.equal(textOf({ text: event('u') }), undefined);
    assert.equal(textOf({ format: 1, text: event('u') }), undefined);
  });

  it('has MAX_OBJECT_BYTES at most, in whatever transfer encoding', (t) => {
    const { w, calendar } = world(t);
    const read = (encoding: string, text: string) => {
      const id = saveIn(w, calendar, { type: `text/calendar\nContent-Transfer-Encoding: ${encoding}`, text });
      return calendarTextOf(w.store, messageInRoom(w.store, calendar.id, id)!)?.length;
    };
    for (const [encoding, unit] of [
      ['7bit', 'x'],
      ['quoted-printable', '=3D'],
    ] as const) {
      assert.equal(read(encoding, unit.repeat(MAX_OBJECT_BYTES)), MAX_OBJECT_BYTES, encoding);
      assert.equal(read(encoding, unit.repeat(MAX_OBJECT_BYTES + 1)), undefined, encoding);
    }
    assert.equal(read('quoted-printable', `x${'=\n'.repeat(2 * MAX_OBJECT_BYTES)}`), undefined);
  });
});

describe('a calendar object that is stored', () => {
  it('takes the place of the one before, under the same name', (t) => {
    const { w, ann, calendar, put, store } = world(t);
    const old = put(calendar, 'u', { name: 'a b.ics' });
    const text = event('u', '20240501T100000Z', 'LOCATION:Café');
    const next = store(calendar, text, old);
    assert.deepEqual([isInRoom(w.store, calendar.id, old), nameInRoom(w.store, calendar.id, next)], [false, 'a b.ics']);
    assert.equal(objectOf(w.store, ann, 'u')?.text, text);
    const { author, address, room } = objectOf(w.store, ann, 'u')!.row;
    assert.deepEqual([author, address, room], ['bob', 'bob@vm', `${String(ann.id).padStart(10, '0')}.Calendar`]);
  });

  it('has its UID with an ending for a name where it replaces nothing', (t) => {
    const { w, calendar, store } = world(t);
    assert.equal(nameInRoom(w.store, calendar.id, store(calendar, event('u'))), 'u.ics');
  });

  it('lies in an inbox beside others of the same event', (t) => {
    const { w, ann, store } = world(t);
    const inbox = inboxOf(w.store, ann);
    store(inbox, event('u'));
    store(inbox, event('u'));
    assert.equal(inbox.total, 2);
  });

  it('is refused where the room takes none of its kind, and nothing changes', (t) => {
    const { w, calendar, put, store } = world(t);
    const old = put(calendar, 'u');
    const long = event('x'.repeat(MAX_EUID_BYTES + 1));
    assert.throws(() => w.store.transaction(() => store(calendar, long, old)), RejectedByRoom);
    assert.deepEqual([isInRoom(w.store, calendar.id, old), calendar.total], [true, 1]);
  });
});
