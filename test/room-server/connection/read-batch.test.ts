// Short reads of one turn of the event loop: sent together, and once more where their connection dies.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ANN, askedServer, entered, failsWith, listing } from '../../support/asked-server.ts';
import type { Answers, Fault, FaultKind } from '../../support/fault-server.ts';

const LOBBY = { name: 'Lobby', password: '' };
const ANSWERS: Answers = {
  GOTO: entered('Lobby', { highest: 12 }),
  'MSGS ALL': listing('5', '9'),
  'MSGS NEW': listing('9'),
  DLAT: '600 4|-1||text/plain|\nabcd',
  DELE: '200 1 message deleted.\n',
};

const asked = (t: TestContext, faults: Fault[] = [], more: Answers = {}) =>
  askedServer(t, { ...ANSWERS, ...more }, faults);

describe('reads of one identity', () => {
  it('share a connection and go out together, each behind its own GOTO', async (t) => {
    const { server, pool } = await asked(t);
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

  it('that are equal are sent once, and share their answers', async (t) => {
    const { server, pool } = await asked(t);
    const read = () => pool.read(ANN, ['MSGS ALL\n', 'MSGS NEW\n']);
    const [one, other] = await Promise.all([read(), read(), pool.read(ANN, ['MSGS NEW\n'])]);
    assert.equal(one, other);
    assert.deepEqual(server.received[0]?.slice(-3), ['MSGS ALL', 'MSGS NEW', 'MSGS NEW']);
  });

  it('are sent once more on a fresh connection when the connection dies', async (t) => {
    for (const kind of ['close', 'cut-status', 'cut-listing'] as FaultKind[]) {
      const { server, pool } = await asked(t, [{ kind, after: 4 }]);
      const { answers } = await pool.readInRoom(ANN, LOBBY, ['MSGS ALL\n']);
      assert.deepEqual(answers[0]?.lines, ['5', '9'], kind);
      assert.equal(server.received.length, 2, kind);
    }
  });

  it('fail when the second connection dies, too', async (t) => {
    const { server, pool } = await asked(t, [
      { kind: 'cut-listing', after: 4 },
      { kind: 'cut-listing', after: 4 },
    ]);
    await assert.rejects(pool.readInRoom(ANN, LOBBY, ['MSGS ALL\n']), failsWith('backend_lost'));
    assert.equal(server.received.length, 2);
  });

  it('fail when the peer breaks the protocol, and the next ones get a new connection', async (t) => {
    for (const kind of ['garbage', 'endless-line', 'endless-listing'] as FaultKind[]) {
      const { pool } = await asked(t, [{ kind, after: 4 }]);
      await assert.rejects(pool.readInRoom(ANN, LOBBY, ['MSGS ALL\n']), failsWith('backend_protocol'), kind);
      const { answers } = await pool.readInRoom(ANN, LOBBY, ['MSGS ALL\n']);
      assert.deepEqual(answers[0]?.lines, ['5', '9'], kind);
    }
  });

  it('fail alone: those beside one that breaks the protocol are sent once more', async (t) => {
    const { server, pool } = await asked(t, [], { 'MSGS OLD': 'nonsense\n' });
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
