// The same bytes as in smuggling.test.ts, sent to nginx, HAProxy and Apache, which keep connections to the gateway for
// the next client: what they take for one request is never two there, nor the other way round, and no client gets the
// answer to another's. Each proxy sets X-Forwarded-For in every request that it knows of, so one without it was hidden
// in another. Debian's packages nginx-light, haproxy, apache2.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { VECTORS } from '../support/smuggling.ts';
import { answersIn, converse, type Understanding, understand } from '../support/understand.ts';

/** what a proxy may wait for that never comes */
const ATTACK_MS = 700;
const VICTIMS = 4;
const PATIENCE_MS = 20_000;

interface Place {
  port: number;
  to: number;
  folder: string;
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const MODULES = ['mpm_event', 'proxy', 'proxy_http', 'headers', 'authz_core'];
const PROXIES: Record<string, { command: (file: string) => string[]; configure: (place: Place) => string }> = {
  nginx: {
    command: (file) => ['nginx', '-e', 'stderr', '-c', file],
    configure: ({ port, to, folder }) => `daemon off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${TEMPORARY.map((of) => `${of}_temp_path ${folder}/${of};`).join(' ')}
upstream back { server 127.0.0.1:${to}; keepalive 2; }
server { listen 127.0.0.1:${port}; location / { proxy_pass http://back; proxy_http_version 1.1;
proxy_set_header Connection ""; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
proxy_buffering off; proxy_request_buffering off; } } }`,
  },
  HAProxy: {
    command: (file) => ['haproxy', '-db', '-f', file],
    configure: ({ port, to }) => `defaults
  mode http
  option http-keep-alive
  http-reuse always
  timeout connect 5s
  timeout client 5s
  timeout server 5s
frontend web
  bind 127.0.0.1:${port}
  http-request set-header X-Forwarded-For %[src]
  default_backend back
backend back
  server one 127.0.0.1:${to} pool-max-conn 2
`,
  },
  Apache: {
    command: (file) => ['apache2', '-X', '-f', file],
    configure: ({ port, to, folder }) =>
      [
        ...MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        `PidFile ${folder}/pid`,
        `DefaultRuntimeDir ${folder}`,
        `ErrorLog ${folder}/log`,
        'User www-data',
        'ServerName 127.0.0.1',
        `Listen 127.0.0.1:${port}`,
        'AllowEncodedSlashes NoDecode',
        'ProxyPreserveHost On',
        'ProxyAddHeaders Off',
        'RequestHeader set X-Forwarded-For "expr=%{REMOTE_ADDR}"',
        `ProxyPass / http://127.0.0.1:${to}/ nocanon flushpackets=on max=2`,
        '',
      ].join('\n'),
  },
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

/** Answers the port of the proxy, once it passes requests on. */
async function startInFront(t: TestContext, name: string, to: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'smuggling-'));
  const place = { port: await freePort(), to, folder };
  const file = join(folder, 'config');
  const { command, configure } = PROXIES[name]!;
  writeFileSync(file, configure(place));
  const [program, ...words] = command(file);
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const child = spawn(program!, words, { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  await eventually(async () => answersIn(await converse(place.port, ask('/up'), PATIENCE_MS)), ['GET /up']);
  return place.port;
}

const isHidden = ({ exchange }: Understanding['handled'][number]) => exchange.header('x-forwarded-for') !== '127.0.0.1';

for (const name of Object.keys(PROXIES)) {
  describe(`behind ${name}`, () => {
    it('bytes that could be two things are one', { timeout: 600_000 }, async (t) => {
      const site = await understand(t, true);
      const port = await startInFront(t, name, site.port);
      const forwarded = new Map<string, number>();
      for (const [i, vector] of VECTORS.entries()) {
        const before = site.handled.length;
        const victims = Array.from({ length: VICTIMS }, (_, k) => `/victim-${i}-${k}`);
        const bytes = vector.bytes.replaceAll('/a', `/attack-${i}`).replaceAll('/last', `/attack-${i}-last`);
        // what is kept from the attack meets one who comes at the same time, and those who come behind it
        const [received, first] = await Promise.all([
          converse(port, bytes, ATTACK_MS),
          converse(port, ask(victims[0]!), PATIENCE_MS),
        ]);
        const answers = [first];
        for (const victim of victims.slice(1)) answers.push(await converse(port, ask(victim), PATIENCE_MS));
        for (const [k, answer] of answers.entries()) {
          assert.deepEqual(answersIn(answer), [`GET ${victims[k]}`], `${vector.name}: another's answer`);
        }
        assert.doesNotMatch(received, /victim/, vector.name);
        const handled = site.handled.slice(before);
        assert.deepEqual(
          handled.filter(isHidden).map(({ words }) => words),
          [],
          vector.name,
        );
        const own = handled
          .filter(({ words, isWhole }) => isWhole && !words.includes('victim'))
          .map(({ words }) => words);
        const answered = answersIn(received).filter((answer) => /^[GP]/.test(answer));
        assert.deepEqual(
          answered,
          own.slice(0, answered.length),
          `${vector.name}: answers are of these requests, in order`,
        );
        forwarded.set(vector.name, own.length);
      }
      const passed = [...forwarded.values()].filter((count) => count > 0).length;
      t.diagnostic(`${passed} of ${VECTORS.length} reached the gateway in some form`);
      assert.ok(passed > 20, `${passed} of ${VECTORS.length}`);
    });
  });
}
