// What was prepared goes with the change of the object it is for, and with no other.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { RejectedByRoom } from '../../../src/backend/content/posting-rules.ts';
import {
  commitScheduling,
  deliverNow,
  inboxOf,
  nextDelivery,
  requireExpected,
  storedScheduleTag,
} from '../../../src/backend/content/scheduling.ts';
import type { StagedScheduling } from '../../../src/backend/session/session.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { event } from '../../support/member-world.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const [ann, ben] = [w.user('ann'), w.user('ben')];
  const calendar = personalRoom(w.store, ann, 'Calendar');
  const session = w.session(ann, calendar);
  const people = 'ORGANIZER:mailto:ann@vm\r\nATTENDEE:mailto:ben@vm';
  const text = event('u', '20260105T100000Z', people).replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:REQUEST');
  const stage = (more: Partial<StagedScheduling> = {}) => {
    const messages = [{ text, recipients: [ben.id] }];
    session.scheduling = {
      uid: 'u',
      isTagged: true,
      expected: undefined,
      room: calendar,
      user: ann,
      messages,
      ...more,
    };
  };
  const commit = (uid: string, msgnum?: number) => w.store.transaction(() => commitScheduling(session, uid, msgnum));
  const put = () => saveIn(w, calendar, { euid: 'u', type: 'text/calendar', text: event('u') });
  return { ...w, w, ann, ben, calendar, session, stage, commit, put };
}

describe('scheduling messages that were prepared', () => {
  it('go with the object, which has a tag then', (t) => {
    const { store, ben, session, stage, commit, put } = world(t);
    stage();
    const msgnum = put();
    commit('u', msgnum);
    assert.deepEqual([session.scheduling, storedScheduleTag(store, msgnum)], [undefined, msgnum]);
    assert.equal(nextDelivery(store)?.recipient, ben.id);
    deliverNow(session);
    assert.deepEqual([nextDelivery(store), inboxOf(store, ben).total], [undefined, 1]);
  });

  it('go with its removal, which has no tag', (t) => {
    const { store, stage, commit } = world(t);
    stage();
    commit('u');
    assert.ok(nextDelivery(store));
    assert.deepEqual(store.prepare('SELECT 1 FROM schedule_tag').all(), []);
  });

  it('wait for their object, in their room', (t) => {
    const { store, room, session, stage, commit } = world(t);
    for (const [more, uid] of [
      [{}, 'v'],
      [{ room: room('Lobby') }, 'u'],
      [{ user: session.store.transaction(() => room('Aide')) as never }, 'u'],
    ] as const) {
      stage(more);
      commit(uid, 1);
      assert.ok(session.scheduling, uid);
    }
    assert.equal(nextDelivery(store), undefined);
  });

  it('are still prepared when the change fails', (t) => {
    const { store, session, stage } = world(t);
    stage();
    const staged = session.scheduling;
    assert.throws(() =>
      store.transaction(() => {
        commitScheduling(session, 'u', undefined);
        throw new Error('x');
      }),
    );
    assert.deepEqual([session.scheduling, nextDelivery(store)], [staged, undefined]);
  });
});

describe('an object that messages were made from', () => {
  it('must be the one that is there still', (t) => {
    const { session, stage, put } = world(t);
    const there = put();
    for (const expected of [undefined, there]) {
      stage({ expected });
      requireExpected(session, 'u');
    }
    for (const expected of [0, there + 1]) {
      stage({ expected });
      assert.throws(() => requireExpected(session, 'u'), RejectedByRoom, String(expected));
      requireExpected(session, 'other');
    }
  });

  it('need not be there where none was', (t) => {
    const { session, stage } = world(t);
    stage({ expected: 0 });
    requireExpected(session, 'u');
  });
});

it('who has sent nothing does not work for others', (t) => {
  const { store, ann, ben, session, stage, commit } = world(t);
  stage({ messages: [] });
  commit('u');
  store.transaction(() =>
    store.prepare("INSERT INTO scheduling_message (sender, is_refresh, text) VALUES (?, 0, '')").run(ann.id),
  );
  store.prepare('INSERT INTO scheduling_delivery (message, recipient) VALUES (1, ?)').run(ben.id);
  deliverNow(session);
  assert.ok(nextDelivery(store));
});

it('a fault of a delivery is told to whoever runs the server, not to who has posted', (t) => {
  const { store, session, faults, stage, commit } = world(t);
  store.db.exec("CREATE TEMP TRIGGER fail BEFORE INSERT ON message BEGIN SELECT raise(ABORT, 'broken'); END");
  stage();
  commit('u');
  deliverNow(session);
  assert.deepEqual([faults.length, nextDelivery(store)], [1, undefined]);
});
