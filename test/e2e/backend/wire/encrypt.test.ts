// STLS of the embedded room server (protocol section 5): by hand, and by our own client and a gateway over tls://.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { Connection } from '../../../../src/room-server/connection/connection.ts';
import { serverTrust } from '../../../../src/room-server/connection/socket.ts';
import { readCertificatePair, serverContext } from '../../../../src/system/tls.ts';
import { Authority, tlsWords } from '../../../support/certificates.ts';
import { runVestibule, startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

const HOST = '127.0.0.1';

async function world(t: TestContext) {
  const authority = new Authority(t);
  const { server, faults } = await startRoomServer(t, { users: { ann: 4 } });
  server.tlsContext = serverContext(readCertificatePair(authority.issue()));
  const { port } = (await server.listen({ host: HOST, port: 0 })).address() as AddressInfo;
  const dial = () => WireClient.connect({ host: HOST, port });
  return { authority, server, port, dial, faults };
}

/** The handshake on what was a connection in clear. */
async function encrypted(client: WireClient, { caFile }: Authority): Promise<TLSSocket> {
  client.socket.removeAllListeners('data');
  const socket = connect({ socket: client.socket, host: HOST, ca: readFileSync(caFile) });
  await once(socket, 'secureConnect');
  return socket;
}

async function answerTo(socket: TLSSocket, line: string): Promise<string> {
  socket.write(`${line}\n`);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString();
}

describe('STLS', () => {
  it('encrypts the connection, and forgets who had logged in on it in clear', async (t) => {
    const { authority, dial, faults } = await world(t);
    const client = await dial();
    await client.expect('USER ann', 300);
    await client.expect('PASS annpw', 200);
    assert.equal(await client.text('GTLS'), '500 Session is not encrypted.');
    assert.equal(await client.text('STLS'), '200 Begin TLS negotiation now');
    const socket = await encrypted(client, authority);
    assert.match(await answerTo(socket, 'GTLS'), /^200 TLSv1\.3\|TLS_AES_\w+\|(128|256)\|\1\n$/);
    assert.match(await answerTo(socket, 'GETU'), /^520 /);
    assert.match(await answerTo(socket, 'USER ann'), /^300 /);
    assert.match(await answerTo(socket, 'PASS annpw'), /^200 ann/);
    assert.equal(await answerTo(socket, 'STLS'), '510 TLS negotiation error\n');
    assert.equal(await answerTo(socket, 'ECHO still'), '200 still\n');
    const ended = once(socket, 'close');
    assert.equal(await answerTo(socket, 'QUIT'), '200 Goodbye.\n');
    socket.end();
    await ended;
    assert.deepEqual(faults, []);
  });

  it('drops what was sent ahead of the handshake: it may be of somebody in between', async (t) => {
    const { authority, dial, server } = await world(t);
    const client = await dial();
    client.write('STLS\nUSER ann\nPASS annpw\nECHO injected\n');
    assert.equal((await client.reply()).line, '200 Begin TLS negotiation now');
    const socket = await encrypted(client, authority);
    assert.equal(await answerTo(socket, 'ECHO mine'), '200 mine\n');
    assert.equal([...server.sessions].filter(({ user }) => user).length, 0);
    socket.destroy();
  });

  it('ends a session whose handshake fails, and tells it nothing in clear meanwhile', async (t) => {
    const { dial, server, faults } = await world(t);
    const client = await dial();
    await client.expect('USER ann', 300);
    await client.expect('PASS annpw', 200);
    await client.expect('STLS', 200);
    for (const session of server.sessions) {
      session.asyncMode = true;
      session.noticeInstantMessage();
    }
    client.write('NOOP\nNOOP\n');
    const rest = await client.rest();
    assert.doesNotMatch(rest, /^[2-9]\d\d /m);
    while (server.sessions.size > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(faults, []);
  });

  it('is refused without a certificate, and takes a new one for those who come then', async (t) => {
    const { authority, port, server } = await world(t);
    const target = { host: HOST, port, tls: serverTrust(authority.caFile) };
    const old = await Connection.open(target);
    server.tlsContext = serverContext(readCertificatePair(new Authority(t).issue()));
    await assert.rejects(Connection.open(target), { message: /issuer is not trusted/ });
    server.tlsContext = undefined;
    await assert.rejects(Connection.open(target), { message: /does not support TLS/ });
    assert.equal((await old.ask('ECHO on\n')).text, 'on');
    old.close();
  });

  it('carries much in both directions', async (t) => {
    const { authority, port } = await world(t);
    const connection = await Connection.open({ host: HOST, port, tls: serverTrust(authority.caFile) });
    t.after(() => connection.close());
    const echoes = Array.from({ length: 5000 }, (_, i) => `ECHO ${i} ${'x'.repeat(100)}\n`);
    const answers = await connection.askAll(echoes);
    assert.ok(answers.every(({ text }, i) => text.startsWith(`${i} x`)));
  });
});

describe('a gateway in front of another one by tls://', () => {
  async function twoGateways(t: TestContext) {
    const authority = new Authority(t);
    const files = authority.issue();
    const options = [...tlsWords(files), '--line-listen', 'tcp://127.0.0.1:0'];
    const first = await startGateway(t, { demo: true, options });
    const backend = first.lineUrl!.replace('tcp:', 'tls:');
    return { authority, first, backend };
  }

  async function useMailbox(gateway: TestGateway): Promise<void> {
    const alice = gateway.as('alice');
    const body = `${'A line of some length, again and again.\n'.repeat(20_000)}end\n`;
    const headers = { 'content-type': 'text/plain' };
    assert.equal((await alice('r/Lobby/letter.txt', { method: 'PUT', body, headers })).status, 201);
    assert.equal(await (await alice('r/Lobby/letter.txt')).text(), body);
    assert.ok(((await (await alice('r/Lobby/mailbox')).json()) as unknown[]).length !== 0);
    assert.equal((await gateway.as('alice', 'wrong')('r/')).status, 401);
    assert.deepEqual(gateway.faults, []);
  }

  it('serves its mailboxes, and its doctor is content', async (t) => {
    const { authority, backend } = await twoGateways(t);
    const options = ['--backend-ca', authority.caFile];
    const second = await startGateway(t, { backend, options });
    await useMailbox(second);
    const words = ['--port', new URL(second.url).port, '--data', second.dataFolder, '--backend', backend, ...options];
    const { out } = await runVestibule(['doctor', ...words]);
    assert.match(out, /^ok {5}room server: 127\.0\.0\.1 port \d+, TLS: Vestibule room server/m);
  });

  it('does not go there where it trusts nobody who issued the certificate', async (t) => {
    const { backend } = await twoGateways(t);
    const second = await startGateway(t, { backend });
    const answer = await second.as('alice')('r/');
    assert.equal(answer.status, 502);
    const { detail } = (await answer.json()) as { detail: string };
    assert.equal(detail, 'The room server’s certificate is not accepted: its issuer is not trusted.');
  });

  it('is copied from by tls://, too', async (t) => {
    const { authority, backend } = await twoGateways(t);
    const folder = `${authority.folder}/copy`;
    const words = ['--from', backend, '--from-user', 'admin', '--to', `embedded:${folder}`];
    const passwords = ['--passwords', `${authority.folder}/passwords`];
    const env = { VESTIBULE_FROM_PASSWORD: 'secret', VESTIBULE_ADMIN_PASSWORD: 'secret' };
    const { code, out, err } = await runVestibule(
      ['copy', ...words, ...passwords, '--backend-ca', authority.caFile],
      env,
    );
    assert.match(out, /Lobby/, err);
    assert.ok(code === 0 || code === 1, err);
  });
});
