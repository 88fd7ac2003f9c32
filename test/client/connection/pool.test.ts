// The pool against a room server that misbehaves in every way a peer can.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { GUEST } from '../../../src/client/connection/identity.ts';
import { Pool } from '../../../src/client/connection/pool.ts';
import { AppError, type ErrorCode } from '../../../src/errors.ts';
import { MAX_CONNECTIONS_PER_IDENTITY } from '../../../src/limits/protocol.ts';
import { type Answers, type Fault, type FaultKind, faultServer } from '../../support/fault-server.ts';

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
  it('share a connection and go out together, each behind its own GOTO', async (t) => {
    const { server, pool } = await startPool(t);
    const [all, fresh] = await Promise.all([
      pool.readInRoom(ANN, LOBBY, ['MSGS ALL\n']),
      pool.readInRoom(ANN, LOBBY, ['MSGS NEW\n']),
    ]);
    assert.deepEqual(all.answers[0]?.lines, ['5', '9']);
    assert.deepEqual(fresh.answers[0]?.lines, ['9']);
    assert.equal(all.entered.highest, 12);
    assert.equal(server.received.length, 1);
    assert.deepEqual(server.received[0]?.slice(-4), ['GOTO Lobby||1', 'MSGS ALL', 'GOTO Lobby||1', 'MSGS NEW']);
  });

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

  it('are sent once more on a fresh connection when the connection dies', async (t) => {
    for (const kind of ['close', 'cut-status', 'cut-listing'] as FaultKind[]) {
      const { server, pool } = await startPool(t, [{ kind, after: 4 }]);
      const { answers } = await pool.readInRoom(ANN, LOBBY, ['MSGS ALL\n']);
      assert.deepEqual(answers[0]?.lines, ['5', '9'], kind);
      assert.equal(server.received.length, 2, kind);
    }
  });

  it('fail when the second connection dies, too', async (t) => {
    const { server, pool } = await startPool(t, [
      { kind: 'cut-listing', after: 4 },
      { kind: 'cut-listing', after: 4 },
    ]);
    await assert.rejects(pool.readInRoom(ANN, LOBBY, ['MSGS ALL\n']), failsWith('backend_lost'));
    assert.equal(server.received.length, 2);
  });

  it('fail when the peer breaks the protocol, and the next ones get a new connection', async (t) => {
    for (const kind of ['garbage', 'endless-line', 'endless-listing'] as FaultKind[]) {
      const { pool } = await startPool(t, [{ kind, after: 4 }]);
      await assert.rejects(pool.readInRoom(ANN, LOBBY, ['MSGS ALL\n']), failsWith('backend_protocol'), kind);
      const { answers } = await pool.readInRoom(ANN, LOBBY, ['MSGS ALL\n']);
      assert.deepEqual(answers[0]?.lines, ['5', '9'], kind);
    }
  });

  it('fail alone: those beside one that breaks the protocol are sent once more', async (t) => {
    const { server, pool } = await startPool(t, [], { 'MSGS OLD': 'nonsense\n' });
    await pool.read(ANN, ['NOOP\n']);
    const read = (command: string) => pool.readInRoom(ANN, LOBBY, [command]).then(({ answers }) => answers[0]?.lines);
    const outcomes = await Promise.allSettled(['MSGS NEW\n', 'MSGS OLD\n', 'MSGS ALL\n', 'DLAT 5|1\n'].map(read));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    assert.ok(failsWith('backend_protocol')((outcomes[1] as PromiseRejectedResult).reason));
    assert.deepEqual((outcomes[2] as PromiseFulfilledResult<unknown>).value, ['5', '9']);
    assert.equal(server.received.length, 2);
    assert.equal(server.received.flat().filter((line) => line === 'MSGS OLD').length, 1);
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
  it('is used again after a transfer that was taken completely', async (t) => {
    const { server, pool } = await startPool(t);
    for (let i = 0; i < 3; i++) {
      const text = await pool.withRoom(ANN, LOBBY, async (connection) => {
        await connection.start('DLAT 5|1\n');
        return collect(connection.binary(4));
      });
      assert.equal(text, 'abcd');
    }
    assert.equal(server.received.length, 1);
  });

  it('is not used again when its transfer was never taken', async (t) => {
    const { server, pool } = await startPool(t);
    await pool.withRoom(ANN, LOBBY, (connection) => connection.start('DLAT 5|1\n'));
    await pool.withRoom(ANN, LOBBY, (connection) => connection.ask('DELE 5\n'));
    assert.equal(server.received.length, 2);
  });

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

describe('the bound on connections of one identity', () => {
  it('makes further users wait their turn', async (t) => {
    const { server, pool } = await startPool(t);
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const uses = Array.from({ length: MAX_CONNECTIONS_PER_IDENTITY + 5 }, () =>
      pool.withConnection(ANN, async (connection) => {
        running++;
        await gate.promise;
        await connection.ask('NOOP\n');
      }),
    );
    while (running < MAX_CONNECTIONS_PER_IDENTITY) await new Promise(setImmediate);
    await pool.read(ANN, ['NOOP\n']); // reads do not wait for transfers
    assert.equal(running, MAX_CONNECTIONS_PER_IDENTITY);
    gate.resolve();
    await Promise.all(uses);
    assert.equal(running, uses.length);
    assert.equal(server.received.length, MAX_CONNECTIONS_PER_IDENTITY + 1);
  });
});

async function collect(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of bytes) text += piece.toString();
  return text;
}
