// Probes, and who may not post.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { msg0 } from '../../../src/backend/verbs/reading.ts';
import { LEVEL, ROOM_FLAG, ROOM_FLAG2, VIEW } from '../../../src/model.ts';
import { messageWorld, run } from '../../support/message-session.ts';

const TEXT = 'Content-type: text/plain; charset=utf-8\n\nx\n';

function world(t: TestContext) {
  const w = messageWorld(t);
  return { w, ann: w.user('ann'), bob: w.user('Bob Smith'), boss: w.user('boss', LEVEL.admin), box: w.room('Box') };
}

describe('ENT0 before the body', () => {
  it('answers probes without storing anything', (t) => {
    const { w, ann, box } = world(t);
    const session = w.session(ann, box);
    for (const args of ['', '0', '0|bob smith||4|x', '0|||9', '0|||4|x|ANN', '0|||4|x||||||ann@vm']) {
      assert.equal(run(session, ent0, args), '200 |0\n');
    }
    assert.equal(run(session, msgs, 'ALL'), '100  \n000\n');
  });

  it('says in the probe that a subject is wanted', (t) => {
    const { w, ann } = world(t);
    const session = w.session(ann, w.room('Subject', 0, { flags2: ROOM_FLAG2.subjectRequired }));
    assert.equal(run(session, ent0, '0|||4|x'), '200 |1\n');
  });

  it('refuses an author name or address of somebody else', (t) => {
    const { w, ann, boss, box } = world(t);
    const refused = (who: string) => `550 You don't have permission to author messages as '${who}'.\n`;
    const session = w.session(ann, box);
    assert.equal(run(session, ent0, '0|||4|x|Somebody'), refused('Somebody'));
    assert.equal(run(session, ent0, '0|||4|x||||||boss@vm'), refused('boss@vm'));
    const admin = w.session(boss, box);
    run(admin, ent0, '1|||4|ghost|Some Ghöst|1', TEXT);
    assert.match(run(admin, msg0, '1|3'), /\npath=boss\n.*\nfrom==\?UTF-8\?B\?U29tZSBHaMO2c3Q=\?=\nrfca=boss@vm\n/);
  });

  it('refuses those who may not post, and new users', (t) => {
    const { w, ann, boss } = world(t);
    const readOnly = w.room('Readonly', 0, { flags: ROOM_FLAG.readOnly });
    assert.equal(
      run(w.session(ann, readOnly), ent0, '1|||4|x||1', TEXT),
      '550 Higher access is required to post in this room.\n',
    );
    assert.equal(run(w.session(boss, readOnly), ent0, '0|||4|x'), '200 |0\n');
    const newbie = w.user('newbie', LEVEL.new);
    assert.equal(
      run(w.session(newbie, w.room('Box')), ent0, '0'),
      '550 Need to be validated to enter (except in Mail> to sysop)\n',
    );
    assert.equal(run(w.session(undefined, w.room('Box')), ent0, '0'), '520 Not logged in.\n');
  });

  it('lets others only reply in a blog, and gives entries an id', (t) => {
    const { w, ann, boss } = world(t);
    const blog = w.room('Blog', VIEW.blog);
    assert.equal(run(w.session(ann, blog), ent0, '0|||4|x'), '550 You may only reply to existing messages here.\n');
    assert.match(
      run(w.session(boss, blog), ent0, '1|||4|x||1', TEXT),
      /\n1\nMessage accepted\.\n[0-9a-f-]{36}\n000\n$/,
    );
    const { msgid } = w.store.db.prepare('SELECT msgid FROM message WHERE id = 1').get()!;
    assert.equal(run(w.session(ann, blog), ent0, `0|||4|x|||||||${msgid}|`), '200 |0\n');
    run(w.session(ann, w.room('Box')), ent0, '1|||4|y||1', TEXT);
    const elsewhere = w.store.db.prepare('SELECT msgid FROM message WHERE id = 2').get()!.msgid;
    for (const id of ['6B00E7DE-00000022@vm', elsewhere]) {
      const reply = run(w.session(ann, blog), ent0, `0|||4|x|||||||${id}|`);
      assert.equal(reply, '550 You may only reply to existing messages here.\n');
    }
  });
});
