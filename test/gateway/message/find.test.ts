// From the segment of a path to a number: numbers as they are, names and UIDs as the room server knows them.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { findMessageNumber } from '../../../src/gateway/collection/collection.ts';
import { VIEW } from '../../../src/model.ts';
import { askedServer, entered, failsWith, listing, ownInfo } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { contextsAt } from '../../support/room-context.ts';

async function start(t: TestContext, answers: Answers, view: number = VIEW.board) {
  const { server, sent } = await askedServer(t, { GOTO: entered('Box', { view }), ...answers });
  return { sent, context: contextsAt(t, server.path)('ann', 'Box') };
}

const named = (name: string) => listing('Subject: s', `X-Vestibule-Name: ${name}`);

it('a number is one where nothing is called so', async (t) => {
  const { context } = await start(t, { 'EUID 13': '200 9\n', EUID: '575 not found\n' }, VIEW.wiki);
  assert.equal(await findMessageNumber(context, '12'), 12);
  assert.equal(await findMessageNumber(context, '13'), 9);
});

it('our own server is asked for the member', async (t) => {
  const MEMB = ['100 7|42|\n5|a.txt||1|||||\n000\n', '100 7|42|\n0\n000\n'];
  const { context } = await start(t, { INFO: ownInfo(), MEMB });
  assert.equal(await findMessageNumber(context, 'a.txt'), 5);
  await assert.rejects(findMessageNumber(context, 'b.txt'), failsWith('not_found'));
});

it('a UID is found with and without the ending of an object', async (t) => {
  const { context, sent } = await start(t, { 'EUID u': '200 9\n', EUID: '575 not found\n' }, VIEW.wiki);
  assert.equal(await findMessageNumber(context, 'u'), 9);
  assert.equal(await findMessageNumber(context, 'u.ics'), 9);
  assert.deepEqual(sent(/^EUID/), ['EUID u', 'EUID u.ics', 'EUID u']);
});

it('in a calendar a UID gives way to the name of another object', async (t) => {
  const { context } = await start(
    t,
    {
      'EUID u': '200 9\n',
      EUID: '575 not found\n',
      'MSG2 9|1': named('other.ics'),
      'MSG2 5|1': named('u'),
      'MSGS ALL|||4': listing('5|v|100', '9|u|100'),
    },
    VIEW.calendar,
  );
  assert.equal(await findMessageNumber(context, 'u'), 5);
  assert.equal(await findMessageNumber(context, 'other.ics'), 9);
});

it('a folder is found without its slash, in a files room only', async (t) => {
  const answers = {
    EUID: '575 not found\n',
    MSGS: ['800 send\n000\n', '800 send\n4\n000\n'],
    'MSG2 4|1': named('docs%2F'),
  };
  const files = await start(t, answers, VIEW.files);
  assert.equal(await findMessageNumber(files.context, 'docs'), 4);
  const board = await start(t, { ...answers, MSGS: ['800 send\n000\n', '800 send\n4\n000\n'] });
  await assert.rejects(findMessageNumber(board.context, 'docs'), failsWith('not_found'));
});

it('the history of a page is not found by its UID', async (t) => {
  const { context, sent } = await start(t, { EUID: '200 9\n' }, VIEW.wiki);
  await assert.rejects(findMessageNumber(context, 'home_HISTORY_'), failsWith('not_found'));
  assert.deepEqual(sent(/^EUID/), []);
});
