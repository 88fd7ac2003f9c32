// The connections of one identity: how many there are, who waits for one, and which are used again.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { AppError } from '../../../src/errors.ts';
import { MAX_CONNECTIONS_PER_IDENTITY, MAX_WAIT_MS, MAX_WAITING_PER_IDENTITY } from '../../../src/limits/protocol.ts';
import { ANN, askedServer, entered, failsWith } from '../../support/asked-server.ts';
import type { Answers, Fault } from '../../support/fault-server.ts';

const LOBBY = { name: 'Lobby', password: '' };
const ANSWERS: Answers = {
  GOTO: entered('Lobby'),
  DLAT: '600 4|-1||text/plain|\nabcd',
  DELE: '200 1 message deleted.\n',
};

const asked = (t: TestContext, faults: Fault[] = [], more: Answers = {}) =>
  askedServer(t, { ...ANSWERS, ...more }, faults);

async function collect(bytes: AsyncIterable<Buffer>): Promise<string> {
  return String(Buffer.concat(await Array.fromAsync(bytes)));
}

describe('a connection for exclusive use', () => {
  it('is used again after a transfer that was taken completely', async (t) => {
    const { server, pool } = await asked(t);
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
    const { server, pool } = await asked(t);
    await pool.withRoom(ANN, LOBBY, (connection) => connection.start('DLAT 5|1\n'));
    await pool.withRoom(ANN, LOBBY, (connection) => connection.ask('DELE 5\n'));
    assert.equal(server.received.length, 2);
  });

  it('is the one that reads share, where that is idle', async (t) => {
    const { server, pool } = await asked(t);
    await pool.read(ANN, ['NOOP\n']);
    await pool.withRoom(ANN, LOBBY, (connection) => connection.ask('DELE 5\n'));
    await pool.read(ANN, ['NOOP\n']);
    assert.equal(server.received.length, 1);
  });
});

describe('the bound on connections of one identity', () => {
  it('makes further users wait their turn', async (t) => {
    const { server, pool } = await asked(t);
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

  it('leaves nobody waiting when no connection can be opened', { timeout: 60_000 }, async (t) => {
    const { pool } = await asked(t, [], { PASS: '540 Wrong password.\n' });
    const uses = Array.from({ length: MAX_CONNECTIONS_PER_IDENTITY + 5 }, () =>
      pool.withConnection(ANN, (connection) => connection.ask('NOOP\n')),
    );
    for (const use of uses) await assert.rejects(use, failsWith('not_logged_in'));
  });

  it('lets MAX_WAITING_PER_IDENTITY wait, and refuses who comes then', { timeout: 60_000 }, async (t) => {
    const { pool } = await asked(t);
    const { promise, resolve } = Promise.withResolvers<void>();
    const use = () =>
      pool.withConnection(ANN, async (connection) => {
        await promise;
        return connection.ask('NOOP\n');
      });
    const uses = Array.from({ length: MAX_CONNECTIONS_PER_IDENTITY + MAX_WAITING_PER_IDENTITY }, use);
    await assert.rejects(use(), { code: 'busy' });
    resolve();
    for (const { code } of await Promise.all(uses)) assert.equal(code, 200);
  });
});

describe('waiting for a connection that others hold', () => {
  it('ends with 503 after MAX_WAIT_MS, not before', async (t) => {
    const { pool } = await asked(t);
    const gate = Promise.withResolvers<void>();
    let holding = 0;
    const holders = Array.from({ length: MAX_CONNECTIONS_PER_IDENTITY }, () =>
      pool.withConnection(ANN, async () => {
        holding++;
        await gate.promise;
      }),
    );
    while (holding < holders.length) await new Promise(setImmediate);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let outcome = 'waiting';
    const waiting = pool
      .withConnection(ANN, async () => {})
      .catch((error: AppError) => {
        outcome = error.code;
      });
    t.mock.timers.tick(MAX_WAIT_MS - 1);
    await new Promise(setImmediate);
    assert.equal(outcome, 'waiting');
    t.mock.timers.tick(1);
    await waiting;
    assert.equal(outcome, 'busy');
    gate.resolve();
    await Promise.all(holders);
  });
});
