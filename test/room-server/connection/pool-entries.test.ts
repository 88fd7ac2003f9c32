// What the pool holds on to, and for how long: connections, those who wait for one, credentials that were right once.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import {
  CONNECTION_MAX_AGE_MS,
  EMBEDDED_CONNECTION_MAX_AGE_MS,
  EMBEDDED_MAX_CONNECTIONS,
  EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT,
  EMBEDDED_MAX_CONNECTIONS_PER_IDENTITY,
  MAX_COMMAND_BYTES,
  MAX_CONNECTIONS_OF_GUESTS,
  MAX_CONNECTIONS_PER_ACCOUNT,
  MAX_CONNECTIONS_PER_IDENTITY,
} from '../../../src/limits/protocol.ts';
import { GUEST, type Identity } from '../../../src/room-server/connection/identity.ts';
import { Pool } from '../../../src/room-server/connection/pool.ts';
import { askedServer } from '../../support/asked-server.ts';
import { eventually } from '../../support/eventually.ts';
import { passQuickly } from '../../support/quick-clock.ts';
import { listenOnUnixSocket, SocketReader } from '../../support/unix-listener.ts';

const ANN = { user: 'ann', password: 'secret' };
const RIGHT = '200 ann|4|0|0|0|2|0\n';
const BOBS = '200 bob|4|0|0|0|3|0\n';
const WRONG = '540 Wrong password.\n';

/** A room server that takes the password or does not, as told at the moment. */
async function startPool(
  t: TestContext,
  options: { isEmbedded?: boolean; maxConnections?: number; maxAgeMs?: number } = {},
) {
  const open = new Set<Socket>();
  const peer = { open, accepted: 0, passed: RIGHT, waitsFor: Promise.resolve(), passesFrom: Promise.resolve() };
  const listener = await listenOnUnixSocket((socket) => {
    peer.accepted++;
    open.add(socket.on('close', () => open.delete(socket)));
    answer(socket).catch(() => socket.destroy());
  });
  async function answer(socket: Socket): Promise<void> {
    const reader = new SocketReader(socket);
    socket.write('200 ready\n');
    let isBob = false;
    for (let line = String(await reader.line()); line !== ''; line = String(await reader.line())) {
      if (line.startsWith('SLOW')) await peer.waitsFor;
      if (line.startsWith('PASS')) await peer.passesFrom;
      if (line.startsWith('USER')) isBob = line === 'USER bob\n';
      const passed = isBob && peer.passed === RIGHT ? BOBS : peer.passed;
      const isLogIn = /^(PASS|SKEY login)/.test(line);
      socket.write(line.startsWith('USER') ? '300 ok\n' : isLogIn ? passed : '200 ok\n');
    }
    socket.end();
  }
  const pool = new Pool({ target: { path: listener.path }, clientName: 'test', clientVersion: '1', ...options });
  t.after(async () => {
    pool.close();
    await listener.close();
  });
  return { peer, pool };
}

const isRefused = (error: unknown) => error instanceof AppError && error.code === 'not_logged_in';

describe('a connection that is closed after its log-in', () => {
  it('is none: who waits for it is told so, and no further one is opened', { timeout: 60_000 }, async (t) => {
    const { pool, server } = await askedServer(t, { IDEN: '200 Ok\n200 nobody has asked\n' });
    for (const ask of [() => pool.read(GUEST, ['NOOP\n']), () => pool.withConnection(GUEST, async () => {})]) {
      const before = server.received.length;
      await assert.rejects(ask(), { code: 'backend_lost' });
      assert.equal(server.received.length, before + 1);
    }
  });
});

describe('the bound on connections of one identity', () => {
  it('holds for what log-ins leave behind', { timeout: 60_000 }, async (t) => {
    const { peer, pool } = await startPool(t);
    for (let i = 0; i < MAX_CONNECTIONS_PER_IDENTITY + 5; i++) await pool.logIn(ANN);
    assert.equal(peer.accepted, MAX_CONNECTIONS_PER_IDENTITY + 5);
    while (peer.open.size > MAX_CONNECTIONS_PER_IDENTITY) await new Promise(setImmediate);
  });

  it('is higher at our own room server, and so is that of an account', { timeout: 60_000 }, async (t) => {
    const { peer, pool } = await startPool(t, { isEmbedded: true, maxConnections: EMBEDDED_MAX_CONNECTIONS });
    const several = (user: string, length: number) => Array.from({ length }, () => ({ user, password: 'secret' }));
    const held = await hold(pool, several('ann', EMBEDDED_MAX_CONNECTIONS_PER_IDENTITY));
    const further = EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT - EMBEDDED_MAX_CONNECTIONS_PER_IDENTITY;
    const others = await hold(pool, several('ANN', further));
    assert.equal(peer.open.size, EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT);
    await assert.rejects(hold(pool, several('ANN', 1)), { code: 'busy' });
    await Promise.all([held.release(), others.release()]);
  });

  it('leaves others some where a process has few', { timeout: 60_000 }, async (t) => {
    for (const [maxConnections, most] of [
      [100, 12],
      [64, 8],
      [8, 6],
      [1, 1],
    ] as const) {
      const { pool } = await startPool(t, { isEmbedded: true, maxConnections });
      const ann = { user: 'ann', password: 'secret' };
      const held = await hold(pool, Array(most).fill(ann));
      let isHeld = false;
      const further = hold(pool, [ann]).finally(() => {
        isHeld = true;
      });
      if (maxConnections > 1) {
        const bob = await hold(pool, [{ user: 'bob', password: 'secret' }]);
        await bob.release();
      }
      for (let i = 0; i < 20; i++) await new Promise(setImmediate);
      assert.equal(isHeld, false, `${most} of ${maxConnections}`);
      await held.release();
      await (await further).release();
    }
  });

  it('refuses none of many that log in at the same moment, for they log in once', async (t) => {
    const { peer, pool } = await startPool(t);
    const all = () => Promise.all(Array.from({ length: 2 * MAX_CONNECTIONS_PER_ACCOUNT }, () => pool.logIn(ANN)));
    for (const { name } of await all()) assert.equal(name, 'ann');
    assert.equal(peer.accepted, 1);
    peer.passed = WRONG;
    await assert.rejects(all(), isRefused);
    peer.passed = RIGHT;
    await pool.logIn(ANN);
  });
});

/** Takes `count` connections and keeps them until `release`; resolves when it has them. */
async function hold(pool: Pool, identities: Identity[]): Promise<{ release(): Promise<void> }> {
  const gate = Promise.withResolvers<void>();
  const holders: Promise<void>[] = [];
  for (const identity of identities) {
    await new Promise<void>((resolve, reject) => {
      const holder = pool.withConnection(identity, () => {
        resolve();
        return gate.promise;
      });
      holder.catch(reject);
      holders.push(holder);
    });
  }
  return {
    async release() {
      gate.resolve();
      await Promise.all(holders);
    },
  };
}

describe('the bound on connections of one account', () => {
  const spellings = ['ann', 'ANN', 'a.n-n', 'ann@vm', 'ann\u212A', 'a@nn@vm'];
  const identity = (n: number) => ({ user: spellings[n % spellings.length]!, password: 'secret' });

  it('holds for the user that the room server names, whatever it takes for his name', {
    timeout: 60_000,
  }, async (t) => {
    const { peer, pool } = await startPool(t);
    // as an alias would do, or a name of which a room server looks at the first bytes only
    const names = Array.from({ length: MAX_CONNECTIONS_PER_ACCOUNT + 1 }, (_, n) => `alias${n}`);
    const as = (user: string) => ({ user, password: 'secret' });
    const held = await hold(pool, names.slice(1).map(as));
    await assert.rejects(hold(pool, [as(names[0]!)]), { code: 'busy' });
    await assert.rejects(hold(pool, [as('ann\u212A')]), { code: 'busy' });
    await eventually(async () => peer.open.size, MAX_CONNECTIONS_PER_ACCOUNT);
    await held.release();
    await (await hold(pool, [as(names[0]!)])).release();
    await eventually(async () => peer.open.size, MAX_CONNECTIONS_PER_ACCOUNT);
  });

  it('holds for all its spellings together, and leaves room for others', { timeout: 60_000 }, async (t) => {
    const { peer, pool } = await startPool(t);
    const held = await hold(
      pool,
      Array.from({ length: MAX_CONNECTIONS_PER_ACCOUNT }, (_, n) => identity(n)),
    );
    assert.equal(peer.open.size, MAX_CONNECTIONS_PER_ACCOUNT);
    for (const n of spellings.keys()) await assert.rejects(hold(pool, [identity(n)]), { code: 'busy' });
    const bob = await hold(pool, [{ user: 'bob', password: 'secret' }]);
    assert.equal(peer.open.size, MAX_CONNECTIONS_PER_ACCOUNT + 1);
    await held.release();
    await bob.release();
    // idle connections of one spelling make room for another one
    const again = Array.from({ length: MAX_CONNECTIONS_PER_IDENTITY }, () => identity(1));
    await (await hold(pool, again)).release();
    assert.ok(peer.open.size <= MAX_CONNECTIONS_PER_ACCOUNT + 1);
  });

  it('spares nothing for a look for instant messages, whose connection goes first', { timeout: 60_000 }, async (t) => {
    const { peer, pool } = await startPool(t);
    const some = Array.from({ length: MAX_CONNECTIONS_PER_ACCOUNT - 1 }, (_, n) => identity(n));
    await (await hold(pool, some)).release();
    await pool.pollInstantMessages(identity(0));
    assert.equal(peer.accepted, MAX_CONNECTIONS_PER_ACCOUNT);
    await assert.rejects(pool.pollInstantMessages(identity(1)), { code: 'busy' });
    assert.equal(peer.accepted, MAX_CONNECTIONS_PER_ACCOUNT);
    // one more than are idle
    const ofOne = some.filter(({ user }) => user === spellings[1]);
    await (await hold(pool, [...ofOne, identity(1)])).release();
    assert.equal(peer.accepted, MAX_CONNECTIONS_PER_ACCOUNT + 1);
    await (await hold(pool, some)).release();
    assert.equal(peer.accepted, MAX_CONNECTIONS_PER_ACCOUNT + 1, 'the others were all kept');
  });

  it('takes last what somebody is told of', { timeout: 60_000 }, async (t) => {
    const { peer, pool } = await startPool(t);
    const heard: string[] = [];
    const hear = (word: string) => () => void heard.push(word);
    pool.listenForInstantMessages(identity(0), {
      arrived: hear('arrived'),
      lost: hear('lost'),
      isFollowed: () => true,
    });
    await pool.pollInstantMessages(identity(0));
    const others = Array.from({ length: MAX_CONNECTIONS_PER_ACCOUNT - 1 }, (_, n) => identity(n));
    await (await hold(pool, others)).release();
    await pool.takeInstantMessages(identity(1));
    assert.deepEqual([peer.accepted, heard], [MAX_CONNECTIONS_PER_ACCOUNT + 1, []], 'one that was for reading went');
    // the others in use, and those that come next
    const held = await hold(pool, [...others.slice(1), identity(1)]);
    assert.deepEqual(heard, []);
    await (await hold(pool, [identity(2)])).release();
    assert.deepEqual(heard, ['lost'], 'where nothing else is idle');
    await held.release();
  });

  it('counts no connection that could not log in', { timeout: 60_000 }, async (t) => {
    const { peer, pool } = await startPool(t);
    peer.passed = WRONG;
    for (let n = 0; n <= MAX_CONNECTIONS_PER_ACCOUNT; n++) await assert.rejects(hold(pool, [identity(n)]), isRefused);
    peer.passed = RIGHT;
    await (await hold(pool, [ANN])).release();
  });

  it('counts no connection that the room server has ended', { timeout: 60_000 }, async (t) => {
    const { peer, pool } = await startPool(t);
    const sessions = Array.from({ length: MAX_CONNECTIONS_PER_ACCOUNT }, (_, n) => ({ user: 'ann', key: `key${n}` }));
    for (const session of sessions) await pool.read(session, ['NOOP\n']);
    for (const socket of peer.open) socket.destroy();
    await eventually(async () => sessions.some((session) => pool.isKnown(session)), false);
    await pool.read({ user: 'ann', key: 'another' }, ['NOOP\n']);
    assert.equal(peer.accepted, MAX_CONNECTIONS_PER_ACCOUNT + 1);
  });

  it('is another one for all who have not logged in', { timeout: 60_000 }, async (t) => {
    const { peer, pool } = await startPool(t);
    const held = await hold(
      pool,
      Array.from({ length: MAX_CONNECTIONS_OF_GUESTS }, () => GUEST),
    );
    assert.equal(peer.open.size, MAX_CONNECTIONS_OF_GUESTS);
    const waiting = hold(pool, [GUEST]);
    const ann = await hold(pool, [ANN]);
    assert.equal(peer.open.size, MAX_CONNECTIONS_OF_GUESTS + 1);
    await ann.release();
    await held.release();
    await (await waiting).release();
  });
});

describe('the bound on connections in all', () => {
  const readAs = (pool: Pool, user: string) => pool.read({ user, password: 'secret' }, ['NOOP\n']);

  it('closes what is idle for those who have none, and tells who listens there that it was for others', async (t) => {
    const { peer, pool } = await startPool(t, { maxConnections: 2 });
    const heard: string[] = [];
    const hear = (word: string) => () => void heard.push(word);
    const subscriber = {
      subscribed: () => {},
      notice: hear('notice'),
      closed: hear('closed'),
      evicted: hear('evicted'),
      isFollowed: () => true,
    };
    pool.subscribe(ANN, subscriber);
    pool.subscribe({ user: 'bob', password: 'secret' }, subscriber);
    for (const user of ['ann', 'bob']) await readAs(pool, user);
    assert.deepEqual([peer.accepted, heard], [2, []]);
    await readAs(pool, 'carol');
    await eventually(async () => peer.open.size, 2);
    assert.deepEqual([peer.accepted, heard], [3, ['evicted']]);
  });

  it('leaves the others theirs while there are some that the room server has ended', async (t) => {
    const { peer, pool } = await startPool(t, { maxConnections: 2 });
    await readAs(pool, 'ann');
    for (const socket of peer.open) socket.destroy();
    await eventually(async () => pool.isKnown(ANN), false);
    await readAs(pool, 'bob');
    await readAs(pool, 'carol');
    assert.equal(pool.isKnown({ user: 'bob', password: 'secret' }), true);
    assert.deepEqual([peer.accepted, peer.open.size], [3, 2]);
  });

  it('refuses who comes while none is idle', async (t) => {
    const { pool } = await startPool(t, { maxConnections: 2 });
    const held = await hold(pool, [ANN, ANN]);
    const clock = passQuickly(t);
    await assert.rejects(readAs(pool, 'bob'), (error) => error instanceof AppError && error.code === 'busy');
    clock.restore();
    await held.release();
    await readAs(pool, 'bob');
  });
});

describe('a pool that is closed while it connects', () => {
  it('keeps no connection', async (t) => {
    const { peer, pool } = await startPool(t);
    const gate = Promise.withResolvers<void>();
    peer.passesFrom = gate.promise;
    const reading = pool.read(ANN, ['NOOP\n']);
    const taking = pool.takeInstantMessages({ user: 'bob', password: 'secret' });
    await eventually(async () => peer.accepted, 2);
    const failing = Promise.all([reading, taking].map((each) => assert.rejects(each)));
    pool.close();
    gate.resolve();
    await failing;
    await eventually(async () => peer.open.size, 0);
  });
});

describe('credentials that cannot be sent', () => {
  it('are refused without a connection', async (t) => {
    const { peer, pool } = await startPool(t);
    for (const user of ['a|b', 'a\nNOOP', 'a'.repeat(MAX_COMMAND_BYTES)]) {
      await assert.rejects(pool.logIn({ user, password: 'x' }), { code: 'bad_request' });
      await assert.rejects(pool.read({ user: 'x', password: user }, ['NOOP\n']), { code: 'bad_request' });
    }
    assert.equal(peer.accepted, 0);
  });
});

describe('credentials that were right once', () => {
  it('count no longer when the room server refuses them', async (t) => {
    const { peer, pool } = await startPool(t);
    await pool.identify(ANN);
    assert.equal(pool.isKnown(ANN), true);
    peer.passed = WRONG;
    await assert.rejects(pool.logIn(ANN), isRefused);
    assert.equal(pool.isKnown(ANN), false);
    await assert.rejects(pool.identify(ANN), isRefused);
  });

  it('are asked again after a while, however busy the shared connection is kept', async (t) => {
    const { peer, pool } = await startPool(t);
    const gate = Promise.withResolvers<void>();
    peer.waitsFor = gate.promise;
    await pool.read(ANN, ['NOOP\n']);
    const slow = pool.read(ANN, ['SLOW\n']);
    await new Promise(setImmediate);
    peer.passed = WRONG;
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + CONNECTION_MAX_AGE_MS + 1000 });
    await assert.rejects(pool.read(ANN, ['NOOP\n']), isRefused);
    gate.resolve();
    assert.equal((await slow)[0]?.code, 200);
  });

  it('are asked for sooner by session key, which costs little', async (t) => {
    const { peer, pool } = await startPool(t, { maxAgeMs: EMBEDDED_CONNECTION_MAX_AGE_MS });
    const identities = [ANN, { user: 'ann', key: 'secret' }];
    const readAll = () => Promise.all(identities.map((identity) => pool.read(identity, ['NOOP\n'])));
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    for (const [ms, accepted] of [
      [0, 2],
      [CONNECTION_MAX_AGE_MS, 2],
      [1, 3],
      [EMBEDDED_CONNECTION_MAX_AGE_MS, 5],
    ] as const) {
      t.mock.timers.tick(ms);
      await readAll();
      assert.equal(peer.accepted, accepted);
    }
  });
});
