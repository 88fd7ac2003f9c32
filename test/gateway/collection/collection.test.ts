// A room as a collection: by verbs of our own where the room server has them, else by the documented ones.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import {
  changesSince,
  contentsOf,
  findMembers,
  listMembers,
  openCollection,
} from '../../../src/gateway/collection/collection.ts';
import { askedServer, entered, failsWith, listing, ownInfo } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { contextsAt } from '../../support/room-context.ts';

async function start(t: TestContext, answers: Answers) {
  const { server, sent } = await askedServer(t, answers);
  return { sent, context: contextsAt(t, server.path)('ann', 'Box') };
}

const MEMB = '100 7|42||\n5|a.txt||100|text/plain|3||||\n000\n';

it('our own server is asked for members, and for nothing else', async (t) => {
  const { context, sent } = await start(t, { INFO: ownInfo(), MEMB });
  const { token } = await openCollection(context);
  const { members } = await listMembers(context);
  assert.deepEqual(
    (await Array.fromAsync(members)).flat().map(({ name }) => name),
    ['a.txt'],
  );
  assert.equal((await findMembers(context, ['a.txt']))[0]?.msgnum, 5);
  assert.equal((await changesSince(context, token))?.token, token);
  assert.deepEqual(await Array.fromAsync(contentsOf(context, [])), []);
  assert.deepEqual(sent(/^(MSG|EUID)/), []);
  assert.ok(sent(/^MEMB/).length > 3);
});

it('any other is asked for its messages', async (t) => {
  const { context, sent } = await start(t, {
    MSGS: listing('5||100'),
    'MSG2 5|1': listing('Subject: s', 'X-Vestibule-Name: a.txt'),
  });
  const { token } = await openCollection(context);
  const { members } = await listMembers(context);
  assert.deepEqual(
    (await Array.fromAsync(members)).flat().map(({ name }) => name),
    ['a.txt'],
  );
  assert.equal((await findMembers(context, ['a.txt']))[0]?.msgnum, 5);
  assert.equal((await changesSince(context, token))?.token, token);
  assert.deepEqual(sent(/^MEMB/), []);
});

it('a room that cannot be entered is none, whatever server has it', async (t) => {
  for (const INFO of [ownInfo(), '530 unknown\n']) {
    const { context } = await start(t, { INFO, GOTO: '572 no such room\n', MEMB, MSGS: listing() });
    await assert.rejects(openCollection(context), failsWith('not_found'));
    await assert.rejects(listMembers(context), failsWith('not_found'));
  }
  const { context } = await start(t, { GOTO: entered('Box'), MSGS: listing() });
  assert.equal(await changesSince(context, 'made up'), undefined);
});
