// Sessions by key: a key where the room server has room for one, else the password.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accounts } from '../../../src/room-server/embedded/accounts.ts';
import { ANN, askedServer, failsWith } from '../../support/asked-server.ts';
import { passQuickly } from '../../support/quick-clock.ts';

it('a session is a key, and the password is in it no longer', async (t) => {
  const { connect, sent } = await askedServer(t, { SKEY: '200 abcdef\n' });
  assert.deepEqual(await accounts.beginSession(await connect(), ANN), { user: 'ann', key: 'abcdef' });
  assert.deepEqual(sent(), ['SKEY new']);
});

it('where there is no room for a key, it is what was typed; another refusal is one', async (t) => {
  const { connect } = await askedServer(t, { SKEY: ['513 full\n', '550 no\n'] });
  const connection = await connect();
  assert.equal(await accounts.beginSession(connection, ANN), ANN);
  await assert.rejects(accounts.beginSession(connection, ANN), failsWith('forbidden'));
});

it('a key that could not be sent is none', async (t) => {
  const { connect } = await askedServer(t, { SKEY: ['200 \n', '200 a|b\n', '200 a\rb\n'] });
  const connection = await connect();
  for (let i = 0; i < 3; i++)
    await assert.rejects(accounts.beginSession(connection, ANN), failsWith('backend_protocol'));
});

it('a session is ended by who has it, and one that has ended already is no fault', async (t) => {
  const session = { user: 'ann', key: 'k' };
  const good = await askedServer(t, { 'SKEY login|k': '200 ann|4|0|0|0|2|0\n', 'SKEY end': '200 ended\n' });
  await accounts.endSession(good.pool, session);
  assert.deepEqual(good.sent(/^SKEY/), ['SKEY login|k', 'SKEY end']);
  const ended = await askedServer(t, { SKEY: '540 not good\n' });
  await accounts.endSession(ended.pool, session);
  const away = await askedServer(t, { SKEY: '551 too many\n' });
  passQuickly(t);
  await assert.rejects(accounts.endSession(away.pool, session), failsWith('busy'));
});
