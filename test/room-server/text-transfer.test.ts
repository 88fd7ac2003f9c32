// A text behind a command: whole, ended once, and taken.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { writeText } from '../../src/room-server/connection/connection.ts';
import { askedServer, failsWith } from '../support/asked-server.ts';

it('a text goes out with a line end at its end, an empty one with nothing', async (t) => {
  const { connect, bodies } = await askedServer(t, { EBIO: '400 send\n' });
  const connection = await connect();
  for (const text of ['one\ntwo', 'one\n', '', '000x\n 000\n0000']) await writeText(connection, 'EBIO\n', text);
  assert.deepEqual(bodies, ['one\ntwo\n', 'one\n', '', '000x\n 000\n0000\n']);
  assert.equal(connection.isIdle, true);
});

it('a line that would end it early is refused before anything is sent', async (t) => {
  const { connect, sent } = await askedServer(t, { EBIO: '400 send\n' });
  const connection = await connect();
  for (const text of ['000', 'a\n000', '000\nDELE 1', 'a\n000\nb']) {
    await assert.rejects(writeText(connection, 'EBIO\n', text), failsWith('bad_request'), text);
  }
  assert.deepEqual(sent(), []);
});

it('a refusal means what the verb says', async (t) => {
  const { connect } = await askedServer(t, { EBIO: '550 no\n' });
  const connection = await connect();
  await assert.rejects(writeText(connection, 'EBIO\n', 'x'), failsWith('forbidden'));
  await assert.rejects(writeText(connection, 'EBIO\n', 'x', { 550: ['conflict', 'not now'] }), {
    code: 'conflict',
    message: 'not now',
  });
});
