// HTTPS by the gateway itself, as its clients and its operator see it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { connect } from 'node:tls';
import type { CertificateFiles } from '../../src/system/tls.ts';
import { Authority, tlsWords } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { basic, runVestibule, spawnGateway, startGateway } from '../support/gateway.ts';
import { WireClient } from '../support/wire-client.ts';

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A client that believes the test's own authority. */
function clientOf({ caFile }: Authority, url: string) {
  const ca = readFileSync(caFile);
  const { hostname, port } = new URL(url);
  return (path: string, method = 'GET', headers: Record<string, string> = {}, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = request({ ca, hostname, port, path, method, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece) => (text += piece));
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
      });
      asked.on('error', reject).end(body);
    });
}

async function startTls(t: TestContext, ...options: string[]) {
  const authority = new Authority(t);
  const files = authority.issue();
  const gateway = await startGateway(t, { demo: true, options: [...tlsWords(files), ...options] });
  return { authority, files, gateway, ask: clientOf(authority, gateway.url) };
}

const LOGIN = JSON.stringify({ username: 'alice', password: 'alice' });
const JSON_TYPE = { 'content-type': 'application/json' };

describe('a gateway with a certificate', () => {
  it('answers by https, with cookies that no clear connection gets', async (t) => {
    const { gateway, ask } = await startTls(t);
    assert.match(gateway.url, /^https:\/\/127\.0\.0\.1:\d+\/$/);
    const login = await ask('/svc/a/login', 'POST', JSON_TYPE, LOGIN);
    assert.equal(login.status, 200);
    const [cookie] = login.headers['set-cookie'] as string[];
    assert.match(cookie!, /; HttpOnly; Secure$/);
    const who = await ask('/svc/a/whoami', 'GET', { cookie: cookie!.split(';')[0]! });
    assert.match(who.body, /"logged_in":true/);
    assert.deepEqual(gateway.faults, []);
  });

  it('leads by paths, which stay https; and takes a Destination of its own address', async (t) => {
    const { gateway, ask } = await startTls(t);
    for (const path of ['/', '/.well-known/caldav', '/.well-known/carddav', '/svc']) {
      const { status, headers } = await ask(path);
      assert.ok(status >= 301 && status <= 308, `${path}: ${status}`);
      assert.match(String(headers.location), /^\/svc\//, path);
    }
    const authorization = basic('admin', 'secret');
    const put = await ask('/svc/r/Lobby/one.txt', 'PUT', { authorization, 'content-type': 'text/plain' }, 'one');
    assert.equal(put.status, 201);
    assert.doesNotMatch(String(put.headers.location), /^http:/);
    const destination = `${gateway.url}svc/r/Lobby/two.txt`;
    assert.equal((await ask('/svc/r/Lobby/one.txt', 'MOVE', { authorization, destination })).status, 201);
    const list = await ask('/svc/r/Lobby/', 'PROPFIND', { authorization, depth: '1' });
    assert.equal(list.status, 207);
    assert.doesNotMatch(list.body, /http:\/\/127/);
  });

  it('takes no page for its own that came in clear from the same host', async (t) => {
    const { gateway, ask } = await startTls(t);
    const login = await ask('/svc/a/login', 'POST', JSON_TYPE, LOGIN);
    const cookie = (login.headers['set-cookie'] as string[])[0]!.split(';')[0]!;
    const post = (origin: string) =>
      ask('/svc/r/Lobby/new', 'PUT', { cookie, origin, 'content-type': 'text/plain' }, 'hello');
    const own = gateway.url.slice(0, -1);
    assert.equal((await post(own.replace('https:', 'http:'))).status, 403);
    assert.equal((await post(own)).status, 201);
  });

  it('sends events as they come', async (t) => {
    const { authority, gateway } = await startTls(t);
    const { port } = new URL(gateway.url);
    const socket = connect({ host: '127.0.0.1', port: Number(port), ca: readFileSync(authority.caFile) });
    t.after(() => socket.destroy());
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => (received += text));
    const head = ['GET /svc/a/events HTTP/1.1', 'Host: x', `Authorization: ${basic('alice')}`, '', ''];
    socket.write(head.join('\r\n'));
    await eventually(async () => received, /^HTTP\/1\.1 200 [\s\S]*text\/event-stream[\s\S]*\r\n\r\n/);
    const { url } = gateway;
    const ask = clientOf(authority, url);
    const headers = { authorization: basic('bob'), 'content-type': 'text/plain' };
    assert.equal((await ask('/svc/r/Lobby/new?subj=Event', 'PUT', headers, 'hello')).status, 201);
    await eventually(async () => received, /\nevent: /);
  });

  it('tells browsers to come by TLS only, as long as the operator wants it, and never in clear', async (t) => {
    for (const [options, told] of [
      [[], 'max-age=86400'],
      [['--hsts-days', '7'], 'max-age=604800'],
      [['--hsts-days', '0'], undefined],
    ] as const) {
      const { ask } = await startTls(t, ...options);
      for (const path of ['/svc/a/whoami', '/svc/nothing', '/']) {
        assert.equal((await ask(path)).headers['strict-transport-security'], told, path);
      }
      for (const host of ['localhost', 'LOCALHOST:8443']) {
        assert.equal((await ask('/svc/a/whoami', 'GET', { host })).headers['strict-transport-security'], undefined);
      }
    }
    const plain = await startGateway(t, { options: ['--hsts-days', '7', '--trust-proxy'] });
    const hsts = async (headers: Record<string, string>) =>
      (await plain.api('a/whoami', { headers })).headers.get('strict-transport-security');
    assert.equal(await hsts({}), null);
    assert.equal(await hsts({ 'x-forwarded-proto': 'https' }), 'max-age=604800');
  });
});

it('a new pair is for new connections, at SIGHUP; a broken one is refused and told of', async (t) => {
  const authority = new Authority(t);
  const used = { certificateFile: join(authority.folder, 'live.pem'), keyFile: join(authority.folder, 'live.key') };
  const install = ({ certificateFile, keyFile }: CertificateFiles) => {
    copyFileSync(certificateFile, used.certificateFile);
    copyFileSync(keyFile, used.keyFile);
  };
  install(authority.issue());
  const words = ['--data', join(authority.folder, 'data'), ...tlsWords(used), '--line-listen', 'tcp://127.0.0.1:0'];
  const { url, lineUrl, child, said } = await spawnGateway(t, words);
  const { port } = new URL(url);
  const ca = readFileSync(authority.caFile);
  const open = async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), ca });
    t.after(() => socket.destroy());
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    return socket;
  };
  const reload = async (expected: RegExp) => {
    said.err = '';
    child.kill('SIGHUP');
    await eventually(async () => said.err, expected);
  };
  const old = await open();
  const first = old.getPeerCertificate().fingerprint256;
  writeFileSync(used.keyFile, 'no key');
  await reload(/The old certificate stays in use: .*live\.key contains no private key/);
  assert.equal((await open()).getPeerCertificate().fingerprint256, first);
  install(authority.issue());
  await reload(/New certificate from .*live\.pem, valid until 20/);
  assert.notEqual((await open()).getPeerCertificate().fingerprint256, first);
  // the room server shows the same one behind STLS
  const line = await WireClient.connect({ host: '127.0.0.1', port: Number(new URL(lineUrl!).port) });
  await line.expect('STLS', 200);
  line.socket.removeAllListeners('data');
  const encrypted = connect({ socket: line.socket, host: '127.0.0.1', ca });
  await once(encrypted, 'secureConnect');
  assert.equal(encrypted.getPeerCertificate().fingerprint256, (await open()).getPeerCertificate().fingerprint256);
  encrypted.destroy();
  let answer = '';
  old.setEncoding('utf8').on('data', (text) => (answer += text));
  old.write('GET /svc/a/whoami HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually(async () => answer, /^HTTP\/1\.1 200 /);
});

it('a start with files that cannot be used fails in words', async (t) => {
  const authority = new Authority(t);
  const [one, other] = [authority.issue(), authority.issue()];
  const words = ['--port', '0', '--data', join(authority.folder, 'data')];
  const mixed = await runVestibule([...words, ...tlsWords({ ...one, keyFile: other.keyFile })]);
  assert.equal(mixed.code, 1);
  assert.match(mixed.err, /^The key in .* does not match the certificate in .*\.\n$/);
});

describe('vestibule doctor', () => {
  it('looks at the certificate, and visits the gateway by it', async (t) => {
    const { files, gateway, authority } = await startTls(t);
    chmodSync(files.keyFile, 0o600);
    const words = ['--port', new URL(gateway.url).port, '--data', gateway.dataFolder];
    const doctor = async (pair: CertificateFiles) =>
      runVestibule(['doctor', ...words, ...tlsWords(pair), '--user', 'alice'], { VESTIBULE_PASSWORD: 'alice' });
    const well = await doctor(files);
    assert.equal(well.code, 0, well.out);
    assert.match(well.out, /^ok {5}certificate: .*1\.pem is valid for 29 more days, and the key matches$/m);
    assert.match(well.out, /^ok {5}certificate: for DNS:localhost, IP Address:127\.0\.0\.1$/m);
    assert.match(well.out, /^ok {5}draft: saved, read and deleted$/m);
    const expired = await doctor(authority.issue({ days: -1 }));
    assert.equal(expired.code, 1);
    assert.match(expired.out, /^wrong {2}gateway: .* uses another certificate than .*; check what listens there/m);
  });
});
