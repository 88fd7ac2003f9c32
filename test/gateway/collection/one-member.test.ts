// One member by the segment of a path: one question to our own server, the head of a message at any other.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { openMember } from '../../../src/gateway/collection/collection.ts';
import { VIEW } from '../../../src/model.ts';
import { askedServer, entered, failsWith, listing, ownInfo } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { contextsAt } from '../../support/room-context.ts';

async function start(t: TestContext, answers: Answers) {
  const { server, sent } = await askedServer(t, answers);
  return { sent, context: contextsAt(t, server.path)('ann', 'Box') };
}

it('our own server knows it by any of its names', async (t) => {
  const MEMB = ['100 7|42|\n5|a.ics|u|100|text/calendar|30|VEVENT|||\n000\n', '100 7|42|\n0\n000\n'];
  const { context, sent } = await start(t, { INFO: ownInfo(), MEMB });
  const { msgnum, name, size, component } = await openMember(context, 'u.ics', true);
  assert.deepEqual([msgnum, name, size, component], [5, 'a.ics', 30, 'VEVENT']);
  await assert.rejects(openMember(context, 'none', true), failsWith('not_found'));
  assert.deepEqual(sent(/^MSG/), []);
});

it('at any other it is a message, whose length is found where it is wanted', async (t) => {
  const { context, sent } = await start(t, {
    GOTO: entered('Box', { view: VIEW.calendar }),
    'MSG0 5|1': listing('exti=u', 'time=100', 'type=4', 'part=||1|inline|text/calendar|30||'),
    'MSG0 5|3': listing('exti=u', 'time=100', 'type=4'),
    'MSG2 5|1': listing('Subject: s', 'Message-ID: <00000060-00000005@x>', 'Content-Type: text/calendar'),
  });
  const member = await openMember(context, '|5', false);
  assert.deepEqual([member.msgnum, member.name, member.size, member.time], [5, 'u.ics', undefined, 0x60]);
  assert.equal((await openMember(context, '|5', true)).size, 30);
  assert.ok(sent(/^DLAT/).length === 0, 'the list of parts has told it');
});

it('a message that is not there is not found', async (t) => {
  const { context } = await start(t, { MSG0: '550 not here\n', MSG2: '550 not here\n' });
  await assert.rejects(openMember(context, '5', false), failsWith('not_found'));
});
