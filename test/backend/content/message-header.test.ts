import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { msg0, msg2 } from '../../../src/backend/verbs/reading.ts';
import { LEVEL, ROOM_FLAG } from '../../../src/model.ts';
import { messageWorld, run } from '../../support/message-session.ts';

const TEXT = 'Content-type: text/plain; charset=utf-8\n\nx\n';

function world(t: TestContext) {
  const w = messageWorld(t);
  return { w, ann: w.user('ann'), bob: w.user('Bob Smith'), boss: w.user('boss', LEVEL.admin), box: w.room('Box') };
}

describe('anonymous rooms', () => {
  it('hide name, address and path from everybody, administrators included', (t) => {
    const { w, ann, boss } = world(t);
    const masked = w.room('Masked', 0, { flags: ROOM_FLAG.anonymousOnly });
    const session = w.session(ann, masked);
    run(session, ent0, '1||0|4|who am I||1', TEXT);
    for (const reader of [session, w.session(boss, masked)]) {
      for (const shown of [
        run(reader, msg0, '1'),
        run(reader, msg2, '1'),
        run(reader, msgs, 'ALL|||9'),
        run(reader, msgs, 'ALL|||8', 'from\nrfca\npath\n'),
      ]) {
        assert.doesNotMatch(shown, /ann/);
      }
    }
    assert.match(
      run(session, msg0, '1|3'),
      /^100 msg:\ntype=4\nnhdr=yes\nmsgn=.*\ntime=\d+\nfrom=\*\*\*\*\nroom=Masked\n/,
    );
    assert.match(run(session, msg2, '1|3'), /\nFrom: "----" <x@x\.org>\r\n/);
  });

  it('hide the name on mail to them, too', (t) => {
    const { w, ann, boss } = world(t);
    const masked = w.room('Masked', 0, { flags: ROOM_FLAG.anonymousOnly });
    const mail = personalRoom(w.store, ann, 'Mail');
    assert.match(run(w.session(ann, mail), ent0, '1|room_Masked||4|who am I||1', TEXT), /\nMessage accepted\.\n/);
    const reader = w.session(w.user('carl'), masked);
    for (const shown of [run(reader, msg0, '1'), run(reader, msg2, '1'), run(reader, msgs, 'ALL|||9')]) {
      assert.match(shown, /who am I/);
      assert.doesNotMatch(shown, /ann/);
    }
    assert.match(run(w.session(boss, masked), msg0, '1|3'), /\nfrom=\*\*\*\*\n/);
    assert.match(run(w.session(ann, mail), ent0, '1|boss||4|signed||1', TEXT), /\nMessage accepted\.\n/);
    assert.match(run(w.session(boss, personalRoom(w.store, boss, 'Mail')), msg0, '2|3'), /\nfrom=ann\n/);
  });

  it('with the option hide only those who ask for it', (t) => {
    const { w, ann } = world(t);
    const maybe = w.room('Maybe', 0, { flags: ROOM_FLAG.anonymousOption });
    const session = w.session(ann, maybe);
    run(session, ent0, '1||0|4|signed||1', TEXT);
    run(session, ent0, '1||1|4|unsigned||1', TEXT);
    assert.match(run(session, msg0, '1|3'), /\nfrom=ann\n/);
    assert.match(run(session, msg0, '2|3'), /\nfrom=anonymous\nroom=/);
    assert.match(run(session, msg2, '2|3'), /\nFrom: "anonymous" <x@x\.org>\r\n/);
  });
});
