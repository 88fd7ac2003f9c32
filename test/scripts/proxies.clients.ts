// The sites in scripts/deploy, run by the proxies that they are for, with TLS, in front of a gateway below a path of
// its own: what browsers and DAV clients send and get comes through as it is.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Authority } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { basic, startGateway } from '../support/gateway.ts';

const UPLOAD_BYTES = 50 * 1024 * 1024;
const PREFIX = '/org/rooms/';

interface Place {
  port: number;
  folder: string;
  certificateFile: string;
  keyFile: string;
}

interface Proxy {
  file: string;
  /** of the sample a whole configuration for this test */
  configure(sample: string, place: Place): string;
  command(config: string): string[];
}

/** What a sample says, where the test says something else: each must be there. */
function replaced(sample: string, pairs: [string, string][]): string {
  return pairs.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from);
    return text.replaceAll(from, to);
  }, sample);
}

const MODULES = ['mpm_event', 'ssl', 'proxy', 'proxy_http', 'headers', 'authz_core'];

const PROXIES: Record<string, Proxy> = {
  nginx: {
    file: 'nginx.conf',
    configure(sample, { port, folder, certificateFile, keyFile }) {
      const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`);
      const tls = `ssl_certificate ${certificateFile}; ssl_certificate_key ${keyFile};`;
      const server = `server { listen 127.0.0.1:${port} ssl; ${tls}\n${sample}\n}`;
      const main = `daemon off; pid ${folder}/pid; error_log stderr; events {}`;
      return `${main}\nhttp { access_log off; ${kept.join(' ')}\n${server}\n}`;
    },
    command: (config) => ['nginx', '-e', 'stderr', '-c', config],
  },
  Apache: {
    file: 'apache.conf',
    configure(sample, { port, folder, certificateFile, keyFile }) {
      const modules = MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
      const tls = `SSLEngine on\nSSLCertificateFile ${certificateFile}\nSSLCertificateKeyFile ${keyFile}`;
      const own = [`PidFile ${folder}/pid`, `DefaultRuntimeDir ${folder}`, `ErrorLog ${folder}/log`, 'User www-data'];
      const names = ['ServerName 127.0.0.1', `Listen 127.0.0.1:${port}`, `<VirtualHost 127.0.0.1:${port}>`];
      return [...modules, ...own, ...names, tls, sample, '</VirtualHost>', ''].join('\n');
    },
    command: (config) => ['apache2', '-X', '-f', config],
  },
  HAProxy: {
    file: 'haproxy.cfg',
    configure(sample, { port, folder, certificateFile, keyFile }) {
      const both = join(folder, 'both.pem');
      writeFileSync(both, readFileSync(certificateFile, 'utf8') + readFileSync(keyFile, 'utf8'));
      return replaced(sample, [['bind :443 ssl crt /etc/haproxy/certs/', `bind 127.0.0.1:${port} ssl crt ${both}`]]);
    },
    command: (config) => ['haproxy', '-db', '-f', config],
  },
  Caddy: {
    file: 'Caddyfile',
    configure(sample, { port, certificateFile, keyFile }) {
      const site = `https://127.0.0.1:${port} {\n\ttls ${certificateFile} ${keyFile}`;
      const own = '{\n\tadmin off\n\tauto_https disable_redirects\n}\n';
      return own + replaced(sample, [['chat.example.org {', site]]);
    },
    command: (config) => ['caddy', 'run', '--config', config, '--adapter', 'caddyfile'],
  },
};

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

type Headers = Record<string, string>;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The proxy in front of a gateway, and what sends to it. */
async function startBehind(t: TestContext, { file, configure, command }: Proxy) {
  const authority = new Authority(t);
  const users = [{ name: 'ann', password: 'ann', level: 6 }];
  const options = ['--prefix', PREFIX, '--trust-proxy', '--admin-listen', 'tcp://127.0.0.1:0'];
  const gateway = await startGateway(t, { users, options });
  const folder = join(authority.folder, 'proxy');
  mkdirSync(folder);
  const place = { port: await freePort(), folder, ...authority.issue() };
  const sample = readFileSync(new URL(`../../scripts/deploy/${file}`, import.meta.url), 'utf8');
  const config = join(folder, file);
  const ports = replaced(configure(sample, place), [['127.0.0.1:8080', new URL(gateway.url).host]]);
  writeFileSync(config, ports.replaceAll('9464', new URL(gateway.adminUrl!).port));
  const [program, ...words] = command(config);
  const env = {
    ...process.env,
    PATH: `${process.env.PATH}:/usr/sbin`,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const child = spawn(program!, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  child.stderr.on('data', (text) => (said += text));
  const exited = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const ca = readFileSync(authority.caFile);
  const open = (method: string, path: string, headers: Headers, body?: string | Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const at = { ca, host: '127.0.0.1', port: place.port, path, method, agent: false as const };
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const all = { authorization: basic('ann'), ...length, ...headers };
      request({ ...at, headers: all }, resolve)
        .on('error', reject)
        .end(body);
    });
  const ask = async (method: string, path: string, headers: Headers = {}, body?: string | Buffer): Promise<Answer> => {
    const response = await open(method, path, headers, body);
    return {
      status: response.statusCode!,
      headers: response.headers,
      body: Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)),
    };
  };
  const rooms = (method: string, path: string, headers?: Headers, body?: string | Buffer) =>
    ask(method, PREFIX + path, headers, body);
  const failed = exited.then(() => {
    throw new Error(`${program} has ended: ${said}`);
  });
  const answers = eventually(async () => (await rooms('GET', 'a/whoami')).status, 200);
  await Promise.race([answers, failed]);
  failed.catch(() => {}); // it ends with the test
  return { origin: `https://127.0.0.1:${place.port}`, ask, rooms, open, gateway };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const TEXT = { 'content-type': 'text/plain' };

for (const [name, proxy] of Object.entries(PROXIES)) {
  describe(name, () => {
    it('says who comes and how, whatever a client claims', async (t) => {
      const { origin, rooms } = await startBehind(t, proxy);
      const forged = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '6.6.6.6' };
      const login = JSON.stringify({ username: 'ann', password: 'ann' });
      const answer = await rooms('POST', 'a/login', { ...JSON_TYPE, ...forged }, login);
      assert.equal(answer.status, 200);
      assert.match(answer.headers['set-cookie']![0]!, /; Secure$/);
      const post = (from: string) => rooms('PUT', 'r/Lobby/new', { ...TEXT, ...forged, origin: from }, 'hello');
      assert.equal((await post('https://evil.example')).status, 403);
      assert.equal((await post(origin)).status, 201);
    });

    it('lets each method of WebDAV through, and addresses as they are', async (t) => {
      const { origin, ask, rooms } = await startBehind(t, proxy);
      const found = await ask('PROPFIND', '/.well-known/caldav');
      assert.match(String(found.headers.location), /^\/org\/rooms\//);
      assert.match(String((await rooms('OPTIONS', '')).headers.dav), /calendar-access/);
      const made = await rooms('POST', 'r/', JSON_TYPE, JSON.stringify({ name: 'A/B c', kind: 'public' }));
      assert.equal(made.status, 201, String(made.body));
      const room = 'r/A%2FB%20c';
      assert.equal((await rooms('PUT', `${room}/one.txt`, TEXT, 'one')).status, 201);
      assert.equal((await rooms('PROPFIND', `${room}/`, { depth: '1' })).status, 207);
      const sync = '<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level><prop/></sync-collection>';
      const report = await rooms('REPORT', `${room}/`, { 'content-type': 'application/xml' }, sync);
      assert.equal(report.status, 207, String(report.body));
      const destination = `${origin}${PREFIX}${room}/two.txt`;
      assert.equal((await rooms('MOVE', `${room}/one.txt`, { destination })).status, 201);
      const info = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>';
      assert.equal((await rooms('LOCK', `${room}/two.txt`, { 'content-type': 'text/xml' }, info)).status, 200);
      assert.equal(String((await rooms('GET', `${room}/two.txt`)).body), 'one');
    });

    it('passes events on as they come', async (t) => {
      const { open, rooms } = await startBehind(t, proxy);
      const stream = await open('GET', `${PREFIX}a/events`, {});
      t.after(() => stream.destroy());
      assert.equal(stream.statusCode, 200);
      let received = '';
      stream.setEncoding('utf8').on('data', (text) => (received += text));
      await eventually(async () => received, /\n\n/);
      const before = received.length;
      assert.equal((await rooms('PUT', 'r/Lobby/new?subj=Now', TEXT, 'hello')).status, 201);
      await eventually(async () => received.slice(before), /^event: /m);
    });

    it('takes an upload of 50 MB, and gives it back', async (t) => {
      const { rooms, gateway } = await startBehind(t, proxy);
      const body = randomBytes(UPLOAD_BYTES);
      const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
      const type = { 'content-type': 'application/octet-stream' };
      assert.equal((await rooms('PUT', 'r/Lobby/large.bin', type, body)).status, 201);
      const back = await rooms('GET', 'r/Lobby/large.bin');
      assert.equal(hash(back.body), hash(body));
      const part = await rooms('GET', 'r/Lobby/large.bin', { range: 'bytes=1000-1999' });
      assert.deepEqual([part.status, part.body.equals(body.subarray(1000, 2000))], [206, true]);
      assert.deepEqual(gateway.faults, []);
    });
  });
}
