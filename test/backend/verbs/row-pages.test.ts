// ROWS on plain sessions: what it does before others have their turn.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ent0 } from '../../../src/backend/verbs/posting.ts';
import { rows } from '../../../src/backend/verbs/row-pages.ts';
import { world } from '../../support/five-messages.ts';
import { longestPiece } from '../../support/longest-piece.ts';
import { run } from '../../support/message-session.ts';
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
