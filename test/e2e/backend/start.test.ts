import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startBackend } from '../../../src/backend/start.ts';
import { findSocketPaths } from '../../../src/backend/wire/socket-paths.ts';
import { LOW_PASSWORD_COST } from '../../support/first-start.ts';
import { WireClient } from '../../support/wire-client.ts';

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'start-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('startBackend', () => {
  it('serves from its thread, keeps its data, and holds the folder alone', async (t) => {
    const dataFolder = await newFolder(t);
    const options = {
      dataFolder,
      passwordCost: LOW_PASSWORD_COST,
      demo: false,
      nodeName: 'here',
      lineListen: { host: '127.0.0.1', port: 0 },
    };
    const first = await startBackend(options);
    assert.equal(first.createdAdmin?.generated, true);
    assert.equal((await stat(first.socketPath)).mode & 0o777, 0o600);
    const { name, password } = first.createdAdmin!;
    const admin = await WireClient.login(first.socketPath, name, password);
    await admin.expect('CRE8 1|Kept|0', 200);
    assert.equal(
      (await WireClient.connect(first.adminSocketPath)).greeting,
      '200 here Citadel server ADMIN CONNECTION ready.',
    );
    const { hostname, port } = new URL(first.lineListenUrl!);
    assert.equal(
      (await WireClient.connect({ host: hostname, port: Number(port) })).greeting,
      '200 here Citadel server ready.',
    );
    await assert.rejects(startBackend(options), /is in use by another server/);
    await first.close();
    assert.equal(await admin.rest(), '');

    const second = await startBackend({ dataFolder, passwordCost: LOW_PASSWORD_COST, demo: false });
    t.after(() => second.close());
    assert.equal(second.createdAdmin, undefined);
    const again = await WireClient.login(second.socketPath, name, password);
    assert.match(await again.text('GOTO Kept'), /^200 Kept\|/);
  });

  it('finds a shorter place for its sockets when the folder has a long path', async (t) => {
    const dataFolder = join(await newFolder(t), 'x'.repeat(100));
    const backend = await startBackend({
      dataFolder,
      passwordCost: LOW_PASSWORD_COST,
      demo: false,
      adminPassword: 'given',
    });
    assert.deepEqual(backend.createdAdmin, { name: 'admin', password: 'given', generated: false });
    await WireClient.login(backend.socketPath, 'admin', 'given');
    assert.equal(findSocketPaths(dataFolder).socketPath, backend.socketPath);
    await backend.close();
    await assert.rejects(stat(backend.socketPath), { code: 'ENOENT' });
  });

  it('tells when the server was shut down from inside', async (t) => {
    const dataFolder = await newFolder(t);
    const backend = await startBackend({ dataFolder, passwordCost: LOW_PASSWORD_COST, demo: false });
    const admin = await WireClient.connect(backend.adminSocketPath);
    assert.match(await admin.text('DOWN'), /^231 /);
    assert.match((await backend.failed).message, /shut down/);
    await backend.close();
  });
});
