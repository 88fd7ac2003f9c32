import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startBackend } from '../../../../src/backend/start.ts';
import { MAX_PASSWORD_BYTES } from '../../../../src/limits/backend.ts';
import { MAX_LOGIN_FAILURES } from '../../../../src/limits/sessions.ts';
import { localThrottle } from '../../../../src/system/throttle.ts';
import { LOW_PASSWORD_COST } from '../../../support/first-start.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

/** Too long to be anybody's, and so wrong without being looked at. */
const WRONG = 'x'.repeat(MAX_PASSWORD_BYTES + 1);

/** A server that clients reach themselves, as with --line-listen, beside the socket of the gateway. */
async function openServer(t: TestContext) {
  const clock = { seconds: 0 };
  const rooms = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const throttle = localThrottle(() => clock.seconds);
  const listener = await rooms.server.listen({ host: '127.0.0.1', port: 0 }, false, throttle);
  const { port } = listener.address() as AddressInfo;
  return { ...rooms, clock, at: { host: '127.0.0.1', port } };
}

async function startLine(t: TestContext, folder: string, lineGateways: readonly string[] = []) {
  const backend = await startBackend({
    dataFolder: folder,
    adminPassword: 'adminpw',
    demo: false,
    passwordCost: LOW_PASSWORD_COST,
    lineListen: { host: '127.0.0.1', port: 0 },
    lineGateways,
  });
  t.after(() => backend.close());
  return { backend, at: { host: '127.0.0.1', port: Number(new URL(backend.lineListenUrl!).port) } };
}

async function guess(at: Parameters<typeof WireClient.connect>[0], name: string, passwords: readonly string[]) {
  const client = await WireClient.connect(at);
  await client.expect(`USER ${name}`, 300);
  const codes: number[] = [];
  for (const password of passwords) codes.push((await client.ask(`PASS ${password}`)).code);
  client.close();
  return codes;
}

describe('logging in on an address where clients come in themselves', () => {
  it('is refused after too many wrong passwords for one account, also with the right one', async (t) => {
    const { at, clock } = await openServer(t);
    const wrong = Array.from({ length: MAX_LOGIN_FAILURES }, (_, i) => `wrong${i}`);
    assert.deepEqual(
      await guess(at, 'ann', wrong),
      wrong.map(() => 540),
    );
    assert.deepEqual(await guess(at, 'ann', ['annpw']), [550]);
    // the address has used up its tries, too
    assert.deepEqual(await guess(at, 'bob', ['bobpw']), [550]);
    clock.seconds += 3600;
    assert.deepEqual(await guess(at, 'ann', ['annpw']), [200]);
  });

  it('counts the failures of all connections together, and one spelling of the name like another', async (t) => {
    const { at } = await openServer(t);
    const names = ['ann', 'ANN', 'a.n.n', 'ann@localhost', 'an_n'];
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await guess(at, names[i % names.length]!, ['wrong']);
    assert.deepEqual(await guess(at, 'Ann', ['annpw']), [550]);
  });

  it('is not refused where the account has logged in before, whatever is guessed elsewhere', async (t) => {
    const { at } = await openServer(t);
    const from = (localAddress: string) => ({ ...at, localAddress });
    const wrong = Array.from({ length: MAX_LOGIN_FAILURES }, (_, i) => `wrong${i}`);
    assert.deepEqual(await guess(from('127.0.0.1'), 'ann', ['annpw']), [200]);
    for (const [i, password] of wrong.entries()) {
      assert.deepEqual(await guess(from(`127.0.0.${2 + (i % 2)}`), 'ann', [password]), [540]);
    }
    assert.deepEqual(await guess(from('127.0.0.4'), 'ann', ['annpw']), [550], 'a stranger has no more guesses');
    assert.deepEqual(await guess(from('127.0.0.1'), 'ann', ['annpw']), [200]);
    assert.deepEqual(
      await guess(from('127.0.0.1'), 'ann', wrong),
      wrong.map(() => 540),
    );
    assert.deepEqual(await guess(from('127.0.0.1'), 'ann', ['annpw']), [550], 'nor is there no end to them here');
  });

  it('counts what is tried behind a name that nobody has, too', async (t) => {
    const { at } = await openServer(t);
    for (let i = 0; i <= MAX_LOGIN_FAILURES; i++) {
      const client = await WireClient.connect({ ...at, localAddress: `127.0.0.${2 + i}` });
      await client.expect(`USER no.body${'!'.repeat(i)}`, 570);
      await client.expect(`PASS ${WRONG}`, i < MAX_LOGIN_FAILURES ? 542 : 550);
      client.close();
    }
  });

  it('does not stop the users of a gateway, which counts for itself', async (t) => {
    const { at, socketPath } = await openServer(t);
    await guess(
      at,
      'ann',
      Array.from({ length: MAX_LOGIN_FAILURES + 1 }, () => 'wrong'),
    );
    assert.deepEqual(await guess(socketPath, 'ann', ['annpw']), [200]);
  });

  it('keeps one right password from buying more guesses at others', async (t) => {
    const { at } = await openServer(t);
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) {
      await guess(at, 'ann', ['wrong']);
      if (i < MAX_LOGIN_FAILURES - 1) assert.deepEqual(await guess(at, 'bob', ['bobpw']), [200]);
    }
    for (const name of ['ann', 'admin']) assert.deepEqual(await guess(at, name, [`${name}pw`]), [550], name);
    assert.deepEqual(await guess(at, 'bob', ['bobpw']), [200], 'who has logged in from there');
  });

  it('makes few new accounts from one address, where that is allowed at all', async (t) => {
    const { at, store } = await openServer(t);
    const client = await WireClient.connect(at);
    await client.expect('NEWU first', 560);
    store.setConfig('c_disable_newu', '0');
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) {
      await client.expect(`NEWU new${i}x`, 200);
      await client.expect('LOUT', 200);
    }
    await client.expect('NEWU onemore', 550);
  });

  it('is so on the address of --line-listen', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'line-'));
    const { backend, at } = await startLine(t, folder);
    t.after(() => rm(folder, { recursive: true }));
    const client = await WireClient.connect(at);
    await client.expect('NEWU anybody', 560);
    client.close();
    const wrong = Array.from({ length: MAX_LOGIN_FAILURES }, () => WRONG);
    assert.deepEqual(
      await guess(at, 'admin', wrong),
      wrong.map(() => 540),
    );
    assert.deepEqual(await guess(at, 'admin', ['adminpw']), [550]);
    assert.deepEqual(await guess(backend.socketPath, 'admin', ['adminpw']), [200]);
  });

  it('is not so for a gateway, which counts the wrong passwords of its users itself', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'line-'));
    const { at } = await startLine(t, folder, ['127.0.0.8/30']);
    t.after(() => rm(folder, { recursive: true }));
    const wrong = Array.from({ length: MAX_LOGIN_FAILURES }, () => WRONG);
    for (const [localAddress, code] of [
      ['127.0.0.11', 200],
      ['127.0.0.12', 550],
    ] as const) {
      await guess({ ...at, localAddress }, 'admin', wrong);
      assert.deepEqual(await guess({ ...at, localAddress }, 'admin', ['adminpw']), [code], localAddress);
    }
  });

  it('remembers over a restart where an account has logged in', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'line-'));
    const first = await startLine(t, folder);
    assert.deepEqual(await guess(first.at, 'admin', ['adminpw']), [200]);
    await first.backend.close();
    const { at } = await startLine(t, folder);
    t.after(() => rm(folder, { recursive: true }));
    const wrong = Array.from({ length: MAX_LOGIN_FAILURES }, () => WRONG);
    await guess({ ...at, localAddress: '127.0.0.2' }, 'admin', wrong);
    assert.deepEqual(await guess({ ...at, localAddress: '127.0.0.3' }, 'admin', ['adminpw']), [550]);
    assert.deepEqual(await guess(at, 'admin', ['adminpw']), [200]);
  });
});
