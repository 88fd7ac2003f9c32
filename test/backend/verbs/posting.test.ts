import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { TextReply } from '../../../src/backend/session/reply.ts';
import type { Session } from '../../../src/backend/session/session.ts';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import { updateRoom } from '../../../src/backend/store/rooms.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { msg0 } from '../../../src/backend/verbs/reading.ts';
import { LEVEL, ROOM_FLAG, VIEW } from '../../../src/model.ts';
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

describe('ENT0 of a large object', () => {
  const event = (description: string) =>
    `Content-type: text/calendar\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:big\n${description}END:VEVENT\nEND:VCALENDAR\n`;
  const large = event(`DESCRIPTION:${'x\\n'.repeat(200_000)}\n`);

  function posted(session: Session, text: string): string | Promise<string> {
    const { text: sink } = ent0(session, '1|||4|||1') as TextReply;
    sink.write(Buffer.from(text));
    return sink.end() as string | Promise<string>;
  }

  it('is read in turns with what others do, and then stored', async (t) => {
    const { w, ann } = world(t);
    const room = w.room('Dates', VIEW.calendar);
    assert.match(await posted(w.session(ann, room), event('')), /^\d+\nMessage accepted\.\nbig\n000\n$/);
    let hasOtherRun = false;
    setImmediate(() => {
      hasOtherRun = true;
    });
    const confirmation = posted(w.session(ann, room), large);
    assert.ok(confirmation instanceof Promise);
    assert.match(await confirmation, /^\d+\nMessage accepted\.\nbig\n000\n$/);
    assert.ok(hasOtherRun);
    assert.equal(room.total, 1, 'it has taken the place of the one before');
  });

  it('is not stored where the server ends meanwhile', async (t) => {
    const { w, ann } = world(t);
    const confirmation = posted(w.session(ann, w.room('Dates', VIEW.calendar)), large);
    w.store.db.close();
    assert.match(await confirmation, /^-531\nThe server has ended\.\n/);
    w.store.db.open();
    assert.deepEqual(w.faults, []);
  });
});
