// Scheduling between people who have accounts here: who an address means, and what a delivery does.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { objectOf } from '../../../src/backend/content/calendars.ts';
import {
  calendarAddresses,
  calendarUser,
  DELIVERY_STATUS,
  deliverSome,
  inboxOf,
  keysOf,
  nextDelivery,
  queueDelivery,
  storedScheduleTag,
} from '../../../src/backend/content/scheduling.ts';
import type { StoredUser } from '../../../src/backend/store/records.ts';
import { updateUser } from '../../../src/backend/store/users.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
import { LEVEL } from '../../../src/model.ts';
import { event } from '../../support/member-world.ts';
import { messageWorld } from '../../support/message-session.ts';

const message = (method: string, uid: string, ...lines: string[]) =>
  event(uid, '20260105T100000Z', lines.join('\r\n')).replace('VERSION:2.0', `VERSION:2.0\r\nMETHOD:${method}`);

function world(t: TestContext) {
  const w = messageWorld(t);
  const [ann, ben] = [w.user('ann'), w.user('Ben Lee')];
  const request = (uid: string, ...more: string[]) =>
    message('REQUEST', uid, 'ORGANIZER:mailto:ann@vm', 'ATTENDEE:mailto:ben_lee@vm', ...more);
  const send = (text: string, { isRefresh = false, from = ann, to = ben }: Partial<Sent> = {}) =>
    w.store.transaction(() => queueDelivery(w.store, { sender: from.id, text, recipients: [to.id], isRefresh }));
  const deliver = () => deliverSome(w.store, () => false);
  return { ...w, w, ann, ben, request, send, deliver };
}

interface Sent {
  isRefresh: boolean;
  from: StoredUser;
  to: StoredUser;
}

describe('a calendar address', () => {
  it('means the user of a mail address of this server', (t) => {
    const { store, ben } = world(t);
    for (const address of ['mailto:ben_lee@vm', 'MAILTO:Ben_Lee@VM', 'mailto:ben_lee@localhost?subject=x']) {
      assert.equal(calendarUser(store, address), ben, address);
    }
  });

  it('of nobody, or of elsewhere, is told why', (t) => {
    const { store, user } = world(t);
    updateUser(store, user('gone'), { level: LEVEL.deleted });
    for (const [address, why] of [
      ['mailto:nobody@vm', DELIVERY_STATUS.unknown],
      ['mailto:gone@vm', DELIVERY_STATUS.unknown],
      ['mailto:x@elsewhere.example', DELIVERY_STATUS.noWay],
      ['mailto:ann', DELIVERY_STATUS.unknown],
      ['urn:uuid:1', DELIVERY_STATUS.unknown],
      ['', DELIVERY_STATUS.unknown],
    ] as const) {
      assert.equal(calendarUser(store, address), why, address);
    }
  });

  it('of a user is each of his mail addresses, and however a message writes them', (t) => {
    const { store, ben, request } = world(t);
    assert.deepEqual([...calendarAddresses(store, ben)], ['mailto:ben_lee@vm']);
    const { object } = parseObject(request('u', 'ATTENDEE:mailto:b.e.n-lee@localhost', 'ATTENDEE:mailto:ann@vm'));
    assert.deepEqual([...keysOf(store, ben, object!)].sort(), ['mailto:b.e.n-lee@localhost', 'mailto:ben_lee@vm']);
  });
});

describe('the inbox of a user', () => {
  it('is made once, and is nobody else’s', (t) => {
    const { store, ann, ben } = world(t);
    const inbox = inboxOf(store, ann);
    assert.equal(inboxOf(store, ann), inbox);
    assert.notEqual(inboxOf(store, ben), inbox);
    assert.equal(inbox.owner, ann.id);
  });
});

describe('a delivery', () => {
  it('comes into the calendar and the inbox', (t) => {
    const { store, ben, request, send, deliver } = world(t);
    send(request('u'));
    assert.equal(deliver(), true);
    const { row, room } = objectOf(store, ben, 'u')!;
    assert.deepEqual([room.name, inboxOf(store, ben).total, storedScheduleTag(store, row.id)], ['Calendar', 1, row.id]);
  });

  it('of a task comes among the tasks', (t) => {
    const { store, ben, request, send, deliver } = world(t);
    send(request('u').replaceAll('VEVENT', 'VTODO'));
    deliver();
    assert.equal(objectOf(store, ben, 'u')?.room.name, 'Tasks');
  });

  it('that only tells what others have answered comes to no inbox', (t) => {
    const { store, ben, request, send, deliver } = world(t);
    const news = request('u', 'ATTENDEE;PARTSTAT=DECLINED:mailto:cora@vm');
    send(news, { isRefresh: true });
    deliver();
    assert.equal(objectOf(store, ben, 'u'), undefined, 'nor does it invite anybody');
    send(request('u'));
    send(news, { isRefresh: true });
    deliver();
    assert.match(objectOf(store, ben, 'u')!.text, /DECLINED/);
    assert.equal(inboxOf(store, ben).total, 1);
  });

  it('of what was declined and removed comes to no calendar and no inbox', (t) => {
    const { store, ben, request, send, deliver } = world(t);
    const declined = (uid: string) => request(uid).replace('ATTENDEE:', 'ATTENDEE;PARTSTAT=DECLINED:');
    send(declined('u'));
    deliver();
    assert.equal(objectOf(store, ben, 'u'), undefined);
    assert.equal(inboxOf(store, ben).total, 0);
    send(request('u'));
    send(declined('u').replace('DTSTAMP:2020', 'DTSTAMP:2027'));
    deliver();
    assert.match(objectOf(store, ben, 'u')!.text, /DTSTAMP:2027/, 'what is there is kept up to date');
  });

  it('that cannot be understood is dropped, and keeps no others waiting', (t) => {
    const { store, ben, request, send, deliver } = world(t);
    send('BEGIN:VCALENDAR');
    send('');
    send(request('u'));
    assert.equal(deliver(), true);
    assert.ok(objectOf(store, ben, 'u'));
    assert.equal(nextDelivery(store), undefined);
  });

  it('that fails by itself is told of once, and not tried again', (t) => {
    const { store, ben, request, send, deliver } = world(t);
    store.db.exec(`CREATE TEMP TRIGGER fail BEFORE INSERT ON schedule_tag WHEN new.tag = new.message
      BEGIN SELECT raise(ABORT, 'broken'); END`);
    send(request('u'));
    send(request('v'));
    assert.throws(deliver, /broken/);
    assert.equal(objectOf(store, ben, 'u'), undefined, 'nothing of it is there');
    store.db.exec('DROP TRIGGER fail');
    assert.equal(deliver(), true);
    assert.deepEqual([objectOf(store, ben, 'u'), objectOf(store, ben, 'v') !== undefined], [undefined, true]);
  });

  it('waits when enough was done', (t) => {
    const { store, request, send } = world(t);
    send(request('u'));
    send(request('v'));
    assert.equal(
      deliverSome(store, () => true),
      false,
    );
    assert.ok(nextDelivery(store));
    assert.equal(
      deliverSome(store, () => true),
      false,
      'it has not looked whether more is there',
    );
    assert.equal(
      deliverSome(store, () => true),
      true,
    );
  });
});
