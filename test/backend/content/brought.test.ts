// What a copy has brought, and how far it has come.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Reply } from '../../../src/backend/session/reply.ts';
import { broughtMessages, noteBrought, noteStep, steps } from '../../../src/backend/verbs/transfer.ts';
import { messageWorld, run } from '../../support/message-session.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const session = w.session(undefined, w.room('Lobby'));
  const said = (reply: () => Reply) => run(session, reply, '');
  return { store: w.store, said, note: (...fields: string[]) => said(() => noteStep(w.store, fields)) };
}

describe('messages that were brought', () => {
  it('are counted by room and by their euid, else their id', (t) => {
    const { store, said } = world(t);
    for (let i = 0; i < 2; i++) noteBrought(store, 'lobby', { euid: '', msgid: 'id@x' });
    noteBrought(store, 'lobby', { euid: 'a|b%', msgid: 'id@x' });
    noteBrought(store, 'attic', { euid: '', msgid: 'other@x' });
    const reply = said(() => broughtMessages(store, 'lobby'));
    assert.match(reply, /^100 /);
    assert.deepEqual(reply.split('\n').slice(1).sort(), ['', '000', '1|a|b%', '2|id@x']);
    assert.match(
      said(() => broughtMessages(store, 'none')),
      /^100 [^\n]*\n000\n$/,
    );
  });

  it('cannot end the list by what they are called', (t) => {
    const { store, said } = world(t);
    noteBrought(store, 'lobby', { euid: '000', msgid: '' });
    assert.match(
      said(() => broughtMessages(store, 'lobby')),
      /\n1\|000\n000\n$/,
    );
  });
});

describe('a step of a copy', () => {
  it('is noted, and the later one counts', (t) => {
    const { store, said, note } = world(t);
    assert.match(note('room', 'made', 'lobby'), /^200 /);
    note('user', 'made', 'ann');
    note('room', 'done', 'lobby');
    assert.match(
      said(() => steps(store)),
      /^100 [^\n]*\nroom\|done\|lobby\nuser\|made\|ann\n000\n$/,
    );
  });

  it('that there is not is refused, and nothing is noted', (t) => {
    const { store, said, note } = world(t);
    for (const fields of [[], ['door', 'made', 'x'], ['room', 'begun', 'x'], ['room', 'made', ''], ['room', 'made']]) {
      assert.match(note(...fields), /^512 /, fields.join());
    }
    assert.match(
      said(() => steps(store)),
      /^100 [^\n]*\n000\n$/,
    );
  });
});
