import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import { updateRoom } from '../../../src/backend/store/rooms.ts';
import { msgs } from '../../../src/backend/verbs/message-lists.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { msg0 } from '../../../src/backend/verbs/reading.ts';
import { LEVEL, ROOM_FLAG, ROOM_FLAG2, VIEW } from '../../../src/model.ts';
import { type MessageWorld, messageWorld, run } from '../../support/message-session.ts';

const TEXT = 'Content-type: text/plain; charset=utf-8\n\nx\n';

function world(t: TestContext) {
  const w = messageWorld(t);
  return { w, ann: w.user('ann'), bob: w.user('Bob Smith'), boss: w.user('boss', LEVEL.admin), box: w.room('Box') };
}

function rowCount(w: MessageWorld): unknown {
  return {
    ...w.store.db
      .prepare(`SELECT (SELECT count(*) FROM message) AS message, (SELECT count(*) FROM blob) AS blob,
        (SELECT count(*) FROM chunk) AS chunk, (SELECT count(*) FROM message_text) AS text`)
      .get(),
  };
}

describe('ENT0 in a room', () => {
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

  it('takes a body that comes at once, and answers behind it', (t) => {
    const { w, ann, box } = world(t);
    const atOnce = '1|||4|x||1||||||';
    assert.equal(run(w.session(ann, box), ent0, `${atOnce}|1`, TEXT), '100 Message:\n1\nMessage accepted.\n\n000\n');
    assert.equal(run(w.session(ann, box), ent0, `${atOnce}|1`, ''), '100 Message:\n-2\nInternal error.\n\n000\n');
    const closed = w.room('Closed', VIEW.board, { flags: ROOM_FLAG.readOnly });
    const stored = rowCount(w);
    assert.match(run(w.session(ann, closed), ent0, `${atOnce}|1`, TEXT), /^550 .*\n$/);
    assert.match(run(w.session(undefined, box), ent0, `${atOnce}|1`, TEXT), /^520 .*\n$/);
    assert.deepEqual(rowCount(w), stored);
  });

  it('confirms with number, text and euid, or not at all', (t) => {
    const { w, ann, box } = world(t);
    const session = w.session(ann, box);
    assert.equal(run(session, ent0, '1|||4|plain|||', TEXT), '400 send message\n');
    assert.equal(
      run(session, ent0, '1|bob smith||4|x||1||boss', TEXT),
      '800 send message\n2\nMessage accepted.\n\n000\n',
    );
    assert.deepEqual(
      w.announced.map(({ rooms, msgnum }) => [rooms, msgnum]),
      [
        [[box.id], 1],
        [[box.id], 2],
      ],
    );
    assert.equal(session.highestKnown, 2);
    assert.equal(box.total, 2);
    assert.equal(ann.posted, 2);
  });

  it('stores the header fields of the protocol', (t) => {
    const { w, ann, box } = world(t);
    const session = w.session(ann, box);
    run(session, ent0, '1|||4|  Re: x  ||1|||||<id1@host>!id2@host', TEXT);
    const lines = run(session, msg0, '1|3').split('\n');
    const time = lines.find((line) => line.startsWith('time='))!.slice(5);
    const stamp = Number(time).toString(16).toUpperCase();
    assert.deepEqual(lines, [
      '100 msg:',
      'type=4',
      `msgn=${stamp}-00000001@vm`,
      'path=ann',
      `time=${time}`,
      'from=ann',
      'rfca=ann@vm',
      'locl=yes',
      'room=Box',
      'wefw=id1@host|id2@host',
      'subj=Re: x',
      '000',
      '',
    ]);
  });

  it('encodes a subject that is not ASCII and keeps one that is encoded', (t) => {
    const { w, ann, box } = world(t);
    const session = w.session(ann, box);
    run(session, ent0, '1|||4|Grüße||1', TEXT);
    run(session, ent0, '1|||4|=?UTF-8?B?R3LDvMOfZQ==?=||1', TEXT);
    assert.match(run(session, msg0, '1|3'), /\nsubj==\?UTF-8\?B\?R3LDvMOfZQ==\?=\n/);
    assert.match(run(session, msg0, '2|3'), /\nsubj==\?UTF-8\?B\?R3LDvMOfZQ==\?=\n/);
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

  it('refuses an empty body with -2 and one over the limit with -4, and keeps nothing', (t) => {
    const { w, ann, box } = world(t);
    const session = w.session(ann, box);
    const before = rowCount(w);
    assert.equal(run(session, ent0, '1|||4|none||1', ''), '800 send message\n-2\nInternal error.\n\n000\n');
    assert.equal(run(session, ent0, '1|||4|none', ''), '400 send message\n');
    w.store.setConfig('c_maxmsglen', '100');
    assert.match(run(session, ent0, '1|||1|x||1', `${'a'.repeat(99)}\n`), /\nMessage accepted\.\n/);
    assert.equal(
      run(session, ent0, '1|||1|x||1', `${'a'.repeat(100)}\n`),
      '800 send message\n-4\nThe message is too large.\n\n000\n',
    );
    w.store.setConfig('c_maxmsglen', '600000');
    assert.match(run(session, ent0, '1|||1|x||1', `${'a'.repeat(600_000)}\n`), /\n-4\n/);
    removeFromRoom(w.store, box.id, [1]);
    assert.deepEqual(rowCount(w), before);
  });

  it('says so when the room is deleted while the body comes', (t) => {
    const { w, ann } = world(t);
    const room = w.room('Gone');
    const reply = ent0(w.session(ann, room), '1|||4|x||1');
    assert.ok(typeof reply === 'object' && 'text' in reply);
    reply.text.write(Buffer.from('x\n'));
    updateRoom(w.store, room, { name: 'Other' });
    w.store.db.prepare('DELETE FROM room WHERE id = ?').run(room.id);
    assert.throws(() =>
      w.store.transaction(() => {
        throw new Error('reloads the rooms');
      }),
    );
    assert.match(String(reply.text.end()), /^-1\n/);
  });

  it('says so when the disk is full, keeps nothing, and works again when there is room', (t) => {
    const { w, ann, box } = world(t);
    const session = w.session(ann, box);
    const before = rowCount(w);
    const { page_count } = w.store.db.prepare('PRAGMA page_count').get()!;
    for (const size of [200_000, 1_000_000]) {
      w.store.db.exec(`PRAGMA max_page_count = ${Number(page_count) + 10}`);
      const reply = run(session, ent0, '1|||1|x||1', `${'a'.repeat(size)}\n`);
      assert.equal(reply, '800 send message\n-1\nThe disk is full.\n\n000\n');
      w.store.db.exec('PRAGMA max_page_count = 1000000');
      assert.deepEqual(rowCount(w), before);
      assert.deepEqual([box.total, ann.posted], [0, 0]);
    }
    assert.match(run(session, ent0, '1|||1|x||1', 'a\n'), /\nMessage accepted\.\n/);
    assert.deepEqual(w.faults, []);
  });
});
