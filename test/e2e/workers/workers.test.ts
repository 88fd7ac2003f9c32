// --workers: several processes behind one port, started again when they die, ended together, with metrics of all.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { ADMIN_PASSWORD, basic, runVestibule, type SpawnedGateway } from '../../support/gateway.ts';
import {
  answersOnMany,
  apart,
  MANY,
  newFolder,
  startWorkers,
  status,
  workersOf,
} from '../../support/several-processes.ts';

/** Connections that stay open, each with an answer behind it; `isOpen` tells which still are. */
async function keepOpen(t: TestContext, { url }: SpawnedGateway, count: number) {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    t.after(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write('GET /svc/c/info HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
  }
  return sockets;
}

describe('a server of three processes', async () => {
  const gateway = await startWorkers({ after }, 3, ['--admin-listen', 'tcp://127.0.0.1:0']);
  const nobody = apart(gateway);

  it('has the metrics of all on one address', async () => {
    const adminUrl = /Health and metrics on (\S+)/.exec(gateway.said.err)![1]!;
    const count = async () => {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      const pattern = /^vestibule_http_requests_total\{route="\/svc\/c\/info",method="GET",status="200"\} (\d+)$/m;
      return Number(pattern.exec(text)?.[1] ?? 0);
    };
    const before = await count();
    await answersOnMany(nobody, 'c/info', status);
    assert.equal(await count(), before + MANY);
  });
  it('starts a process again that was killed; the others go on', async (t) => {
    const sockets = await keepOpen(t, gateway, MANY);
    const before = await workersOf(gateway);
    assert.equal(before.length, 2);
    process.kill(before[0]!, 'SIGKILL');
    await eventually(async () => gateway.said.err, /Worker \d ended \(SIGKILL\) and is being restarted\./);
    await eventually(async () => (await workersOf(gateway)).filter((pid) => !before.includes(pid)).length, 1);
    const closed = sockets.filter((socket) => socket.destroyed || socket.readableEnded).length;
    assert.ok(closed > 0 && closed < MANY, `${closed} of ${MANY} connections were its own`);
    assert.deepEqual(await answersOnMany(nobody, 'c/info', status), [200]);
  });
});

describe('the end of a server of several processes', () => {
  it('lets requests finish that run at any of them, and leaves none behind', async (t) => {
    const gateway = await startWorkers(t, 3);
    const workers = await workersOf(gateway);
    const headers = {
      authorization: basic('admin', ADMIN_PASSWORD),
      'content-length': '10',
      'content-type': 'text/plain',
    };
    const puts = Array.from({ length: MANY }, (_, i) => {
      const put = request(`${gateway.url}svc/r/Lobby/slow${i}.txt`, {
        method: 'PUT',
        agent: false,
        headers: { ...headers, expect: '100-continue' },
      });
      put.flushHeaders();
      return { put, begun: once(put, 'continue'), answered: once(put, 'response') };
    });
    await Promise.all(puts.map(({ begun }) => begun));
    const ended = once(gateway.child, 'exit');
    gateway.child.kill('SIGTERM');
    for (const { put } of puts) put.end('Dear Ann,\n');
    for (const { answered } of puts) {
      const [response] = await answered;
      response.resume();
      assert.equal(response.statusCode, 201);
    }
    assert.deepEqual(await ended, [0, null]);
    for (const pid of workers) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });

  it('comes to the workers when the first process is killed', async (t) => {
    const gateway = await startWorkers(t, 2);
    const [worker] = await workersOf(gateway);
    await gateway.kill();
    await eventually(async () => {
      try {
        return process.kill(worker!, 0);
      } catch {
        return false;
      }
    }, false);
  });
});

it('two servers do not share a port with each other', async (t) => {
  const { url } = await startWorkers(t, 2);
  const words = ['--workers', '2', '--port', new URL(url).port, '--data', await newFolder(t)];
  const { code, err } = await runVestibule(words, { VESTIBULE_ADMIN_PASSWORD: ADMIN_PASSWORD });
  assert.match(err, /Cannot listen on 127\.0\.0\.1 port \d+/);
  assert.equal(code, 1);
});

it('several processes are refused where there is no port to share', async () => {
  const { code, err } = await runVestibule(['--workers', '2', '--host', 'unix:/nowhere/socket']);
  assert.equal(code, 2);
  assert.match(err, /--workers requires a TCP port/);
});
