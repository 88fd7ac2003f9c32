// A gateway on a generated set, as a process of its own, and those who use it: reader and admin over HTTP, the reader
// on the line.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findSocketPaths } from '../src/backend/wire/socket-paths.ts';
import { wholeLineCommand } from '../src/protocol/fields.ts';
import { Connection } from '../src/room-server/connection/connection.ts';
import { PASSWORD, READER } from './generate.ts';
import { NODE_FLAGS } from './node-flags.ts';

export interface Server {
  url: string;
  pid: number;
  /** of `--line-listen` */
  lineUrl: string | undefined;
  /** what Linux counts as resident, mapped files included */
  residentMegabytes(): number;
  /** the most that was resident so far */
  peakMegabytes(): number;
  /** From now on, the peak begins with what is resident. */
  forgetPeak(): void;
  stop(): Promise<void>;
  /** at once, whatever it is doing */
  kill(): Promise<void>;
}

export interface HttpAnswer {
  status: number;
  etag: string;
  body: string;
  /** from sending the request to the last byte of the answer */
  ms: number;
}

export interface Client {
  /** A status from 400 on is an error. */
  send(method: string, path: string, body?: string | Buffer, type?: string): Promise<HttpAnswer>;
  /** Takes the answer and drops it. */
  drain(path: string): Promise<void>;
  /** Asks on a connection of its own; resolves when the answer begins, and takes nothing of it. */
  begin(path: string): Promise<void>;
}

export interface Site {
  server: Server;
  reader: Client;
  admin: Client;
  /** logged in as the reader */
  line: Connection;
  /** rooms that the reader knows, by invitation, in a fixed order */
  rooms: readonly string[];
  close(): Promise<void>;
}

/** The program from the sources of a tree, by default this one. */
export const fromSource = (tree = join(import.meta.dirname, '..')): readonly string[] => [
  process.execPath,
  ...NODE_FLAGS,
  join(tree, 'src/main.ts'),
];

/** Resolves when the gateway accepts requests. `program`: the words that start it. */
export async function startServer(
  folder: string,
  options: readonly string[] = [],
  [file, ...words]: readonly string[] = fromSource(),
): Promise<Server> {
  const child = spawn(file!, [...words, '--port', '0', '--data', folder, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Listening on (\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    return {
      url,
      pid: child.pid!,
      lineUrl: /^Line protocol on (\S+)/m.exec(said)?.[1],
      residentMegabytes: () => statusMegabytes(child.pid!, 'VmRSS'),
      peakMegabytes: () => statusMegabytes(child.pid!, 'VmHWM'),
      forgetPeak: () => writeFileSync(`/proc/${child.pid}/clear_refs`, '5'), // proc_pid_clear_refs(5)
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
      async kill() {
        child.kill('SIGKILL');
        await ended;
      },
    };
  }
  throw new Error(`the gateway on ${folder} did not start: ${said}`);
}

function statusMegabytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const line = status.split('\n').find((each) => each.startsWith(`${field}:`))!; // `VmRSS:     1234 kB`
  return (Number.parseInt(line.slice(field.length + 1), 10) * 1024) / 1_000_000;
}

export async function openSite(folder: string): Promise<Site> {
  const server = await startServer(folder);
  const reader = await logIn(server.url, READER);
  const line = await Connection.open({ path: findSocketPaths(folder).socketPath });
  await line.askAll([wholeLineCommand('USER', READER), wholeLineCommand('PASS', PASSWORD)]);
  const list = JSON.parse((await reader.send('GET', 'r/')).body) as { name: string; is_private: boolean }[];
  return {
    server,
    reader,
    admin: await logIn(server.url, 'admin'),
    line,
    rooms: list.filter(({ name, is_private }) => is_private && name.startsWith('Room ')).map(({ name }) => name),
    async close() {
      line.close();
      await server.stop();
    },
  };
}

/** One connection, kept open, with a session cookie. */
export async function logIn(url: string, user: string, password = PASSWORD): Promise<Client> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let cookie = '';
  const client: Client = {
    send: (method, path, body, type = 'text/plain; charset=utf-8') =>
      new Promise((resolve, reject) => {
        const started = performance.now();
        const headers = { cookie, 'content-type': type };
        const sent = request(new URL(`/svc/${path}`, url), { method, agent, headers }, (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('end', () => {
            const ms = performance.now() - started;
            const status = response.statusCode!;
            if (status >= 400) reject(new Error(`${method} ${path}: ${status} ${Buffer.concat(pieces)}`));
            cookie ||= response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
            resolve({ status, etag: response.headers.etag ?? '', body: Buffer.concat(pieces).toString(), ms });
          });
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    drain: (path) =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(`/svc/${path}`, url), { agent, headers: { cookie } }, (response) => {
          response.resume().on('end', resolve).on('error', reject);
        });
        sent.on('error', reject);
        sent.end();
      }),
    begin: (path) =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(`/svc/${path}`, url), { headers: { cookie }, agent: false }, () => resolve());
        sent.on('error', reject);
        sent.end();
      }),
  };
  await client.send('POST', 'a/login', `${user}|${password}`);
  return client;
}
