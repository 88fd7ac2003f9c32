// A gateway as a child process that counts what it does (count-work.ts), and one client of it on one connection, which
// sends one request after the other: what each of them costs is the same from run to run.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { WorkCounts } from './count-work.ts';
import { firstStart } from './first-start.ts';
import type { Ending } from './gateway.ts';

/**
 * How often V8 compiles what has run often changes what a request allocates: only its interpreter is used, and code
 * that it has compiled is not thrown away and made again. What a collection of garbage moves is counted as allocated,
 * half as much again where young objects have 1 MiB, with which V8 begins: they have more than many requests fill.
 */
const FLAGS = [
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--no-flush-bytecode',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
];
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const PRELOADED = new URL('count-work.ts', import.meta.url).href;
const PASSWORD = 'secret';

export interface CountedRequest {
  method?: string;
  /** below the prefix */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface CountedAnswer {
  status: number;
  etag: string;
  body: string;
}

export interface CountedGateway {
  /** As the administrator, by cookie. Rejects for a status from 400 on. */
  send(wanted: CountedRequest): Promise<CountedAnswer>;
  /** What has been done since the start. */
  counts(): Promise<WorkCounts>;
}

export async function startCountedGateway(t: Ending): Promise<CountedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  (await firstStart(folder, { adminPassword: PASSWORD, demo: true, users: [] })).close();
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const words = [...FLAGS, '--import', PRELOADED, MAIN, '--port', '0', '--data', folder];
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const url = await listening(child);
  let cookie = '';
  const gateway: CountedGateway = {
    async send({ method = 'GET', path, headers, body = '' }) {
      const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const outgoing = request(new URL(`/svc/${path}`, url), {
        method,
        agent,
        headers: { cookie, ...length, ...headers },
      }).end(body);
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      cookie ||= incoming.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      let text = '';
      for await (const piece of incoming.setEncoding('utf8')) text += piece as string;
      const { statusCode: status = 0 } = incoming;
      if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
      return { status, etag: incoming.headers.etag ?? '', body: text };
    },
    async counts() {
      child.send('counts');
      const [counts] = (await once(child, 'message')) as [WorkCounts];
      return counts;
    },
  };
  await gateway.send({
    method: 'POST',
    path: 'a/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  return gateway;
}

async function listening(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /^Listening on (\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the gateway did not start');
}
