// Recipients as a sender types them.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Recipients, resolveRecipients } from '../../../src/backend/content/mail.ts';
import type { StoredUser } from '../../../src/backend/store/records.ts';
import { Refusal } from '../../../src/backend/store/refusal.ts';
import { updateUser } from '../../../src/backend/store/users.ts';
import { MAX_RECIPIENTS } from '../../../src/limits/backend.ts';
import { LEVEL, ROOM_FLAG } from '../../../src/model.ts';
import { messageWorld } from '../../support/message-session.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const named = (found: Recipients['all']) => found.map((one) => ('user' in one ? one.user.name : `#${one.room.name}`));
  const resolve = (to: string, cc = '', bcc = '', sender: StoredUser = ann) =>
    resolveRecipients(w.store, sender, to, cc, bcc);
  const all = (to: string, sender = ann) => named(resolve(to, '', '', sender).all);
  const refused = (to: string, sender = ann) => {
    try {
      return all(to, sender).join();
    } catch (error) {
      assert.ok(error instanceof Refusal);
      return `${error.code} ${error.message}`;
    }
  };
  return { w, ann, named, resolve, all, refused };
}

describe('a recipient', () => {
  it('is a user by name or address, with a display name or without', (t) => {
    const { w, all } = world(t);
    w.user('Bob Smith');
    for (const typed of [
      'bob smith',
      'bob_smith@vm',
      'BOB_SMITH@localhost',
      '"B, S" <bob_smith@vm>',
      'x <Bob Smith>',
    ]) {
      assert.deepEqual(all(typed), ['Bob Smith'], typed);
    }
    assert.deepEqual(all('ann, bob smith'), ['ann', 'Bob Smith']);
  });

  it('is sysop, who is everybody that reads the Aide room', (t) => {
    assert.deepEqual(world(t).all('Sysop, sysop@vm'), ['#Aide', '#Aide']);
  });

  it('is a room where the sender may post', (t) => {
    const { w, refused } = world(t);
    w.room('Team Chat');
    w.room('Snake_Case');
    w.room('Silent', 0, { flags: ROOM_FLAG.readOnly });
    w.room('Secret', 0, { flags: ROOM_FLAG.private });
    assert.equal(refused('room_Team_Chat'), '#Team Chat');
    assert.equal(refused('ROOM_snake_case@vm'), '#Snake_Case');
    for (const name of ['Silent', 'Secret', 'None', '0000000001.Mail']) {
      assert.match(refused(`room_${name}`), /^570 Invalid recipient: room_/, name);
    }
  });

  it('of another server or of nobody is refused, and all of them are named at once', (t) => {
    const { w, refused } = world(t);
    const gone = w.user('gone');
    updateUser(w.store, gone, { level: LEVEL.deleted });
    assert.equal(
      refused('ann, nobody@vm, x@elsewhere, gone'),
      '570 Invalid recipient: nobody; Invalid recipient: x@elsewhere; Invalid recipient: gone',
    );
  });
});

describe('the recipients of a mail', () => {
  it('are told apart by whether they are addressed', (t) => {
    const { w, named, resolve } = world(t);
    for (const name of ['bob', 'cy', 'dan']) w.user(name);
    const { to, all } = resolve('bob', 'cy', 'dan, ann');
    assert.deepEqual([named(to), named(all)], [['bob'], ['bob', 'cy', 'dan', 'ann']]);
    assert.deepEqual(resolve('').all, []);
  });

  it('are MAX_RECIPIENTS at most, of all three fields together', (t) => {
    const { resolve } = world(t);
    const half = (more: number) => Array.from({ length: MAX_RECIPIENTS / 2 + more }, () => 'ann').join(',');
    assert.equal(resolve(half(0), half(0)).all.length, MAX_RECIPIENTS);
    assert.throws(() => resolve(half(0), '', half(1)), {
      code: 570,
      message: `More than ${MAX_RECIPIENTS} recipients.`,
    });
  });

  it('of a user who is not validated are the administrators, whoever he names', (t) => {
    const { w, named, resolve } = world(t);
    const newbie = w.user('newbie', LEVEL.new);
    const { to, all } = resolve('ann, nobody', 'ann', '', newbie);
    assert.deepEqual([named(to), named(all)], [['#Aide'], ['#Aide']]);
    assert.deepEqual(named(resolve('', 'ann', '', newbie).to), []);
    assert.deepEqual(resolve('', '', '', newbie).all, []);
  });
});
