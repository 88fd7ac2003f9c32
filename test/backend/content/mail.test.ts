import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { findRoom } from '../../../src/backend/store/rooms.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { msg0, msg2 } from '../../../src/backend/verbs/reading.ts';
import { MAX_RECIPIENTS } from '../../../src/limits/backend.ts';
import { LEVEL, ROOM_FLAG } from '../../../src/model.ts';
import { messageWorld, run } from '../../support/message-session.ts';

const TEXT = 'Content-type: text/plain; charset=utf-8\n\nx\n';

function world(t: TestContext) {
  const w = messageWorld(t);
  return { w, ann: w.user('ann'), bob: w.user('Bob Smith'), boss: w.user('boss', LEVEL.admin), box: w.room('Box') };
}

describe('mail', () => {
  const probes: [string, string][] = [
    ['0|||4|x', '570 At least one recipient is required.'],
    ['0|nobody||4|x', '570 Invalid recipient: nobody'],
    ['0|nobody,nixda||4|x', '570 Invalid recipient: nobody; Invalid recipient: nixda'],
    ['0|bob smith||4|x', '200 Bob Smith|0'],
    ['0|BobSmith, boss@vm||4|x', '200 Bob Smith, boss|0'],
    ['0|Bob Smith <bob_smith@vm>||4|x', '200 Bob Smith|0'],
    ['0|"Smith, Bob" <bob_smith@vm>; boss||4|x', '200 Bob Smith, boss|0'],
    ['0||||x||0|boss', '200 |0'],
    ['0||||x||0||boss', '200 |0'],
    ['0|boss||4|x||0|nobody', '570 Invalid recipient: nobody'],
    ['0|boss||4|x||0||nobody', '570 Invalid recipient: nobody'],
    ['0|someone@example.org||4|x', '570 Invalid recipient: someone@example.org'],
    ['0|a@b@c||4|x', '570 Invalid recipient: a@b@c'],
    ['0|nobody@vm||4|x', '570 Invalid recipient: nobody'],
    ['0|room_Lobby||4|x', '200 room_Lobby|0'],
    ['0|room_Nowhere||4|x', '570 Invalid recipient: room_Nowhere'],
    ['0|sysop||4|x', '200 Aide|0'],
    ['0|boss,boss||4|x', '200 boss, boss|0'],
  ];
  it('names the recipients it knows, and those it does not', (t) => {
    const { w, ann } = world(t);
    const session = w.session(ann, personalRoom(w.store, ann, 'Mail'));
    for (const [args, reply] of probes) assert.equal(run(session, ent0, args), `${reply}\n`, args);
  });

  it('does not tell of rooms the sender may not post in', (t) => {
    const { w, ann } = world(t);
    w.room('Hidden', 0, { flags: ROOM_FLAG.private });
    const session = w.session(ann, personalRoom(w.store, ann, 'Mail'));
    assert.equal(run(session, ent0, '0|room_Hidden'), '570 Invalid recipient: room_Hidden\n');
  });

  it('is one message in Sent Items and in the Mail of each recipient', (t) => {
    const { w, ann, bob, boss } = world(t);
    const session = w.session(ann, personalRoom(w.store, ann, 'Mail'));
    const number = (reply: string) => /\n(\d+)\nMessage accepted/.exec(reply)?.[1];
    assert.equal(number(run(session, ent0, '1|bob smith, boss||4|Hello both||1|boss|ann@vm', TEXT)), '1');
    const rooms = [
      [ann, 'Sent Items'],
      [bob, 'Mail'],
      [boss, 'Mail'],
      [ann, 'Mail'],
    ] as const;
    for (const [user, name] of rooms) {
      const room = personalRoom(w.store, user, name);
      assert.equal(run(w.session(user, room), msgs, 'ALL'), '100  \n1\n000\n');
    }
    const shown = run(w.session(bob, personalRoom(w.store, bob, 'Mail')), msg0, '1|3');
    assert.match(shown, /\nroom=0000000001\.Sent Items\nrcpt=bob smith, boss\ncccc=boss\nsubj=Hello both\n000\n$/);
    assert.match(
      run(w.session(bob, personalRoom(w.store, bob, 'Mail')), msg2, '1|3'),
      /\nTo: "bob smith" <bob_smith@vm>, boss@vm\r\n(?:.*\r\n)*?CC: boss@vm\r\n/,
    );
    assert.doesNotMatch(shown, /ann@vm\n.*bcc/);
    assert.equal(w.announced[0]!.rooms.length, 4);
  });

  it('has a bound on recipients', (t) => {
    const { w, ann } = world(t);
    const session = w.session(ann, personalRoom(w.store, ann, 'Mail'));
    const list = (count: number) => Array.from({ length: count }, () => 'boss').join(',');
    assert.match(run(session, ent0, `0|${list(MAX_RECIPIENTS)}`), /^200 /);
    assert.equal(
      run(session, ent0, `0|${list(MAX_RECIPIENTS - 1)}|||||0|boss|boss`),
      `570 More than ${MAX_RECIPIENTS} recipients.\n`,
    );
  });

  it('of a new user goes to the administrators', (t) => {
    const { w } = world(t);
    const newbie = w.user('newbie', LEVEL.new);
    const session = w.session(newbie, personalRoom(w.store, newbie, 'Mail'));
    assert.equal(run(session, ent0, '0|ann||4|x'), '200 Aide|0\n');
    run(session, ent0, '1|ann||4|to ann||1', TEXT);
    assert.equal(findRoom(w.store, undefined, 'Aide')!.total, 1);
    assert.equal(findRoom(w.store, undefined, '0000000001.Mail')!.total, 0);
  });

  it('is not sent from Drafts: they keep their recipients', (t) => {
    const { w, ann, bob } = world(t);
    const drafts = personalRoom(w.store, ann, 'Drafts');
    const session = w.session(ann, drafts);
    assert.equal(run(session, ent0, '0|||4|x'), '200 |0\n');
    run(session, ent0, '1|bob smith||4|later||1', TEXT);
    assert.match(run(session, msg0, '1|3'), /\nroom=0000000001\.Drafts\nrcpt=bob smith\n/);
    assert.equal(personalRoom(w.store, bob, 'Mail').total, 0);
  });
});
