// The thread of the room server: what it says, and where it listens.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startBackend } from '../../../src/backend/start.ts';
import type { WorkerData, WorkerMessage } from '../../../src/backend/worker.ts';
import { startThread } from '../../../src/system/assets.ts';
import { LOW_PASSWORD_COST } from '../../support/first-start.ts';
import { WireClient } from '../../support/wire-client.ts';

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worker-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A thread, and all that it says until it ends. */
function run(t: TestContext, workerData: WorkerData) {
  const worker = startThread('backend/worker');
  worker.postMessage(workerData);
  const said: WorkerMessage[] = [];
  worker.on('message', (message: WorkerMessage) => said.push(message));
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  t.after(async () => {
    await worker.terminate();
  });
  const first = new Promise<WorkerMessage>((resolve) => worker.once('message', resolve));
  return { worker, said, ended, first };
}

describe('the thread of the room server', () => {
  it('says that it is ready, and ends when it is told to close', async (t) => {
    const dataFolder = await newFolder(t);
    const { worker, said, ended, first } = run(t, {
      dataFolder,
      passwordCost: LOW_PASSWORD_COST,
      demo: false,
      adminPassword: 'given',
    });
    const ready = await first;
    assert.ok(ready.type === 'ready');
    assert.deepEqual(ready.createdAdmin, { name: 'admin', password: 'given', generated: false });
    for (const path of [ready.socketPath, ready.adminSocketPath]) assert.equal((await stat(path)).mode & 0o777, 0o600);
    worker.postMessage('close');
    await ended;
    assert.deepEqual(said.slice(1), [{ type: 'closed' }]);
  });

  it('fills a new server with examples, and never one that has accounts', async (t) => {
    const dataFolder = await newFolder(t);
    const start = async (demo: boolean, adminPassword?: string) => {
      const backend = await startBackend({
        dataFolder,
        passwordCost: LOW_PASSWORD_COST,
        demo,
        ...(adminPassword && { adminPassword }),
      });
      const admin = await WireClient.login(backend.socketPath, 'admin', 'given');
      const found = (await admin.ask('GOTO Town Square')).code === 200;
      admin.close();
      await backend.close();
      return found;
    };
    assert.deepEqual([await start(false, 'given'), await start(true, 'other')], [false, false]);
  });

  it('says why it cannot start, makes no administrator then, and ends', async (t) => {
    const dataFolder = await newFolder(t);
    const path = join(dataFolder, 'letter.txt');
    await writeFile(path, 'Dear Ann');
    const { said, ended } = run(t, { dataFolder, passwordCost: LOW_PASSWORD_COST, demo: false, lineListen: { path } });
    await ended;
    assert.equal(said.length, 1);
    const [failed] = said;
    assert.ok(failed?.type === 'failed');
    assert.match(failed.message, /^--line-listen cannot use unix:.*letter\.txt: .*choose another address\.$/);
    assert.ok(existsSync(path), 'what is no socket is not ours');
    const backend = await startBackend({ dataFolder, passwordCost: LOW_PASSWORD_COST, demo: false });
    t.after(() => backend.close());
    assert.ok(backend.createdAdmin);
  });

  it('takes over a socket that a killed run has left, not one in use', async (t) => {
    const folder = await newFolder(t);
    const path = join(folder, 'line.socket');
    const killed = "() => process.kill(process.pid, 'SIGKILL')";
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, ${killed})`;
    assert.equal(spawnSync(process.execPath, ['-e', script]).signal, 'SIGKILL');
    const options = { dataFolder: join(folder, 'data'), demo: false, lineListen: { path } };
    const backend = await startBackend(options);
    t.after(() => backend.close());
    assert.equal(backend.lineListenUrl, `unix:${path}`);
    assert.match((await WireClient.connect(path)).greeting, /^200 /);
    const other = { ...options, dataFolder: join(folder, 'other') };
    await assert.rejects(startBackend(other), /--line-listen cannot use unix:.*: the address is already in use/);
    const retried = await startBackend({ ...other, lineListen: { path: join(folder, 'other.socket') } });
    t.after(() => retried.close());
    assert.ok(retried.createdAdmin, 'the failed start has not made the administrator');
  });
});
