// XFER on plain sessions: what its lists do before others have their turn.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deleteRooms } from '../../../src/backend/maintenance/removal.ts';
import { xfer } from '../../../src/backend/verbs/transfer.ts';
import { longestPiece } from '../../support/longest-piece.ts';
import { addManyUsers, letKnow } from '../../support/many-users.ts';
import { messageWorld, run } from '../../support/message-session.ts';
import { passQuickly } from '../../support/quick-clock.ts';

it('XFER lists visits and leaves others their turn, each user once', (t) => {
  const w = messageWorld(t);
  const room = w.room('Club');
  const session = Object.assign(w.session(undefined, room), { isAdminSocket: true });
  letKnow(w.store, addManyUsers(w.store, 250), room.id);
  const { statements, lines, text } = longestPiece(t, session, xfer, 'visits');
  assert.ok(statements <= 3 && lines <= 2, `${statements} statements, ${lines} lines`);
  const rows = Array.from({ length: 250 }, (_, i) => `many ${i + 1}|known|0||*:0`);
  assert.deepEqual(text.split('\n'), ['100 Visits:', ...rows, '000', '']);
  assert.equal(text, run(session, xfer, 'visits'));
});

it('XFER lists rooms and leaves others their turn, without those that go meanwhile', (t) => {
  const w = messageWorld(t);
  const session = Object.assign(w.session(undefined, w.room('Lobby')), { isAdminSocket: true });
  const [box] = ['Box', 'Club', 'Den'].map((name) => w.room(name));
  assert.ok(longestPiece(t, session, xfer, 'rooms').lines <= 2);
  const clock = passQuickly(t);
  const reply = xfer(session, 'rooms');
  clock.restore();
  deleteRooms(session.server, [box!]);
  assert.ok(typeof reply === 'object' && 'stream' in reply);
  const names = [...reply.stream].join('').matchAll(/^(\w+)\|/gm);
  assert.deepEqual(
    [...names].map(([, name]) => name),
    ['Lobby', 'Aide', 'Club', 'Den'],
  );
});
