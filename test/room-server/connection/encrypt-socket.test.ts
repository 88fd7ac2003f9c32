// A connection to a room server on tls://: encrypted and with the right certificate, or none at all.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { CONNECT_TIMEOUT_MS } from '../../../src/limits/protocol.ts';
import { Connection } from '../../../src/room-server/connection/connection.ts';
import { serverTrust } from '../../../src/room-server/connection/socket.ts';
import { Authority } from '../../support/certificates.ts';
import { startTlsPeer, type TlsPeer } from '../../support/tls-peer.ts';

const HOST = '127.0.0.1';

function open({ port }: TlsPeer, { caFile }: { caFile?: string } = {}, host = HOST): Promise<Connection> {
  return Connection.open({ host, port, tls: serverTrust(caFile) });
}

/** What is said of a server that cannot be used; never more than STLS has gone to it in clear. */
async function refused(t: TestContext, peer: TlsPeer, opening: Promise<Connection>, code = /^backend_unreachable$/) {
  const error = await opening.then(
    (connection) => t.after(() => connection.close()),
    (fault) => fault,
  );
  assert.match(error?.code, code);
  // a handshake that has failed may end with an alert, which begins with 21
  assert.match(peer.clear, /^STLS\n(?:[\x15\x16]|$)/);
  assert.doesNotMatch(peer.clear, /USER|PASS|NOOP/);
  return error.message as string;
}

it('says STLS in clear, and everything else encrypted', async (t) => {
  const authority = new Authority(t);
  const peer = await startTlsPeer(t, { certificate: authority.issue() });
  for (const host of [HOST, 'localhost']) {
    const connection = await open(peer, authority, host);
    assert.equal((await connection.ask('NOOP\n')).text, 'heard NOOP');
    connection.close();
  }
  assert.equal(peer.clear, 'STLS\nSTLS\n');
});

it('a server that refuses STLS gets nothing in clear instead', async (t) => {
  const peer = await startTlsPeer(t, { answer: '530 No TLS here.\n' });
  const told = await refused(t, peer, open(peer));
  assert.equal(told, 'The room server does not support TLS; nothing is sent in clear text.');
  assert.equal(peer.clear, 'STLS\n');
});

it('lines that come before the handshake are no answers of the server', async (t) => {
  const ahead = await startTlsPeer(t, { answer: '200 Begin TLS negotiation now\n200 you are logged in\n' });
  await refused(t, ahead, open(ahead), /^backend_protocol$/);
  const later = await startTlsPeer(t, { instead: (socket) => setImmediate(() => socket.write('200 logged in\n')) });
  await refused(t, later, open(later), /^backend_(?:protocol|unreachable)$/);
});

it('says what is wrong with a certificate', async (t) => {
  const authority = new Authority(t);
  const told = async (wishes: { names?: string; days?: number }, by: { caFile?: string } = authority) => {
    const peer = await startTlsPeer(t, { certificate: authority.issue(wishes) });
    return (await refused(t, peer, open(peer, by))).replace('The room server’s certificate is not accepted: ', '');
  };
  assert.equal(await told({ days: -1 }), 'it has expired.');
  assert.equal(await told({ names: 'DNS:bbs.example.org' }), 'it is for another host.');
  assert.equal(await told({ names: 'IP:127.0.0.2' }), 'it is for another host.');
  assert.equal(await told({}, {}), 'its issuer is not trusted.');
  assert.equal(await told({}, new Authority(t)), 'its issuer is not trusted.');
});

it('says so when the server goes away, or says nothing, in place of a handshake', async (t) => {
  const gone = await startTlsPeer(t, { instead: (socket) => socket.destroy() });
  assert.equal(await refused(t, gone, open(gone)), 'The TLS handshake with the room server failed.');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const silent = await startTlsPeer(t, {});
  const opening = refused(t, silent, open(silent), /^backend_timeout$/);
  await silent.came('\x16\x03');
  t.mock.timers.tick(CONNECT_TIMEOUT_MS);
  assert.equal(await opening, 'The room server does not answer.');
});
