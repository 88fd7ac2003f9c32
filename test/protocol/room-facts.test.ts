// Which of a user's rooms is for what, and whose room a name means.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VIEW } from '../../src/model.ts';
import {
  fullPersonalName,
  hasNews,
  needsRecipient,
  OWN_ROOM,
  personalName,
  type RoomRole,
  roleOf,
} from '../../src/protocol/room-facts.ts';

const room = (name: string, isPersonal = true, defaultView: number = VIEW.mailbox) => ({
  name,
  isPersonal,
  defaultView,
});

describe('the role of a room', () => {
  it('is told by its name, in any case, also with the number of its owner', () => {
    for (const [role, name] of Object.entries(OWN_ROOM)) {
      for (const each of [name, name.toUpperCase(), `0000000042.${name}`]) {
        assert.equal(roleOf(room(each)), role, each);
        assert.equal(roleOf(room(each, false)), undefined, each);
      }
    }
    assert.equal(roleOf(room('Draft')), undefined);
  });

  it('is drafts where its view says so', () => {
    assert.equal(roleOf(room('Entwürfe', true, VIEW.drafts)), 'drafts');
    assert.equal(roleOf(room('Entwürfe', false, VIEW.drafts)), undefined);
  });

  it('tells where unread messages are news, and what has to have a recipient', () => {
    const quiet: RoomRole[] = ['sent', 'drafts', 'trash', 'archive'];
    for (const [role, name] of Object.entries(OWN_ROOM)) {
      assert.equal(hasNews(room(name)), !quiet.includes(role as RoomRole), name);
      assert.ok(hasNews(room(name, false)), name);
      assert.equal(needsRecipient(room(name), VIEW.mailbox), role !== 'drafts', name);
      assert.equal(needsRecipient(room(name), VIEW.board), role === 'mail', name);
      assert.ok(!needsRecipient(room(name, false), VIEW.mailbox), name);
    }
    assert.ok(hasNews(room('Family')));
  });
});

describe('the name of a personal room', () => {
  it('has the number of its owner in front, in ten digits', () => {
    assert.deepEqual(personalName('0000000042.My.Mail'), { owner: 42, name: 'My.Mail' });
    assert.equal(fullPersonalName(42, 'My.Mail'), '0000000042.My.Mail');
    assert.equal(fullPersonalName('42', 'Mail'), '0000000042.Mail');
    for (const name of ['000000042.Mail', '00000000042.Mail', 'Mail', 'x0000000042.Mail', '0000000042']) {
      assert.deepEqual(personalName(name), { owner: undefined, name });
    }
  });
});
