// ROWS on plain sessions: what it does before others have their turn.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deleteRooms } from '../../../src/backend/maintenance/removal.ts';
import { updateVisit, visitOf } from '../../../src/backend/store/visits.ts';
import { coun, rows } from '../../../src/backend/verbs/message-lists.ts';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { world } from '../../support/five-messages.ts';
import { longestPiece } from '../../support/longest-piece.ts';
import { messageWorld, run } from '../../support/message-session.ts';
import { passQuickly } from '../../support/quick-clock.ts';

it('ROWS leaves others their turn, however many gaps of a read set are empty', (t) => {
  const { w, session, seen } = world(t);
  w.store.db.exec("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'message'");
  run(session, ent0, '1|||4|Plum||1', 'Content-type: text/plain\n\nx\n');
  seen(`1:4,${Array.from({ length: 2000 }, (_, i) => 2 * i + 101).join(',')}`);
  for (const args of ['0|0|100|0|1', '0|0|100|1|1']) {
    const { statements, text } = longestPiece(t, session, rows, args);
    assert.ok(statements <= 60, `${args}: ${statements}`);
    assert.deepEqual(
      text.split('\n').map((line) => line.split('|')[0]),
      ['100  ', '5', '5001', '000', ''],
    );
  }
});

it('ROWS tells nothing of what comes while others have their turn', (t) => {
  const { w, session, seen } = world(t);
  w.store.db.exec("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'message'");
  const post = () => run(session, ent0, '1|||4|Plum||1', 'Content-type: text/plain\n\nx\n');
  post();
  seen(`1:4,${Array.from({ length: 200 }, (_, i) => 2 * i + 101).join(',')}`);
  const clock = passQuickly(t);
  const reply = rows(session, '0|0|100|0|1');
  clock.restore();
  post();
  assert.ok(typeof reply === 'object' && 'stream' in reply);
  const numbers = [...reply.stream].join('').matchAll(/^(\d+)\|/gm);
  assert.deepEqual(
    [...numbers].map(([, msgnum]) => msgnum),
    ['5', '5001'],
  );
});

it('COUN leaves others their turn between rooms, and counts in none that goes meanwhile', (t) => {
  const w = messageWorld(t);
  const ann = w.user('ann');
  const session = w.session(ann, w.room('Lobby'));
  const [first] = Array.from({ length: 50 }, (_, i) => {
    const room = w.room(`Room ${i}`);
    run(w.session(ann, room), ent0, '1|||1|s||1', 'x\n');
    updateVisit(w.store, visitOf(w.store, ann.id, room.id), { state: 'known' });
    return room;
  });
  const { statements, lines, text } = longestPiece(t, session, coun, '');
  assert.ok(statements <= 2 && lines <= 2, `${statements} statements, ${lines} lines`);
  assert.match(text, /^Room 0\|1\|1\|1\|0\|$/m);
  assert.equal(text, run(session, coun, ''));
  const clock = passQuickly(t);
  const reply = coun(session);
  clock.restore();
  deleteRooms(session.server, [first!]);
  assert.ok(typeof reply === 'object' && 'stream' in reply);
  assert.deepEqual([...reply.stream].join(''), text.replace(/^Room 0\|.*\n/m, ''));
});
