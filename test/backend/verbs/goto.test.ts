// WHOK on plain sessions: what it does before others have their turn.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { whok } from '../../../src/backend/verbs/goto.ts';
import { ROOM_FLAG } from '../../../src/model.ts';
import { longestPiece } from '../../support/longest-piece.ts';
import { addManyUsers, letKnow } from '../../support/many-users.ts';
import { messageWorld, run } from '../../support/message-session.ts';

it('WHOK leaves others their turn, and names who knows the room', (t) => {
  const w = messageWorld(t);
  const room = w.room('Club', 0, { flags: ROOM_FLAG.private });
  const session = w.session(w.user('boss', 6), room);
  const users = addManyUsers(w.store, 100);
  letKnow(w.store, users.slice(0, 50), room.id);
  const { statements, lines, text } = longestPiece(t, session, whok, '');
  assert.ok(statements <= 3 && lines <= 2, `${statements} statements, ${lines} lines`);
  const known = Array.from({ length: 50 }, (_, i) => `many ${i + 1}`).sort();
  assert.deepEqual(text.split('\n'), ['100 Who knows room:', 'boss', ...known, '000', '']);
  assert.equal(text, run(session, whok, ''));
});
