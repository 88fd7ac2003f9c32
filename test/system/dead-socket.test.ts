// A socket that a killed run has left goes; one that somebody listens on, and whatever else is there, stays.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { removeDeadSocket } from '../../src/system/folder-lock.ts';

it('removes a dead socket, and nothing else', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'socket-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [dead, live, file] = ['dead', 'live', 'file'].map((name) => join(folder, name)) as [string, string, string];
  const listen = `require('net').createServer().listen(${JSON.stringify(dead)}, () => process.kill(process.pid, 9))`;
  assert.throws(() => execFileSync(process.execPath, ['-e', listen], { stdio: 'ignore' }));
  assert.ok(existsSync(dead));
  const server = createServer().listen(live);
  t.after(() => server.close());
  await once(server, 'listening');
  writeFileSync(file, '');
  for (const path of [dead, live, file, join(folder, 'none')]) await removeDeadSocket(path);
  assert.deepEqual([dead, live, file].map(existsSync), [false, true, true]);
});
