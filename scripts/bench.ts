// Times of what calendar clients ask beside those of Cyrus and Radicale (Debian packages cyrus-imapd, cyrus-caldav,
// libsasl2-modules, radicale; scripts/bench/dav.ts), then requests per second of the main reads, each beside a bare
// node:http handler that answers the same bytes (load comes from wrk, Debian package wrk). All in turn and in the same
// run: quote the ratio, the absolute numbers are the machine's.
// Run: npm run bench [-- --runs 5 --seconds 3 --rounds 3 --connections 64 --only mailbox]
// or:  npm run bench -- --members 100000: one PROPFIND of so many, its time and memory (scripts/bench/members.ts)

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { benchDav } from './bench/dav.ts';
import { benchMembers } from './bench/members.ts';
import { scriptOptions } from './script-options.ts';

const values = scriptOptions(import.meta.filename, {
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '3' },
  connections: { type: 'string', default: '64' },
  only: { type: 'string', default: '' },
  runs: { type: 'string', default: '5' },
  members: { type: 'string', default: '' },
  bare: { type: 'boolean', default: false },
});

const PASSWORD = 'bench';
const READS: [name: string, path: string][] = [
  ['whoami', '/svc/a/whoami'],
  ['floors', '/svc/f/'],
  ['rooms', '/svc/r/'],
  ['room', '/svc/r/Lobby/'],
  ['stat', '/svc/r/Lobby/stat'],
  ['msgs.all', '/svc/r/Lobby/msgs.all'],
  ['msgs.new', '/svc/r/Lobby/msgs.new'],
  ['mailbox', '/svc/r/Lobby/mailbox'],
  ['message', '/svc/r/Lobby/1'],
  ['message json', '/svc/r/Lobby/1/json'],
  ['info', '/svc/c/info'],
];

/** A room of 2,000 messages, three properties of each. */
const PROPFIND = 'propfind';
const PROPFIND_MESSAGES = 2000;
const PROPFIND_PATH = '/svc/r/Bench/';
const PROPFIND_INIT = {
  method: 'PROPFIND',
  headers: { Depth: '1', 'Accept-Encoding': 'identity' },
  body: '<propfind xmlns="DAV:"><prop><resourcetype/><getetag/><getcontenttype/></prop></propfind>',
};

/** Equal reads of one turn are answered together; here hardly any two are equal. */
const MIX = 'mix';

if (values.bare) await serveBare();
else if (values.members !== '') await benchMembers(Number(values.members));
else {
  await benchDav(Number(values.runs), values.only);
  await compare();
}

/** The child that answers what it is told on its first line of input: `{ type, body }`. */
async function serveBare(): Promise<void> {
  const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string];
  const { type, body } = JSON.parse(line) as { type: string; body: string };
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length }).end(bytes);
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
}

async function compare(): Promise<void> {
  if (![...READS.map(([name]) => name), PROPFIND, MIX].some((name) => name.includes(values.only))) return;
  if (spawnSync('wrk', ['--version']).error !== undefined) {
    console.log('wrk is not installed: apt-get install --no-install-recommends wrk');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-bench-'));
  const gateway = await startGateway(folder);
  try {
    const cookie = await prepare(gateway.url);
    console.log(
      `${values.connections} connections, ${values.rounds} rounds of ${values.seconds} s each; ratio = gateway / bare`,
    );
    console.log(
      ['read'.padEnd(14), 'bytes'.padStart(7), 'gateway/s'.padStart(10), 'bare/s'.padStart(10), 'ratio'].join('  '),
    );
    const ratios: number[] = [];
    for (const [name, path] of READS) {
      if (!name.includes(values.only)) continue;
      ratios.push(await measure(name, new URL(path, gateway.url).href, cookie));
    }
    if (PROPFIND.includes(values.only)) {
      await fillRoom(gateway.url, cookie);
      const script = join(folder, 'propfind.lua');
      writeFileSync(script, requestScript(PROPFIND_INIT));
      ratios.push(await measure(PROPFIND, new URL(PROPFIND_PATH, gateway.url).href, cookie, script, PROPFIND_INIT));
    }
    if (MIX.includes(values.only)) {
      const script = join(folder, 'mix.lua');
      writeFileSync(script, mixScript(await mixPaths(gateway.url, cookie)));
      ratios.push(await measure(MIX, new URL('/svc/r/Lobby/1/json', gateway.url).href, cookie, script));
    }
    console.log(`median of the ratios: ${median(ratios).toFixed(2)}`);
  } finally {
    gateway.child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function mixPaths(url: string, cookie: string): Promise<string[]> {
  const rooms = (await (await fetch(new URL('/svc/r/', url), { headers: { cookie } })).json()) as { name: string }[];
  const paths = rooms.flatMap(({ name }) =>
    ['', 'stat', 'msgs.all'].map((part) => `/svc/r/${encodeURIComponent(name)}/${part}`),
  );
  const messages = (await (
    await fetch(new URL('/svc/r/Lobby/msgs.all', url), { headers: { cookie } })
  ).json()) as number[];
  return [...paths, ...messages.flatMap((number) => [`/svc/r/Lobby/${number}`, `/svc/r/Lobby/${number}/json`])];
}

function mixScript(paths: string[]): string {
  return `local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local i = 0
request = function() i = i % #paths + 1; return wrk.format(nil, paths[i]) end
`;
}

function requestScript({ method, headers, body }: typeof PROPFIND_INIT): string {
  const fields = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`);
  return [`wrk.method = "${method}"`, ...fields, `wrk.body = [[${body}]]`, ''].join('\n');
}

async function measure(
  name: string,
  url: string,
  cookie: string,
  script?: string,
  init?: typeof PROPFIND_INIT,
): Promise<number> {
  const answer = await fetch(url, { ...init, headers: { ...init?.headers, cookie } });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  const body = Buffer.from(await answer.arrayBuffer());
  const bare = spawn(process.execPath, [fileURLToPath(import.meta.url), '--bare'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  bare.stdin.write(`${JSON.stringify({ type: answer.headers.get('content-type'), body: body.toString('base64') })}\n`);
  const [bareUrl] = (await once(createInterface({ input: bare.stdout }), 'line')) as [string];
  const gatewayRates: number[] = [];
  const bareRates: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    gatewayRates.push(rate(url, cookie, script));
    bareRates.push(rate(bareUrl, cookie));
  }
  bare.kill();
  const ratio = median(gatewayRates.map((value, i) => value / bareRates[i]!));
  const columns = [body.length, Math.round(median(gatewayRates)), Math.round(median(bareRates))];
  const cells = [String(columns[0]).padStart(7), ...columns.slice(1).map((value) => String(value).padStart(10))];
  console.log([name.padEnd(14), ...cells, ratio.toFixed(2)].join('  '));
  return ratio;
}

function rate(url: string, cookie: string, script?: string): number {
  const load = [
    '-t1',
    `-c${values.connections}`,
    `-d${values.seconds}s`,
    '--timeout',
    '20s',
    '-H',
    `Cookie: ${cookie}`,
    url,
  ];
  if (script !== undefined) load.push('-s', script);
  const report = execFileSync('wrk', load, { encoding: 'utf8' });
  if (/Non-2xx|Socket errors/.test(report)) throw new Error(`${url}\n${report}`);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(report)![1]);
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

async function startGateway(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, '--port', '0', '--data', join(folder, 'data'), '--demo'], {
    env: { ...process.env, VESTIBULE_ADMIN_PASSWORD: PASSWORD },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /^Listening on (\S+)/.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Error('the gateway did not start');
}

/** The room that PROPFIND lists. */
async function fillRoom(url: string, cookie: string): Promise<void> {
  await fetch(new URL(PROPFIND_PATH, url), { method: 'MKCOL', headers: { cookie } });
  for (let i = 0; i < PROPFIND_MESSAGES; i++) {
    await fetch(new URL(`${PROPFIND_PATH}new?subj=Message+${i}`, url), {
      method: 'PUT',
      headers: { cookie, 'Content-Type': 'text/plain; charset=utf-8' },
      body: `Message ${i} of the benchmark.\n`,
    });
  }
}

/** Fifty messages in the Lobby; answers the session cookie of a user who may read them. */
async function prepare(url: string): Promise<string> {
  const login = await fetch(new URL('/svc/a/login', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!;
  for (let i = 0; i < 50; i++) {
    await fetch(new URL(`/svc/r/Lobby/new?subj=Message+${i}`, url), {
      method: 'PUT',
      headers: { cookie, 'Content-Type': 'text/plain; charset=utf-8' },
      body: `Message ${i} of the benchmark, of a length that is usual.\n`.repeat(8),
    });
  }
  return cookie;
}
