// A message in the place of others: what is deleted, what is not, and who came too late.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { postReplacing, requireReplaceable } from '../../../src/gateway/message/posting.ts';
import { MessageLimit } from '../../../src/gateway/message/size-limit.ts';
import { type EnteredRoom, VIEW } from '../../../src/model.ts';
import { enterRoom } from '../../../src/room-server/connection/goto.ts';
import { removeReplaced } from '../../../src/room-server/posting.ts';
import { askedServer, entered, failsWith, listing, ownInfo } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { receivedMessage } from '../../support/received-message.ts';
import { contextsAt } from '../../support/room-context.ts';

async function start(t: TestContext, answers: Answers, isAdmin = true) {
  const { server, connect, sent } = await askedServer(t, {
    GOTO: entered('Files', { view: VIEW.files, highest: 10, isAdmin }),
    ENT0: '800 send\n12\nok\n\n000\n',
    DELE: '200 ok\n',
    ...answers,
  });
  const connection = await connect();
  const room = await enterRoom(connection, { name: 'Files', password: '' });
  const context = contextsAt(t, server.path)('ann', 'Files');
  context.app.messageLimit = new MessageLimit();
  const put = (existing: readonly number[], isConditional: boolean, name = 'a.txt') =>
    postReplacing(context, connection, room, receivedMessage('x', { name }), existing, isConditional);
  return { put, sent, connection };
}

const named = (name: string) => listing('Subject: s', `X-Vestibule-Name: ${name}`);

describe('at a room server that replaces by itself', () => {
  it('a change with a condition names what it may replace, others nothing', async (t) => {
    const { put, sent } = await start(t, { INFO: ownInfo(), ENT0: listing('12', 'ok', '') });
    assert.equal((await put([7], true)).isReplaced, true);
    await put([], true);
    assert.equal((await put([7], false)).isReplaced, true);
    assert.deepEqual(
      sent(/^ENT0/).map((line) => line.split('|')[12]),
      ['7', '0', ''],
    );
    assert.deepEqual(sent(/^DELE/), []);
  });
});

describe('at any other', () => {
  it('what had the name is deleted behind the new message', async (t) => {
    const { put, sent } = await start(t, { MSGS: listing('7', '12') });
    const { posted, isReplaced } = await put([7], false);
    assert.deepEqual([posted.msgnum, isReplaced], [12, true]);
    assert.deepEqual(
      sent(/^(ENT0|DELE)/).map((line) => line.slice(0, 6)),
      ['ENT0 1', 'DELE 7'],
    );
    assert.equal((await put([], false)).isReplaced, false);
  });

  it('so is what has got the name in between, posted before it', async (t) => {
    const { put, sent } = await start(t, {
      MSGS: listing('7', '11', '12', '13'),
      'MSG2 11|1': named('a.txt'),
      'MSG2 13|1': named('a.txt'),
    });
    await put([], false);
    assert.deepEqual(sent(/^DELE/), ['DELE 11']);
  });

  it('where nothing was to be replaced, the later one gives way', async (t) => {
    const { put, sent } = await start(t, { MSGS: listing('11', '12'), MSG2: named('a.txt') });
    await assert.rejects(put([], true), failsWith('precondition_failed'));
    assert.deepEqual(sent(/^DELE/), ['DELE 12']);
  });

  it('who may not delete is told that both are there', async (t) => {
    const { put, sent } = await start(t, { MSGS: listing('11', '12'), MSG2: named('a.txt') }, false);
    await assert.rejects(put([], false), { code: 'conflict', message: /message 12/ });
    assert.deepEqual(sent(/^DELE/), []);
  });

  it('a number that is not the new message’s takes nothing away', async (t) => {
    const { put, sent } = await start(t, {
      ENT0: '800 send\n92\nok\n\n000\n',
      MSGS: listing('7', '12'),
      'MSG2 12|1': named('a.txt'),
    });
    await assert.rejects(put([7], false), failsWith('backend_protocol'));
    const older = await start(t, { ENT0: '800 send\n7\nok\n\n000\n', MSGS: listing('7', '12') });
    await assert.rejects(older.put([], false), failsWith('backend_protocol'));
    for (const each of [sent, older.sent]) assert.deepEqual(each(/^DELE/), []);
  });

  it('one that a later one has replaced at once is posted all the same', async (t) => {
    const { put, sent } = await start(t, { MSGS: listing('7', '13') });
    assert.equal((await put([], false)).posted.msgnum, 12);
    assert.deepEqual(sent(/^DELE/), []);
  });

  it('a message without a name is in nobody’s way', async (t) => {
    const { put, sent } = await start(t, {});
    await put([], false, '');
    assert.deepEqual(sent(/^(MSGS|DELE)/), []);
  });
});

it('what has gone already is no fault; what may not be deleted is one', async (t) => {
  const { connection, sent } = await start(t, { 'DELE 5': '575 gone\n', 'DELE 6': '550 no\n' });
  await removeReplaced(connection, [5, 7]);
  await assert.rejects(removeReplaced(connection, [6, 8]), failsWith('forbidden'));
  assert.deepEqual(sent(/^DELE/), ['DELE 5', 'DELE 7', 'DELE 6']);
});

it('who may not delete can replace nothing, but put what is new', () => {
  const room = { isAdmin: false, isPersonal: false, flags2: 0 } as Partial<EnteredRoom> as EnteredRoom;
  requireReplaceable(room, []);
  requireReplaceable({ ...room, isAdmin: true }, [5]);
  assert.throws(() => requireReplaceable(room, [5]), failsWith('forbidden'));
});
