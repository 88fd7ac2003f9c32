// Messages found by a header field, and the latest ones.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findAbove, findByMessageId, findBySubject } from '../../src/room-server/messages.ts';
import { askedServer, failsWith, listing } from '../support/asked-server.ts';

it('the server compares one field, which goes out as a template line', async (t) => {
  const { connect, sent, bodies } = await askedServer(t, { MSGS: '800 template\n5\n9\n000\n' });
  const connection = await connect();
  assert.deepEqual(await findBySubject(connection, 'a subject'), [5, 9]);
  assert.deepEqual(await findByMessageId(connection, '1@x'), [5, 9]);
  assert.deepEqual(sent(/^MSGS/), ['MSGS ALL||1|0', 'MSGS ALL||1|0']);
  assert.deepEqual(bodies, ['subj|a subject\n', 'msgn|1@x\n']);
});

it('lines that are no numbers are no messages', async (t) => {
  const { connect } = await askedServer(t, { MSGS: '800 template\n0\nx\n-3\n1e99\n7\n000\n' });
  assert.deepEqual(await findBySubject(await connect(), 's'), [7]);
});

it('a server that takes no template is a refusal', async (t) => {
  const { connect } = await askedServer(t, { MSGS: '550 no\n' });
  await assert.rejects(findBySubject(await connect(), 's'), failsWith('forbidden'));
});

it('the latest ones are picked from all', async (t) => {
  const { connect, sent } = await askedServer(t, { MSGS: listing('5', '7', '8') });
  assert.deepEqual(await findAbove(await connect(), 7), [8]);
  assert.deepEqual(sent(/^MSGS/), ['MSGS ALL']);
});
