// App passwords of the room server: its rows read, and what a server without them is taken for.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accounts } from '../../../src/room-server/embedded/accounts.ts';
import { askedServer, failsWith } from '../../support/asked-server.ts';

it('they are made, listed and ended, one’s own or those of another', async (t) => {
  const { connect, sent } = await askedServer(t, {
    'APPW new|dav|phone|': '200 7|abcde-fghij\n',
    'APPW list|ann': '100 App passwords:\n7|dav|10|20||phone\n8|feed|30|0|Lobby|reader\n000\n',
    'APPW end|7|ann': '200 ended\n',
  });
  const connection = await connect();
  assert.deepEqual(await accounts.makeAppPassword(connection, 'dav', 'phone'), { id: 7, secret: 'abcde-fghij' });
  assert.deepEqual(await accounts.listAppPasswords(connection, 'ann'), [
    { id: 7, name: 'phone', scope: 'dav', room: '', created: 10, used: 20 },
    { id: 8, name: 'reader', scope: 'feed', room: 'Lobby', created: 30, used: 0 },
  ]);
  await accounts.endAppPassword(connection, 7, 'ann');
  assert.deepEqual(sent(), ['APPW new|dav|phone|', 'APPW list|ann', 'APPW end|7|ann']);
});

it('one without a secret is none, nor is one of a scope that there is not', async (t) => {
  const { connect } = await askedServer(t, { APPW: ['200 7\n', '100 list\n7|root|10|20||phone\n000\n'] });
  const connection = await connect();
  await assert.rejects(accounts.makeAppPassword(connection, 'dav', 'phone'), failsWith('backend_protocol'));
  await assert.rejects(accounts.listAppPasswords(connection, 'ann'), failsWith('backend_protocol'));
});

it('refusals say what is wrong', async (t) => {
  const { connect } = await askedServer(t, { APPW: ['511 many\n', '550 no\n', '575 none\n'] });
  const connection = await connect();
  for (const code of ['conflict', 'forbidden', 'not_found'] as const) {
    await assert.rejects(accounts.makeAppPassword(connection, 'all', 'x'), failsWith(code));
  }
});
