// Who takes instant messages, and what becomes of connections when a password changes: against the embedded room
// server.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MAX_INSTANT_MESSAGES } from '../../../../src/limits/backend.ts';
import {
  CONNECTION_MAX_AGE_MS,
  MAX_CONNECTIONS_PER_ACCOUNT,
  MAX_CONNECTIONS_PER_IDENTITY,
  RECEIVER_IDLE_MS,
} from '../../../../src/limits/protocol.ts';
import { Pool } from '../../../../src/room-server/connection/pool.ts';
import { sendInstantMessage, takeInstantMessages } from '../../../../src/room-server/instant-mailbox.ts';
import { setPassword } from '../../../../src/room-server/users.ts';
import { startRoomServer } from '../../../support/room-server.ts';

const ANN = { user: 'ann', password: 'annpw' };
const BOB = { user: 'bob', password: 'bobpw' };

async function startPool(t: TestContext) {
  const { server, socketPath: path } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  t.mock.timers.enable({ apis: ['Date', 'setInterval'], now: Date.now() });
  const pool = new Pool({ target: { path }, clientName: 'test', clientVersion: '1' });
  t.after(() => pool.close());
  const sessions = (user: string) => [...server.sessions].filter((session) => session.user?.name === user);
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise(setImmediate);
  };
  const take = async () => (await takeInstantMessages(pool, ANN)).map(({ text }) => text);
  const send = (text: string) => sendInstantMessage(pool, BOB, 'ann', text);
  return { pool, sessions, until, take, send };
}

describe('instant messages', () => {
  it('go to one connection of the user, whatever else is open', async (t) => {
    const { pool, sessions, take, send } = await startPool(t);
    await take();
    await Promise.all([1, 2, 3].map(() => pool.withConnection(ANN, (connection) => connection.ask('NOOP\n'))));
    await send('once');
    assert.equal(sessions('ann').filter((session) => session.instantMessages.length > 0).length, 1);
    assert.deepEqual([await take(), await take()], [['once'], []]);
  });

  it('are shared by those who ask at the same moment', async (t) => {
    const { take, send } = await startPool(t);
    await take();
    await send('to both');
    assert.deepEqual(await Promise.all([take(), take()]), [['to both'], ['to both']]);
  });

  it('are all taken, in their order; one sender may fill half of the queue', async (t) => {
    const { take, send } = await startPool(t);
    await take();
    const texts = Array.from({ length: MAX_INSTANT_MESSAGES / 2 }, (_, i) => `message ${i}`);
    for (const text of texts) await send(text);
    await assert.rejects(send('one too many'), { code: 'conflict' });
    assert.deepEqual(await take(), texts);
  });

  it('are not lost when their connection has become old', async (t) => {
    const { take, send, sessions } = await startPool(t);
    await take();
    const [before] = sessions('ann');
    await send('before');
    t.mock.timers.setTime(Date.now() + CONNECTION_MAX_AGE_MS + 1);
    assert.deepEqual(await take(), ['before']);
    await send('after');
    assert.deepEqual(await take(), ['after']);
    assert.ok(sessions('ann').every((session) => session !== before));
  });

  it('are refused when nobody has asked for a while', async (t) => {
    const { take, send, sessions, until } = await startPool(t);
    await take();
    t.mock.timers.tick(RECEIVER_IDLE_MS);
    assert.equal(sessions('ann').length, 1, 'not yet');
    t.mock.timers.tick(60_000);
    await until(() => sessions('ann').length === 0);
    await assert.rejects(send('nobody there'), { code: 'conflict' });
  });

  it('come again when their connection was lost', async (t) => {
    const { take, send, sessions, until } = await startPool(t);
    await take();
    for (const session of sessions('ann')) session.destroy();
    await until(() => sessions('ann').length === 0);
    assert.deepEqual(await take(), []);
    await send('here again');
    assert.deepEqual(await take(), ['here again']);
  });
});

describe('looking for instant messages', () => {
  it('lets them come, and takes none', async (t) => {
    const { pool, take, send } = await startPool(t);
    await assert.rejects(send('too early'), { code: 'conflict' });
    let arrivals = 0;
    pool.listenForInstantMessages(ANN, { arrived: () => void arrivals++, lost() {}, isFollowed: () => true });
    await pool.pollInstantMessages(ANN);
    assert.equal(arrivals, 0);
    await send('first');
    await pool.pollInstantMessages(ANN);
    assert.equal(arrivals, 1);
    await pool.pollInstantMessages(ANN);
    assert.equal(arrivals, 1, 'nothing has come since');
    assert.deepEqual(await take(), ['first']);
  });

  it('tells at once of what arrives', { timeout: 30_000 }, async (t) => {
    const { pool, send } = await startPool(t);
    const arrived = new Promise<void>((resolve) => {
      pool.listenForInstantMessages(ANN, { arrived: resolve, lost() {}, isFollowed: () => true });
    });
    await pool.pollInstantMessages(ANN);
    await send('now');
    await arrived;
  });

  it('puts another connection in the place of an old one, but not while messages wait in it', async (t) => {
    const { pool, take, send, sessions } = await startPool(t);
    const grow = () => t.mock.timers.setTime(Date.now() + CONNECTION_MAX_AGE_MS + 1);
    await pool.pollInstantMessages(ANN);
    const [first] = sessions('ann');
    await send('one');
    grow();
    await pool.pollInstantMessages(ANN);
    await send('two');
    assert.deepEqual(await take(), ['one', 'two']);
    assert.ok(!sessions('ann').includes(first!));
    const [second] = sessions('ann');
    grow();
    await pool.pollInstantMessages(ANN);
    assert.ok(!sessions('ann').includes(second!));
    await send('three');
    assert.deepEqual(await take(), ['three']);
  });

  it('keeps its connection while messages wait in it, however many others are wanted', async (t) => {
    const { pool, take, send } = await startPool(t);
    await pool.pollInstantMessages(ANN);
    await send('waiting');
    await pool.pollInstantMessages(ANN);
    const spelled = (n: number) => (n < MAX_CONNECTIONS_PER_IDENTITY ? ANN : { ...ANN, user: 'ANN' });
    const gate = Promise.withResolvers<void>();
    const holders: Promise<void>[] = [];
    for (let n = 1; n < MAX_CONNECTIONS_PER_ACCOUNT; n++) {
      await new Promise<void>((resolve, reject) => {
        const use = () => {
          resolve();
          return gate.promise;
        };
        holders.push(pool.withConnection(spelled(n), use));
        holders.at(-1)!.catch(reject);
      });
    }
    await assert.rejects(
      pool.withConnection({ ...ANN, user: 'Ann' }, () => Promise.resolve()),
      { code: 'busy' },
    );
    assert.deepEqual(await take(), ['waiting']);
    gate.resolve();
    await Promise.all(holders);
  });

  it('keeps its connection open while somebody looks, also over RECEIVER_IDLE_MS', async (t) => {
    const { pool, take, send } = await startPool(t);
    await pool.pollInstantMessages(ANN);
    t.mock.timers.tick(RECEIVER_IDLE_MS);
    await pool.pollInstantMessages(ANN);
    t.mock.timers.tick(60_000);
    await send('still here');
    assert.deepEqual(await take(), ['still here']);
  });
});

describe('a user who has to log in anew', () => {
  it('is refused with the old password on every connection, and what is under way still ends well', async (t) => {
    const { pool } = await startPool(t);
    const { usernum } = await pool.identify(ANN);
    await takeInstantMessages(pool, ANN);
    await pool.read(ANN, ['NOOP\n']);
    await pool.withConnection(ANN, async (connection) => {
      await setPassword(connection, 'changed');
      pool.forget(usernum);
      assert.equal((await connection.ask('NOOP\n')).code, 200);
    });
    assert.equal(pool.isKnown(ANN), false);
    const refused = { code: 'not_logged_in' };
    await assert.rejects(
      pool.withConnection(ANN, (connection) => connection.ask('NOOP\n')),
      refused,
    );
    await assert.rejects(pool.read(ANN, ['NOOP\n']), refused);
    await assert.rejects(takeInstantMessages(pool, ANN), refused);
    await assert.rejects(pool.identify(ANN), refused);
    assert.equal((await pool.identify({ ...ANN, password: 'changed' })).usernum, usernum);
    assert.equal((await pool.read(BOB, ['NOOP\n']))[0]?.code, 200, 'others go on');
  });
});
