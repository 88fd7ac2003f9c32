// Instant messages: sent as a text, taken with all that is known of them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sendInstantMessage, takeInstantMessages } from '../../src/room-server/instant-mailbox.ts';
import { ANN, askedServer, failsWith } from '../support/asked-server.ts';

it('a message is sent as a text, and no line of it ends it early', async (t) => {
  const { pool, sent, bodies } = await askedServer(t, { SEXP: '400 send\n' });
  await sendInstantMessage(pool, ANN, 'bob', 'Tea?\nNow');
  assert.deepEqual(sent(/^SEXP/), ['SEXP bob|-']);
  assert.deepEqual(bodies, ['Tea?\nNow\n']);
  await assert.rejects(sendInstantMessage(pool, ANN, 'bob', 'a\n000\nDELE 1'), failsWith('bad_request'));
  assert.equal(sent(/^(SEXP|DELE)/).length, 1);
});

it('what it is refused for is told', async (t) => {
  const { pool } = await askedServer(t, { SEXP: ['553 not here\n', '570 nobody\n', '550 no broadcast\n'] });
  await assert.rejects(sendInstantMessage(pool, ANN, 'bob', 'x'), failsWith('conflict', 553));
  await assert.rejects(sendInstantMessage(pool, ANN, 'none', 'x'), failsWith('not_found', 570));
  await assert.rejects(sendInstantMessage(pool, ANN, 'broadcast', 'x'), failsWith('forbidden', 550));
});

it('messages are taken until none is left', async (t) => {
  const first = '100 1|1795221150|1|bob|vm|bob@vm\nTea?\nNow\n000\n';
  const { pool } = await askedServer(t, {
    DEXP: '200 1\n',
    GEXP: [first, '100 0|5|0|carol|vm|\nx\n000\n', '575 none\n'],
  });
  assert.deepEqual(await takeInstantMessages(pool, ANN), [], 'they can come from now on');
  assert.deepEqual(await takeInstantMessages(pool, ANN), [
    { time: 1795221150, sender: 'bob', address: 'bob@vm', isBroadcast: true, text: 'Tea?\nNow' },
    { time: 5, sender: 'carol', address: '', isBroadcast: false, text: 'x' },
  ]);
});
