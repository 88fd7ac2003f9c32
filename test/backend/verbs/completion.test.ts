// AUTO on plain sessions: what it does before others have their turn.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { auto } from '../../../src/backend/verbs/search.ts';
import { addManyUsers } from '../../support/many-users.ts';
import { messageWorld } from '../../support/message-session.ts';
import { passQuickly } from '../../support/quick-clock.ts';

it('AUTO leaves others their turn between people, whoever is looked for', async (t) => {
  const w = messageWorld(t);
  const session = w.session(w.user('ann'), w.room('Lobby'));
  addManyUsers(w.store, 100);
  const { mock: turns } = t.mock.method(session.server.turns, 'next');
  passQuickly(t);
  assert.equal(await auto(session, 'many 77'), '100 try these:\nmany 77 <many_77@vm>\n000\n');
  assert.ok(turns.callCount() > 100, `${turns.callCount()} turns`);
});

it('AUTO asks a store no more that was closed while others had their turn', async (t) => {
  const w = messageWorld(t);
  const session = w.session(w.user('ann'), w.room('Lobby'));
  w.user('bob');
  w.user('cal');
  passQuickly(t);
  t.mock.method(session.server.turns, 'next', () => Promise.resolve(w.store.db.isOpen && w.store.db.close()));
  assert.equal(await auto(session, 'l'), '');
  w.store.db.open();
});
