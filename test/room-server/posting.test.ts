// Posting, deleting and moving: as recorded clients do it, and what each refusal means.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AppError } from '../../src/errors.ts';
import {
  copyToRoom,
  deleteFromRoom,
  moveToRoom,
  type Posting,
  postAsked,
  probePost,
  UidTaken,
} from '../../src/room-server/posting.ts';
import { ANN, askedServer, BOX, failsWith } from '../support/asked-server.ts';
import { playing } from '../support/recorded-client.ts';

const NOTHING: Posting = { recipients: '', cc: '', bcc: '', subject: '', euid: '', references: '' };

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

describe('the very commands of recorded clients', () => {
  it('post a reply', async (t) => {
    const { connection, done } = await playing(t, '43-ent0.txt', 'ANN', 330, 339);
    const posting = { ...NOTHING, subject: 'Re: x', references: 'id1@host!id2@host' };
    const body = bytes('Content-type: text/plain; charset=utf-8\n\nx\n');
    assert.deepEqual(await postAsked(connection, posting, body), { msgnum: 15, euid: '' });
    await done;
    assert.equal(connection.isIdle, true);
  });

  it('move, copy and delete, and tell apart what is refused', async (t) => {
    const { connection, done } = await playing(t, '42-delete-move.txt', 'ANN', 120, 138);
    await assert.rejects(deleteFromRoom(connection, 11), failsWith('forbidden', 550));
    await assert.rejects(moveToRoom(connection, 11, 'Other', false), failsWith('forbidden', 550));
    await assert.rejects(moveToRoom(connection, 11, 'Other', true), failsWith('forbidden', 550));
    await assert.rejects(moveToRoom(connection, 11, 'Drafts', false), failsWith('forbidden', 550));
    await moveToRoom(connection, 11, 'Drafts', true);
    await moveToRoom(connection, 11, '_TRASH_', true);
    await assert.rejects(moveToRoom(connection, 11, 'Closed', true), failsWith('forbidden', 550));
    await assert.rejects(moveToRoom(connection, 11, 'Nowhere', true), failsWith('conflict', 572));
    await assert.rejects(moveToRoom(connection, 11, 'Box', true), failsWith('forbidden', 574));
    await done;
  });
});

describe('what is posted', () => {
  it('is not sent again where the connection is lost', async (t) => {
    const { server, pool } = await askedServer(t, { MSGS: '100  \n000\n', ENT0: '800 send\n' }, [
      { kind: 'close', after: 5 },
    ]);
    const posting = pool.withRoom(ANN, BOX, async (connection) => {
      await connection.ask('MSGS LAST|0\n');
      return postAsked(connection, NOTHING, bytes('x\n'));
    });
    await assert.rejects(posting, failsWith('backend_lost'));
    assert.equal(server.received.flat().filter((line) => line.startsWith('ENT0')).length, 1);
  });

  it('has its fields on one line, and says what it may replace where it is told so', async (t) => {
    const { connect, sent, bodies } = await askedServer(t, { ENT0: '800 send\n12\nok\nuid\n000\n' });
    const connection = await connect();
    const posting = { recipients: 'a', cc: 'b', bcc: 'c', subject: 's', euid: 'u', references: 'r!q' };
    assert.deepEqual(await postAsked(connection, posting, bytes('x\n')), { msgnum: 12, euid: 'uid' });
    await postAsked(connection, { ...NOTHING, replaces: 0 }, bytes('y\n'));
    assert.deepEqual(sent(/^ENT0/), ['ENT0 1|a||4|s||1|b|c|u||r!q', 'ENT0 1|||4|||1||||||0']);
    assert.deepEqual(bodies, ['x\n', 'y\n']);
  });

  it('fails with what the confirmation says', async (t) => {
    for (const [number, code] of [
      ['-1', 'insufficient_storage'],
      ['-2', 'bad_request'],
      ['-3', 'conflict'],
      ['-4', 'too_large'],
      ['-5', 'precondition_failed'],
      ['-7', 'forbidden'],
      ['-550', 'forbidden'],
      ['-552', 'busy'],
      ['-572', 'not_found'],
      ['-599', 'backend_protocol'],
    ] as const) {
      const { connect } = await askedServer(t, { ENT0: `800 send\n${number}\nwhy\n000\n` });
      await assert.rejects(postAsked(await connect(), NOTHING, bytes('x\n')), failsWith(code), number);
    }
    const { connect } = await askedServer(t, { ENT0: '800 send\n-6\n77\n000\n' });
    await assert.rejects(postAsked(await connect(), NOTHING, bytes('x\n')), (error: AppError) => {
      return error.code === 'conflict' && error.cause instanceof UidTaken && error.cause.msgnum === 77;
    });
  });

  it('can be asked about before its body is there', async (t) => {
    const { connect, sent } = await askedServer(t, { ENT0: ['200 ok\n', '570 no such user\n', '550 no\n'] });
    const connection = await connect();
    await probePost(connection, { ...NOTHING, recipients: 'bob' });
    await assert.rejects(probePost(connection, NOTHING), failsWith('bad_request', 570));
    await assert.rejects(probePost(connection, NOTHING), failsWith('forbidden', 550));
    assert.equal(sent(/^ENT0/)[0], 'ENT0 0|bob||4|||1|||||');
  });
});

describe('copies of many', () => {
  it('are one command; one that has gone is no fault', async (t) => {
    const { connect, sent } = await askedServer(t, { MOVE: ['200 ok\n', '575 gone\n', '572 no such room\n'] });
    const connection = await connect();
    await copyToRoom(connection, [1, 2, 3], 'Other');
    await copyToRoom(connection, [4], 'Other');
    await assert.rejects(copyToRoom(connection, [4], 'Nowhere'), failsWith('conflict', 572));
    assert.equal(sent(/^MOVE/)[0], 'MOVE 1,2,3|Other|1');
  });
});

it('a message that is not there cannot be deleted', async (t) => {
  const { connect } = await askedServer(t, { DELE: '575 no such message\n' });
  await assert.rejects(deleteFromRoom(await connect(), 5), failsWith('not_found', 575));
});
