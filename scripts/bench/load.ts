// Load on an HTTP server: wrk (Debian package wrk) sends prepared requests in turn, on so many connections, and tells
// the rate and how long the answers took. A generator in JavaScript would be slower than what it is to measure.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface LoadRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadShape {
  connections: number;
  seconds: number;
  /** false: a connection for each request */
  isKeptAlive: boolean;
}

export interface LoadResult {
  perSecond: number;
  medianMs: number;
  p99Ms: number;
}

/** In a request it becomes a number that no other request of the load has, with as many digits. */
export const NUMBER = '{number}';

/** Requests are read as they are to be sent, parted by NUL: a script with thousands of them in it would not load. */
const SCRIPT = `
local requests, at, sent = {}, 0, os.time() % 1000 * 100000
local file = io.open(os.getenv('BENCH_REQUESTS'), 'rb')
for request in file:read('*a'):gmatch('[^%z]+') do
  local from, to = request:find('${NUMBER}', 1, true)
  requests[#requests + 1] = from and { request:sub(1, from - 1), request:sub(to + 1) } or request
end
file:close()
request = function()
  at = at % #requests + 1
  local request = requests[at]
  if type(request) == 'string' then return request end
  sent = sent + 1
  return request[1] .. string.format('%0${NUMBER.length}d', sent) .. request[2]
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\nRESULT %d %d %d %d %d %d\\n', summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
`;

/** Whether there is a wrk; says how to get it where there is none. */
export function hasLoadGenerator(): boolean {
  if (spawnSync('wrk', ['--version']).error === undefined) return true;
  console.log('wrk is not installed: apt-get install --no-install-recommends wrk');
  return false;
}

/** Throws where an answer has a status from 400 on, or does not come. */
export async function load(
  url: string,
  requests: readonly LoadRequest[],
  { connections, seconds, isKeptAlive }: LoadShape,
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-load-'));
  try {
    const [script, prepared] = [join(folder, 'script.lua'), join(folder, 'requests')];
    writeFileSync(script, SCRIPT);
    const { host } = new URL(url);
    writeFileSync(prepared, requests.map((request) => formatRequest(host, request, isKeptAlive)).join('\0'));
    const numbers = (await runLoad(script, prepared, connections, seconds, url)).split(' ').map(Number);
    const [count = 0, microseconds = 0, median = 0, p99 = 0, refused = 0, failed = 0] = numbers;
    if (refused + failed > 0) throw new Error(`${url} ${requests[0]!.path}: ${refused} refused, ${failed} failed`);
    return { perSecond: (count / microseconds) * 1e6, medianMs: median / 1000, p99Ms: p99 / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the script prints. wrk knows whole seconds only, but tells what it has seen when it is interrupted. */
async function runLoad(script: string, prepared: string, connections: number, seconds: number, url: string) {
  const child = spawn('wrk', ['-t1', `-c${connections}`, '-d1h', '--timeout', '20s', '-s', script, url], {
    env: { ...process.env, BENCH_REQUESTS: prepared },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => child.kill('SIGINT'), seconds * 1000);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  clearTimeout(timer);
  const [, result] = /^RESULT (.*)$/m.exec(said) ?? [];
  if (result === undefined) throw new Error(`wrk has no result: ${said}`);
  return result;
}

function formatRequest(
  host: string,
  { method = 'GET', path, headers = {}, body = '' }: LoadRequest,
  isKeptAlive: boolean,
): string {
  const fields = { Host: host, ...headers, ...(!isKeptAlive && { Connection: 'close' }) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
