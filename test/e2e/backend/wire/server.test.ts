import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { MAX_SESSIONS_PER_ACCOUNT } from '../../../../src/limits/backend.ts';
import { DISPLACE_AFTER_MS, MAX_REFUSED_CONNECTIONS } from '../../../../src/limits/http.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

describe('connections beyond the limit', () => {
  it('are refused on the way in that is full, and on no other', async (t) => {
    const { server, socketPath } = await startRoomServer(t, { maxSessions: 2 });
    const listener = await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = listener.address() as { port: number };
    const at = { host: '127.0.0.1', port };
    const first = await WireClient.connect(at);
    await WireClient.connect(at);
    const refused = await WireClient.connect(at);
    assert.match(refused.greeting, /^551 .*2/);
    assert.match((await WireClient.connect(socketPath)).greeting, /^200 /);
    first.close();
    refused.close();
    while (server.sessions.size > 2) await new Promise(setImmediate);
    assert.match((await WireClient.connect(at)).greeting, /^200 /);
  });

  it('are refused to a client that has as many as it may, and to no other', async (t) => {
    const { server, socketPath } = await startRoomServer(t, { maxSessions: 4, maxSessionsPerAddress: 2 });
    const listener = await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = listener.address() as { port: number };
    const from = (localAddress: string) => WireClient.connect({ host: '127.0.0.1', port, localAddress });
    const first = await from('127.0.0.1');
    await from('127.0.0.1');
    // those that are refused take no place, though they have not closed their side yet
    for (let i = 0; i < 3; i++) {
      const { greeting } = await from('127.0.0.1');
      assert.equal(greeting, '551 Too many sessions from your address (maximum is 2)');
    }
    for (let i = 0; i < 2; i++) assert.match((await from('127.0.0.2')).greeting, /^200 /);
    assert.match((await from('127.0.0.3')).greeting, /^551 Too many users/);
    for (let i = 0; i < 3; i++) assert.match((await WireClient.connect(socketPath)).greeting, /^200 /);
    first.close();
    while (server.sessions.size > 6) await new Promise(setImmediate);
    assert.match((await from('127.0.0.1')).greeting, /^200 /);
  });

  it('are closed without a word when many wait to be told', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] }); // none of them is closed meanwhile
    const { socketPath } = await startRoomServer(t, { maxSessions: 1 });
    await WireClient.connect(socketPath);
    const told = await Promise.all(Array.from({ length: MAX_REFUSED_CONNECTIONS }, () => openUntilTold(socketPath)));
    const further = connect(socketPath).on('error', () => {});
    let received = '';
    further.on('data', (bytes) => (received += bytes));
    await once(further, 'close');
    assert.equal(received, '');
    for (const socket of told) socket.destroy();
  });

  it('do not keep the server from closing, whatever they still send', async (t) => {
    const { server, socketPath } = await startRoomServer(t, { maxSessions: 1 });
    await WireClient.connect(socketPath);
    const refused = connect({ path: socketPath, allowHalfOpen: true }).on('error', () => {});
    await new Promise((resolve) => refused.once('end', resolve).resume());
    await server.close();
    refused.destroy();
  });
});

describe('connections of strangers', () => {
  const idle = () => new Promise((resolve) => setTimeout(resolve, DISPLACE_AFTER_MS + 50));

  it('give way to new ones when all slots are in use, those who have logged in do not', async (t) => {
    const { server } = await startRoomServer(t, { maxSessions: 4, maxSessionsPerAddress: 4 });
    const listener = await server.listen({ host: '127.0.0.1', port: 0 }, false, undefined, (it) => it === '127.0.0.9');
    const { port } = listener.address() as { port: number };
    const from = (localAddress: string) => ({ host: '127.0.0.1', port, localAddress });
    const gateway = await WireClient.connect(from('127.0.0.9'));
    const admin = await WireClient.connect(from('127.0.0.1'));
    await admin.expect('USER admin', 300);
    await admin.expect('PASS adminpw', 200);
    const strangers = [await WireClient.connect(from('127.0.0.2')), await WireClient.connect(from('127.0.0.3'))];
    assert.match((await WireClient.connect(from('127.0.0.4'))).greeting, /^551 Too many users/);
    await idle();
    // a command now and then does not help
    await strangers[0]!.expect('NOOP', 200);
    const next = await WireClient.connect(from('127.0.0.4'));
    assert.match(next.greeting, /^200 /);
    assert.equal(await strangers[0]!.rest(), '');
    await strangers[1]!.expect('NOOP', 200);
    await admin.expect('NOOP', 200);
    await gateway.expect('NOOP', 200);
    // who logs out is a stranger again
    await admin.expect('LOUT', 200);
    await idle();
    for (let i = 0; i < 3; i++) {
      assert.match((await WireClient.connect(from(`127.0.0.${5 + i}`))).greeting, /^200 /);
    }
    assert.equal(await admin.rest(), '');
    await gateway.expect('NOOP', 200);
  });

  it('give way to a new one of the same client first', async (t) => {
    const { server } = await startRoomServer(t, { maxSessions: 9, maxSessionsPerAddress: 2 });
    const listener = await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = listener.address() as { port: number };
    const from = (localAddress: string) => WireClient.connect({ host: '127.0.0.1', port, localAddress });
    const other = await from('127.0.0.2');
    const [first, second] = [await from('127.0.0.1'), await from('127.0.0.1')];
    assert.match((await from('127.0.0.1')).greeting, /^551 Too many sessions from your address/);
    await idle();
    assert.match((await from('127.0.0.1')).greeting, /^200 /);
    assert.equal(await first.rest(), '');
    await second.expect('NOOP', 200);
    await other.expect('NOOP', 200);
  });
});

it('lets one account have so many sessions, however many addresses they come from', async (t) => {
  const { server, socketPath } = await startRoomServer(t);
  const listener = await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = listener.address() as { port: number };
  const logIn = async (localAddress: string) => {
    const client = await WireClient.connect({ host: '127.0.0.1', port, localAddress });
    await client.expect('USER admin', 300);
    return { client, reply: (await client.ask('PASS adminpw')).line };
  };
  const first = await logIn('127.0.0.1');
  for (let i = 1; i < MAX_SESSIONS_PER_ACCOUNT; i++)
    assert.match((await logIn(`127.0.0.${1 + (i % 9)}`)).reply, /^200 /);
  const refused = await logIn('127.0.0.77');
  assert.equal(refused.reply, `551 Too many sessions of this account (maximum is ${MAX_SESSIONS_PER_ACCOUNT})`);
  await WireClient.login(socketPath, 'admin', 'adminpw');
  first.client.close();
  while (server.sessions.size > MAX_SESSIONS_PER_ACCOUNT + 1) await new Promise(setImmediate);
  await refused.client.expect('USER admin', 300);
  await refused.client.expect('PASS adminpw', 200);
});

/** Has read why it is refused, and keeps its side open. */
async function openUntilTold(path: string): Promise<Socket> {
  const socket = connect({ path, allowHalfOpen: true }).on('error', () => {});
  await new Promise((resolve) => socket.once('end', resolve).resume());
  return socket;
}
