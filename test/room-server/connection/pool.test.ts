// The pool against a room server that misbehaves in every way a peer can.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AppError, type ErrorCode } from '../../../src/errors.ts';
import { GUEST } from '../../../src/room-server/connection/identity.ts';
import { Pool } from '../../../src/room-server/connection/pool.ts';
import { type Answers, type Fault, faultServer } from '../../support/fault-server.ts';

const ANN = { user: 'ann', password: 'secret' };
const LOBBY = { name: 'Lobby', password: '' };
const GOTO_LOBBY = '200 Lobby|0|3|0|2|12|0|0|0|0|0|0|0|0|0|1795221150|\n';
const ANSWERS: Answers = {
  GOTO: GOTO_LOBBY,
  'GOTO Nowhere||1': '572 room not found\n',
  'GOTO Nowhere||0': '572 room not found\n',
  'MSGS ALL': '100 \n5\n9\n000\n',
  'MSGS NEW': '100 \n9\n000\n',
  DLAT: '600 4|-1||text/plain|\nabcd',
  DELE: '200 1 message deleted.\n',
  ENT0: '800 send\n',
};

async function startPool(t: TestContext, faults: Fault[] = [], answers: Answers = {}) {
  const server = await faultServer({ ...ANSWERS, ...answers }, faults);
  const pool = new Pool({ target: { path: server.path }, clientName: 'test', clientVersion: '1.0.0' });
  t.after(async () => {
    pool.close();
    await server.close();
  });
  return { server, pool };
}

const failsWith = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code;

describe('reads of one identity', () => {
  it('do not mix with those of another identity', async (t) => {
    const { server, pool } = await startPool(t);
    await Promise.all([pool.read(ANN, ['MSGS ALL\n']), pool.read(GUEST, ['MSGS ALL\n'])]);
    assert.equal(server.received.length, 2);
    assert.equal(server.received.filter((lines) => lines.includes('USER ann')).length, 1);
  });

  it('throw their answers away when the room cannot be entered', async (t) => {
    const { pool } = await startPool(t);
    const nowhere = pool.readInRoom(ANN, { name: 'Nowhere', password: '' }, ['MSGS ALL\n']);
    await assert.rejects(nowhere, failsWith('not_found'));
  });
});

describe('a change', () => {
  it('is never sent again when the connection dies before its answer', async (t) => {
    const { server, pool } = await startPool(t, [{ kind: 'close', after: 4 }]);
    const deletion = pool.withRoom(ANN, LOBBY, (connection) => connection.ask('DELE 5\n'));
    await assert.rejects(deletion, failsWith('backend_lost'));
    assert.equal(server.received.flat().filter((line) => line === 'DELE 5').length, 1);
  });

  it('is not sent when the room cannot be entered', async (t) => {
    const { server, pool } = await startPool(t);
    const nowhere = { name: 'Nowhere', password: '' };
    await assert.rejects(
      pool.withRoom(ANN, nowhere, (connection) => connection.ask('DELE 5\n')),
      failsWith('not_found'),
    );
    assert.equal(server.received.flat().includes('DELE 5'), false);
  });

  it('goes out on a fresh connection when an idle one has died unnoticed', async (t) => {
    const { server, pool } = await startPool(t, [{ kind: 'close', after: 5 }]);
    await pool.withRoom(ANN, LOBBY, (connection) => connection.ask('DELE 5\n'));
    await pool.withRoom(ANN, LOBBY, (connection) => connection.ask('DELE 9\n'));
    assert.equal(server.received.length, 2);
    assert.deepEqual(server.received[1]?.slice(-2), ['GOTO Lobby||0', 'DELE 9']);
  });
});

describe('a connection', () => {
  it('breaks a transfer off with an error when fewer bytes come than announced', async (t) => {
    const { pool } = await startPool(t, [{ kind: 'cut-binary', after: 4 }], { DLAT: '600 40|-1||text/plain|\nabcd' });
    const transfer = pool.withRoom(ANN, LOBBY, async (connection) => {
      await connection.start('DLAT 5|1\n');
      return collect(connection.binary(40));
    });
    await assert.rejects(transfer, failsWith('backend_lost'));
  });

  it('fails with backend_unreachable where nobody listens', async () => {
    const pool = new Pool({ target: { path: '/nonexistent/socket' }, clientName: 'test', clientVersion: '1' });
    await assert.rejects(pool.read(ANN, ['NOOP\n']), failsWith('backend_unreachable'));
    pool.close();
  });

  it('fails when the peer closes after its greeting', async (t) => {
    const closing: Fault = { kind: 'close', after: 'greeted' };
    const { pool } = await startPool(t, [closing, closing, closing]);
    await assert.rejects(pool.identify(ANN), failsWith('backend_lost'));
  });

  it('fails with not_logged_in for wrong credentials and is not kept', async (t) => {
    const { pool } = await startPool(t, [], { 'PASS wrong': '540 Wrong password.\n' });
    await assert.rejects(pool.identify({ user: 'ann', password: 'wrong' }), failsWith('not_logged_in'));
    assert.equal(pool.isKnown({ user: 'ann', password: 'wrong' }), false);
    assert.equal((await pool.identify(ANN)).usernum, 2);
    assert.equal(pool.isKnown(ANN), true);
  });
});

async function collect(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of bytes) text += piece.toString();
  return text;
}
