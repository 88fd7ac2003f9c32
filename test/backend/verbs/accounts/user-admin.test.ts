// LIST on plain sessions: what it does before others have their turn.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deleteUser } from '../../../../src/backend/maintenance/removal.ts';
import { findUser } from '../../../../src/backend/store/users.ts';
import { list } from '../../../../src/backend/verbs/accounts.ts';
import { longestPiece } from '../../../support/longest-piece.ts';
import { addManyUsers } from '../../../support/many-users.ts';
import { messageWorld, run } from '../../../support/message-session.ts';
import { passQuickly } from '../../../support/quick-clock.ts';

it('LIST leaves others their turn, whoever is asked for', (t) => {
  const w = messageWorld(t);
  const session = w.session(w.user('ann'), w.room('Lobby'));
  addManyUsers(w.store, 100);
  for (const [wanted, count] of [
    ['', 101],
    ['many 77', 1],
  ] as const) {
    const { statements, lines, text } = longestPiece(t, session, list, wanted);
    assert.ok(statements <= 2 && lines <= 2, `${wanted}: ${statements} statements, ${lines} lines`);
    assert.equal(text.split('\n').length, count + 3);
    assert.equal(text, run(session, list, wanted));
  }
});

it('LIST does not name who is deleted while others have their turn', (t) => {
  const w = messageWorld(t);
  const session = w.session(w.user('ann'), w.room('Lobby'));
  w.user('bob');
  w.user('cal');
  const clock = passQuickly(t);
  const reply = list(session, '');
  clock.restore();
  deleteUser(session.server, findUser(w.store, 'bob')!);
  assert.ok(typeof reply === 'object' && 'stream' in reply);
  const names = [...reply.stream].join('').matchAll(/^(\w+)\|/gm);
  assert.deepEqual(
    [...names].map(([, name]) => name),
    ['ann', 'cal'],
  );
});
