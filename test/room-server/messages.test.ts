// Messages of a recorded server, and read marks on one that answers well and does not do it.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AppError, type ErrorCode } from '../../src/errors.ts';
import { readMailbox } from '../../src/room-server/citadel/messages.ts';
import { Pool } from '../../src/room-server/connection/pool.ts';
import { findByEuid, readHead, setSeen } from '../../src/room-server/messages.ts';
import { type Answers, faultServer } from '../support/fault-server.ts';
import { playing, RECORDED_ANN, recordedPool } from '../support/recorded-client.ts';

const ANN = { user: 'ann', password: 'secret' };
const BOX = { name: 'Box', password: '' };
const ANSWERS: Answers = {
  GOTO: '200 Box|0|3|0|2|12|0|0|0|0|0|0|0|0|0|1795221150|\n',
  MSGS: '100 \n000\n',
  MSG0: '100 \n000\n',
  SEEN: '200 OK\n',
  GTSN: '200 1:5,9\n',
};

async function startPool(t: TestContext, answers: Answers = {}) {
  const server = await faultServer({ ...ANSWERS, ...answers }, []);
  const pool = new Pool({ target: { path: server.path }, clientName: 'test', clientVersion: '1.0.0' });
  t.after(async () => {
    pool.close();
    await server.close();
  });
  return { pool, server };
}

const failsWith = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code;

it('a mark is set once the message is known to be there', async (t) => {
  const { pool, server } = await startPool(t);
  await setSeen(pool, ANN, BOX, 9, true);
  assert.deepEqual(server.received[0]?.slice(-5), ['GOTO Box||0', 'MSG0 0|3', 'MSG0 9|3', 'SEEN 9|1', 'GTSN']);
  await setSeen(pool, ANN, BOX, 10, false);
});

it('no mark is asked for on a message that is not there', async (t) => {
  const { pool, server } = await startPool(t, { MSG0: '550 not found\n' });
  await assert.rejects(setSeen(pool, ANN, BOX, 9, true), failsWith('not_found'));
  assert.ok(!server.received.flat().some((line) => line.startsWith('SEEN')));
});

it('a mark that the room server has dropped, or refuses to keep, is a conflict', async (t) => {
  const { pool } = await startPool(t);
  await assert.rejects(setSeen(pool, ANN, BOX, 7, true), failsWith('conflict'));
  await assert.rejects(setSeen(pool, ANN, BOX, 9, false), failsWith('conflict'));
  const full = await startPool(t, { SEEN: '512 Too many separate read marks in this room.\n' });
  await assert.rejects(setSeen(full.pool, ANN, BOX, 9, true), failsWith('conflict'));
});

describe('messages of a recorded server', () => {
  it('a mailbox has the rows and nothing but rows', async (t) => {
    const { rows, entered } = await readMailbox(await recordedPool(t, '34-long-lines.txt'), RECORDED_ANN, BOX);
    assert.deepEqual(
      rows.map((row) => row.msgnum),
      [5, 6, 7, 8],
    );
    assert.equal(entered.name, 'Box');
  });

  it('the head of a message has fields, parts and header lines', async (t) => {
    const head = await readHead(await recordedPool(t, '35-multipart.txt'), RECORDED_ANN, BOX, 8, true);
    assert.deepEqual([head.fields.get('subj'), head.multipart, head.seen], ['nested', 'multipart/mixed', false]);
    assert.equal(head.parts.length, 5);
    assert.deepEqual(head.headers.at(-1), { name: 'Content-type', value: 'multipart/mixed; boundary="b0"' });
  });

  it('a page is found by its name, in its very case', async (t) => {
    const { connection, done } = await playing(t, '50-wiki.txt', 'A', 46, 51);
    assert.equal(await findByEuid(connection, 'home'), 9);
    assert.equal(await findByEuid(connection, 'HOME'), undefined);
    assert.equal(await findByEuid(connection, 'nosuch'), undefined);
    await done;
  });
});
