// What the gateway is measured against: a node:http server that does nothing but answer, as a process of its own.
// GET /N sends the Nth of the answers in the file it was started with; PUT /file takes a body into a file by
// pipeline(), GET /file sends that back in the same way.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

export interface BareAnswer {
  status: number;
  /** names and values in turn */
  head: string[];
  /** base64 */
  body: string;
}

export interface BareServer {
  /** with a trailing slash */
  url: string;
  stop(): Promise<void>;
}

export async function startBare(answers: readonly BareAnswer[]): Promise<BareServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bare-'));
  writeFileSync(join(folder, 'answers.json'), JSON.stringify(answers));
  const child: ChildProcess = spawn(process.execPath, [import.meta.filename, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [url] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return {
    url,
    async stop() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

if (import.meta.main) serveBare(process.argv[2]!);

function serveBare(folder: string): void {
  const answers = (JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8')) as BareAnswer[]).map(
    ({ status, head, body }) => ({ status, head, bytes: Buffer.from(body, 'base64') }),
  );
  const file = join(folder, 'file');
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== '/file') {
      const { status, bytes, head } = answers[Number(request.url!.slice(1))]!;
      response.writeHead(status, head).end(bytes);
    } else if (request.method === 'PUT') {
      await pipeline(request, createWriteStream(file));
      response.writeHead(201).end();
    } else {
      response.writeHead(200, { 'Content-Length': statSync(file).size });
      await pipeline(createReadStream(file), response);
    }
  };
  // a client may close its connection as soon as it has all
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
}
