// RDIR on a plain session: what it does before others have their turn.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rdir } from '../../../../src/backend/verbs/citadel/directory.ts';
import { ROOM_FLAG } from '../../../../src/model.ts';
import { longestPiece } from '../../../support/longest-piece.ts';
import { messageWorld, run } from '../../../support/message-session.ts';

it('RDIR leaves others their turn among the files', (t) => {
  const w = messageWorld(t);
  const room = w.room('Files', 0, { flags: ROOM_FLAG.directory | ROOM_FLAG.visibleDirectory });
  const insert = w.store.prepare(
    "INSERT INTO room_file (room, name, type, comment, time, size, complete) VALUES (?, ?, '', '', 0, 1, 1)",
  );
  for (let i = 0; i < 250; i++) insert.run(room.id, `f${i}`);
  const session = w.session(w.user('ann'), room);
  const { lines, text } = longestPiece(t, session, rdir, '');
  assert.ok(lines <= 101, String(lines));
  assert.equal(text, run(session, rdir, ''));
  assert.equal(text.split('\n').length, 250 + 3);
});
