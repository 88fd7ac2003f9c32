import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import { updateRoom } from '../../../src/backend/store/rooms.ts';
import { personalRoom } from '../../../src/backend/store/users.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { dele, move } from '../../../src/backend/verbs/moving.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { msg0 } from '../../../src/backend/verbs/reading.ts';
import { srch } from '../../../src/backend/verbs/search.ts';
import { BACKEND_MOVE_BYTES, MOVED_MESSAGE_BYTES } from '../../../src/limits/backend.ts';
import { LEVEL, ROOM_FLAG, ROOM_FLAG2 } from '../../../src/model.ts';
import { messageWorld, run } from '../../support/message-session.ts';

/** Rooms Box (messages 1 to 5), Other, Closed; ann may post, boss administers. */
function world(t: TestContext) {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const boss = w.user('boss', LEVEL.admin);
  const box = w.room('Box');
  const other = w.room('Other');
  w.room('Closed', 0, { flags: ROOM_FLAG.private });
  const session = w.session(ann, box);
  for (let i = 0; i < 5; i++) run(session, ent0, '1|||4|s||1', 'Content-type: text/plain\n\nneedle\n');
  const numbers = (room: typeof box) => run(w.session(boss, room), msgs, 'ALL').split('\n').slice(1, -2).join(',');
  const rows = (table: string) => Number(w.store.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n);
  return { w, ann, boss, box, other, session, admin: w.session(boss, box), numbers, rows };
}

describe('DELE', () => {
  it('takes as many messages at once as the bound says, and more when the others have had their turn', async (t) => {
    const atOnce = BACKEND_MOVE_BYTES / MOVED_MESSAGE_BYTES;
    for (const more of [0, 1]) {
      const { session, admin, numbers, box } = world(t);
      while (box.total < atOnce + more) run(session, ent0, '1|||1|s||1', `${box.total}\n`);
      const reply = dele(admin, numbers(box));
      assert.equal(box.total, more);
      assert.equal(reply instanceof Promise, more > 0);
      assert.equal(await reply, `200 ${atOnce + more} messages deleted.\n`);
      assert.equal(box.total, 0);
    }
  });

  it('says how far it had come when the right to it ends between two turns', async (t) => {
    const { w, ann } = world(t);
    const shared = w.room('Shared', 0, { flags2: ROOM_FLAG2.collaborativeDelete });
    const session = w.session(ann, shared);
    const atOnce = BACKEND_MOVE_BYTES / MOVED_MESSAGE_BYTES;
    const numbers: string[] = [];
    for (let i = 0; i <= atOnce; i++) numbers.push(run(session, ent0, '1|||1|s||1', `${i}\n`).split('\n')[1]!);
    const reply = dele(session, numbers.join(','));
    updateRoom(w.store, shared, { flags2: 0 });
    await assert.rejects(Promise.resolve(reply), {
      code: 550,
      message: `Higher access required. It was done with ${atOnce} of ${atOnce + 1} before.`,
    });
    assert.equal(shared.total, 1);
  });

  it('needs the right to delete', (t) => {
    const { w, ann, session, admin, numbers, box } = world(t);
    for (const args of ['1', '999', '', 'abc']) assert.equal(run(session, dele, args), '550 Higher access required.\n');
    assert.equal(run(admin, dele, '1'), '200 1 message deleted.\n');
    const collab = w.room('Collab', 0, { flags2: ROOM_FLAG2.collaborativeDelete });
    run(w.session(ann, collab), ent0, '1|||1|s||1', 'x\n');
    assert.equal(run(w.session(ann, collab), dele, '6'), '200 1 message deleted.\n');
    assert.equal(numbers(box), '2,3,4,5');
  });

  it('takes lists in any order, and lets unknown numbers not save others', (t) => {
    const { admin, box, numbers } = world(t);
    assert.equal(run(admin, dele, '2,1'), '200 2 messages deleted.\n');
    assert.equal(run(admin, dele, '1'), '575 Message not found.\n');
    assert.equal(run(admin, dele, '1,4,4'), '200 1 message deleted.\n');
    assert.equal(numbers(box), '3,5');
    assert.deepEqual([box.total, box.highest], [2, 5]);
    run(admin, dele, '5,3');
    assert.deepEqual([box.total, box.highest], [0, 0]);
  });

  it('never uses a number again', (t) => {
    const { session, admin } = world(t);
    run(admin, dele, '1,2,3,4,5');
    assert.match(run(session, ent0, '1|||1|s||1', 'x\n'), /\n6\nMessage accepted/);
  });

  it('of the last reference removes message, body and index entry', (t) => {
    const { admin, ann, w, rows } = world(t);
    run(admin, move, '1|Other|1');
    run(admin, dele, '1,2,3,4,5');
    assert.deepEqual(['message', 'blob', 'chunk', 'message_text'].map(rows), [1, 1, 1, 1]);
    assert.equal(run(w.session(ann, w.room('Box')), srch, 'needle'), '100 1 msgs match all search words:\n1\n000\n');
    removeFromRoom(w.store, w.room('Other').id, [1]);
    assert.deepEqual(['message', 'blob', 'chunk', 'message_text', 'room_message'].map(rows), [0, 0, 0, 0, 0]);
    assert.equal(run(w.session(ann, w.room('Box')), srch, 'needle'), '100 0 msgs match all search words:\n000\n');
  });
});

describe('MOVE', () => {
  const asUser: [string, string][] = [
    ['1|Other|0', '550 Higher access required.'],
    ['1|Other|1', '550 Higher access required.'],
    ['1|Drafts|0', '550 Higher access required.'],
    ['1|Closed|1', "572 'Closed' does not exist."],
    ['1|Nowhere|1', "572 'Nowhere' does not exist."],
    ['1|Box|1', '574 Source and target rooms are the same.'],
    ['1', "572 '' does not exist."],
    ['', "572 '' does not exist."],
    ['99|Drafts|1', '575 Message not found.'],
    ['1|Drafts|1', '200 Message(s) copied.'],
    ['2|_TRASH_|1', '200 Message(s) copied.'],
  ];
  it('lets users copy to their own rooms, and no more', (t) => {
    const { w, ann, session, box, numbers } = world(t);
    for (const [args, reply] of asUser) assert.equal(run(session, move, args), `${reply}\n`, args);
    assert.equal(numbers(box), '1,2,3,4,5');
    const drafts = personalRoom(w.store, ann, 'Drafts');
    assert.match(run(w.session(ann, drafts), msg0, '1|3'), /\nroom=Box\n/);
    assert.equal(run(w.session(ann, drafts), move, '1|Trash|0'), '200 Message(s) moved.\n');
    assert.equal(numbers(personalRoom(w.store, ann, 'Trash')), '1,2');
  });

  it('gives nobody a message that is not in the current room', (t) => {
    const { w, ann, session } = world(t);
    const secret = w.room('Closed');
    run(w.session(w.user('root', LEVEL.admin), secret), ent0, '1|||1|s||1', 'secret\n');
    assert.equal(run(session, move, '6|Drafts|1'), '575 Message not found.\n');
    assert.equal(
      run(w.session(ann, personalRoom(w.store, ann, 'Mail')), move, '6|Drafts|1'),
      '575 Message not found.\n',
    );
  });

  it('moves several at once for an administrator, the known ones of a list', (t) => {
    const { admin, box, other, numbers } = world(t);
    assert.equal(run(admin, move, '2,99,3|Other|0'), '200 Message(s) moved.\n');
    assert.deepEqual([numbers(box), numbers(other)], ['1,4,5', '2,3']);
    assert.deepEqual([box.total, other.total, other.highest], [3, 2, 3]);
  });

  it('of what is in the target already changes nothing there', (t) => {
    const { admin, other, numbers, box } = world(t);
    run(admin, move, '1,2|Other|1');
    assert.equal(run(admin, move, '2,1|Other|1'), '200 Message(s) copied.\n');
    assert.deepEqual([numbers(other), other.total, other.highest], ['1,2', 2, 2]);
    assert.equal(run(admin, move, '1|Other|0'), '200 Message(s) moved.\n');
    assert.deepEqual([numbers(other), other.total, numbers(box), box.total], ['1,2', 2, '2,3,4,5', 4]);
  });

  it('does not let posts into a room where the mover may not post', (t) => {
    const { w, ann } = world(t);
    const collab = w.room('Collab', 0, { flags2: ROOM_FLAG2.collaborativeDelete });
    w.room('Readonly', 0, { flags: ROOM_FLAG.readOnly });
    run(w.session(ann, collab), ent0, '1|||1|s||1', 'x\n');
    assert.equal(run(w.session(ann, collab), move, '6|Readonly|0'), '550 Higher access required.\n');
    assert.equal(run(w.session(ann, collab), move, '6|Other|0'), '200 Message(s) moved.\n');
  });
});
