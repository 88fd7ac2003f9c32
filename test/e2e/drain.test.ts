// SIGTERM: nothing new is taken, what runs may finish within its time, event streams end at once with a hint when to
// come back. And what a service manager hands over and hears.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { basic, spawnGateway } from '../support/gateway.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drain-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A PUT of two halves: the first is sent, `finish` sends the other and answers the status. */
async function begunPut(url: string) {
  const headers = { authorization: basic('admin', 'secret'), 'content-length': '10', 'content-type': 'text/plain' };
  const put = request(`${url}svc/r/Lobby/slow.txt`, { method: 'PUT', headers });
  const answered = once(put, 'response').then(([response]) => {
    response.resume();
    return response.statusCode as number;
  });
  answered.catch(() => undefined);
  put.write('Dear ');
  return {
    answered,
    finish: () => {
      put.end('Ann,\n');
      return answered;
    },
  };
}

describe('SIGTERM', () => {
  it('ends the streams with a hint, lets a request finish, and takes nothing new', async (t) => {
    const { url, child, as } = await spawnGateway(t, ['--data', join(await newFolder(t), 'data')]);
    const stream = await as('admin', 'secret')('a/events');
    const put = await begunPut(url);
    await as('admin', 'secret')('r/'); // the PUT has come by now
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    assert.match(await stream.text(), /^retry: 3000\n[\s\S]*\n\nretry: \d{4}\n\n$/);
    await eventually(() => fetch(url).then(String, () => 'refused'), 'refused');
    assert.equal(await put.finish(), 201);
    assert.deepEqual(await exited, [0, null]);
  });

  it('breaks off what has not finished in --drain-seconds', async (t) => {
    const words = ['--data', join(await newFolder(t), 'data'), '--drain-seconds', '1'];
    const { url, child, as } = await spawnGateway(t, words);
    const put = await begunPut(url);
    await as('admin', 'secret')('r/');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await assert.rejects(put.answered);
    assert.deepEqual(await exited, [0, null]);
  });
});

describe('a service manager', () => {
  it('hands over a socket, and hears of start and end', async (t) => {
    const folder = await newFolder(t);
    // what systemd-notify would be told
    await writeFile(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> ${join(folder, 'told')}\n`);
    await chmod(join(folder, 'systemd-notify'), 0o755);
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const { fd } = (listener as unknown as { _handle: { fd: number } })._handle;
    const script = `LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"`;
    const child = spawn('sh', ['-c', script, 'sh', process.execPath, main, '--data', join(folder, 'data')], {
      env: { ...process.env, NOTIFY_SOCKET: '/run/x', PATH: `${folder}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'ignore', fd],
    });
    const exited = once(child, 'exit');
    t.after(async () => {
      child.kill('SIGKILL');
      await exited;
    });
    listener.close();
    const url = `http://127.0.0.1:${port}/`;
    const told = () => readFile(join(folder, 'told'), 'utf8');
    await eventually(told, `READY=1 STATUS=Listening on ${url}\n`);
    assert.equal((await fetch(`${url}svc/a/whoami`)).status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    assert.match(await told(), /\nSTOPPING=1 STATUS=Finishing what runs\n$/);
  });
});

it('a unix socket serves a proxy on the same machine', async (t) => {
  const folder = await newFolder(t);
  const socketPath = join(folder, 'http.sock');
  const child = spawn(process.execPath, [main, '--host', `unix:${socketPath}`, '--data', join(folder, 'data')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await eventually(async () => out, `Listening on unix:${socketPath}\n`);
  const [response] = await once(request({ socketPath, path: '/svc/a/whoami' }).end(), 'response');
  response.resume();
  assert.equal(response.statusCode, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});
