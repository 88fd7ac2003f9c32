// A gateway that may have few files open: who is one too many is told so, those that are there are served, and it says
// at its start what it takes.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { connectionsWithin } from '../../src/system/process.ts';
import { eventually } from '../support/eventually.ts';
import { spawnGateway } from '../support/gateway.ts';

const FILES = 256;
/** more than there is room for, fewer than are refused with an answer */
const MANY = connectionsWithin(FILES) + 60;
const REQUEST = 'GET /svc/a/whoami HTTP/1.1\r\nHost: x\r\n\r\n';

it('tells the connections that are too many that they are', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'open-files-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const before = ['prlimit', `--nofile=${FILES}:${FILES}`];
  const gateway = await spawnGateway(t, ['--demo', '--data', join(folder, 'data')], [], before);
  assert.match(gateway.said.err, new RegExp(`allows ${FILES} open files: ${connectionsWithin(FILES)} connections`));
  const alice = gateway.as('alice');
  assert.equal((await alice('r/')).status, 200);
  const statuses: string[] = [];
  const sockets = Array.from({ length: MANY }, () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.on('data', (bytes: Buffer) => statuses.push(bytes.toString('latin1').slice(9, 12)));
    socket.on('error', () => statuses.push('reset'));
    socket.write(REQUEST);
    return socket;
  });
  await eventually(async () => statuses.length, MANY);
  const counts = Object.fromEntries(
    Map.groupBy(statuses, (status) => status)
      .entries()
      .map(([k, v]) => [k, v.length]),
  );
  assert.deepEqual(Object.keys(counts).sort(), ['200', '503'], JSON.stringify(counts));
  assert.ok(counts['200']! >= connectionsWithin(FILES) - 2, JSON.stringify(counts));
  for (const socket of sockets) socket.destroy();
  await eventually(async () => (await alice('r/')).status, 200);
});
