// HTTPS of the listener itself: who does not speak TLS, who takes for ever over the handshake, and what the bounds of
// plain connections are here.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect, type SecureContext, type TLSSocket } from 'node:tls';
import { readBody } from '../../src/http/body.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import type { ListenOptions } from '../../src/http/listener.ts';
import { asPlainText, send } from '../../src/http/respond.ts';
import { readCertificatePair, serverContext } from '../../src/system/tls.ts';
import { Authority } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { dial, exchangeRaw, head, receive, type Site, serve } from './serving.ts';

const CLOSE = 'Connection: close';
const statusOf = (answer: string) => Number(answer.slice(9, 12));

interface TlsSite {
  site: Site;
  ca: string;
  authority: Authority;
  /** what new connections get */
  use(context: SecureContext): void;
}

async function serveTls(t: TestContext, options: Partial<ListenOptions> = {}): Promise<TlsSite> {
  const authority = new Authority(t);
  let context = serverContext(readCertificatePair(authority.issue()));
  const handle = async (exchange: Exchange) => {
    const body = await readBody(exchange, 1_000_000);
    return send(exchange, 200, asPlainText(`${exchange.secure} ${exchange.remoteAddress} ${body.length}`));
  };
  const site = await serve(t, handle, { tlsContext: () => context, ...options });
  return { site, ca: readFileSync(authority.caFile, 'utf8'), authority, use: (it) => (context = it) };
}

/** Has its handshake behind it. */
async function dialTls({ site, ca }: TlsSite, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port: site.port, host: '127.0.0.1', ca, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

async function ask(at: TlsSite, request = head('GET /', CLOSE), options: ConnectionOptions = {}): Promise<string> {
  const socket = await dialTls(at, options);
  socket.write(request);
  return receive(socket);
}

const isClosed = (socket: Socket) => new Promise<void>((resolve) => socket.resume().once('close', () => resolve()));

describe('a listener with a certificate', () => {
  it('speaks HTTP/1.1 over TLS 1.3 and 1.2, and knows that it does', async (t) => {
    const at = await serveTls(t);
    assert.equal(at.site.url, `https://127.0.0.1:${at.site.port}`);
    for (const maxVersion of ['TLSv1.3', 'TLSv1.2'] as const) {
      const socket = await dialTls(at, { maxVersion, ALPNProtocols: ['h2', 'http/1.1'] });
      assert.deepEqual([socket.getProtocol(), socket.alpnProtocol], [maxVersion, 'http/1.1']);
      socket.write(head('GET /', CLOSE));
      assert.match(await receive(socket), /^HTTP\/1\.1 200 [\s\S]*true 127\.0\.0\.1 0$/);
    }
    const body = 'x'.repeat(300_000);
    assert.match(await ask(at, `${head('PUT /', CLOSE, `Content-Length: ${body.length}`)}${body}`), /true .* 300000$/);
    const both = head('GET /') + head('GET /', CLOSE);
    assert.equal((await ask(at, both)).match(/HTTP\/1\.1 200/g)?.length, 2, 'pipelined');
    assert.deepEqual(at.site.logged, []);
  });

  it('refuses TLS 1.1, ciphers without forward secrecy, and clients that speak something else inside', async (t) => {
    const at = await serveTls(t);
    const refused = (options: ConnectionOptions) =>
      assert.rejects(dialTls(at, options), { code: /^ERR_SSL|ECONNRESET/ });
    await refused({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' });
    await refused({ maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' });
    await refused({ ALPNProtocols: ['imap'] });
    assert.equal(statusOf(await ask(at)), 200, 'others are served all the same');
  });

  it('tells who speaks HTTP in clear, and closes what is no TLS at all', async (t) => {
    const at = await serveTls(t);
    const clear = await exchangeRaw(at.site.port, head('GET /'));
    assert.equal(statusOf(clear), 400);
    assert.match(clear, /Connection: close\r\n[\s\S]*This port requires TLS: use https:\/\/ instead\.\n$/);
    assert.equal(await exchangeRaw(at.site.port, '\0\x01\x02\x03'), '');
    const alert = await exchangeRaw(at.site.port, '\x16\x03\x01\x00\x05hello');
    assert.doesNotMatch(alert, /HTTP/);
    const half = await dial(at.site.port);
    half.end();
    await isClosed(half);
    assert.equal(statusOf(await ask(at)), 200);
    assert.deepEqual(at.site.logged, []);
  });

  it('closes a connection whose records cannot be read behind the handshake', async (t) => {
    const at = await serveTls(t);
    const wire = await dial(at.site.port);
    const socket = connect({ socket: wire, host: '127.0.0.1', ca: at.ca });
    await once(socket, 'secureConnect');
    socket.on('error', () => {});
    wire.write('\x17\x03\x03\x00\x20this was not made by those keys!');
    await isClosed(wire);
    assert.equal(at.site.traffic().connections, 0);
  });

  it('gives new connections a new certificate; open ones stay', async (t) => {
    const at = await serveTls(t);
    const open = await dialTls(at);
    const first = open.getPeerCertificate().fingerprint256;
    at.use(serverContext(readCertificatePair(at.authority.issue())));
    const other = await dialTls(at);
    assert.notEqual(other.getPeerCertificate().fingerprint256, first);
    for (const socket of [open, other]) {
      socket.write(head('GET /', CLOSE));
      assert.equal(statusOf(await receive(socket)), 200);
    }
  });
});

describe('a handshake that does not end', () => {
  it('is given up in time, whether nothing comes or a byte now and then', async (t) => {
    const at = await serveTls(t, { handshakeTimeoutMs: 300 });
    const silent = await dial(at.site.port);
    const slow = await dial(at.site.port);
    const hello = Buffer.from('16030101fc010001f80303', 'hex');
    const feeding = (async () => {
      for (const byte of hello) {
        if (slow.destroyed) return;
        slow.write(Buffer.of(byte));
        await sleep(60);
      }
    })();
    slow.on('error', () => {});
    await Promise.all([isClosed(silent), isClosed(slow)]);
    await feeding;
    await eventually(async () => at.site.traffic().connections, 0);
  });

  it('does not take the place of others: the one that has waited longest makes room', async (t) => {
    const at = await serveTls(t, { maxConnections: 2, displaceAfterMs: 50 });
    const stuck = [await dial(at.site.port), await dial(at.site.port)];
    const gone = isClosed(stuck[0]!);
    await sleep(60);
    assert.equal(statusOf(await ask(at)), 200);
    await gone;
    for (const socket of stuck) socket.destroy();
  });

  it('counts for its address like a connection; who is one too many is told so inside TLS', async (t) => {
    const at = await serveTls(t, { maxPerAddress: 2 });
    const stuck = await dial(at.site.port);
    const served = await dialTls(at);
    const refused = await ask(at);
    assert.equal(statusOf(refused), 429);
    assert.match(refused, /Too many connections from your address/);
    stuck.destroy();
    let status = 429;
    while (status === 429) status = statusOf(await ask(at));
    assert.equal(status, 200, 'when the handshake has been given up');
    served.destroy();
  });

  it('does not hold up close()', async (t) => {
    const at = await serveTls(t, { graceMs: 60_000, handshakeTimeoutMs: 60_000 });
    const stuck = [await dial(at.site.port), await dial(at.site.port)];
    stuck[1]!.write('\x16\x03\x01');
    await sleep(20);
    const gone = Promise.all(stuck.map(isClosed));
    await at.site.close();
    await gone;
  });
});

it('traffic is what goes over the wire, and a connection is one', async (t) => {
  const at = await serveTls(t);
  const socket = await dialTls(at);
  assert.equal(at.site.traffic().connections, 1);
  const { sentBytes } = at.site.traffic();
  assert.ok(sentBytes > 500, `${sentBytes} bytes of certificate and more`);
  socket.write(head('GET /', CLOSE));
  await receive(socket);
  let { connections } = at.site.traffic();
  for (; connections > 0; { connections } = at.site.traffic()) await sleep(5);
  assert.ok(at.site.traffic().sentBytes > sentBytes);
});
