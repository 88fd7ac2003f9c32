// The administration socket of a data folder, be a server running on it or not.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { CreatedAdmin } from '../../../src/backend/maintenance/bootstrap.ts';
import { openStore } from '../../../src/backend/store/store.ts';
import { adminSocketOf } from '../../../src/cli/admin-socket.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'admin-socket-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function asking(adminPassword?: string) {
  const told: CreatedAdmin[] = [];
  const announceAdmin = (admin: CreatedAdmin) => void told.push(admin);
  return { told, first: { adminPassword, announceAdmin } };
}

describe('the administration socket of a data folder', () => {
  it('is that of the server that runs, and goes on when the command has ended', async (t) => {
    const server = await startRoomServer(t);
    const { told, first } = asking();
    {
      await using opened = new AsyncDisposableStack();
      assert.equal(await adminSocketOf(server.folder, opened, first), server.adminSocketPath);
    }
    (await WireClient.connect(server.adminSocketPath)).close();
    assert.deepEqual(told, []);
  });

  it('is that of one that is started for as long as it takes', async (t) => {
    const folder = await folderFor(t);
    for (const [password, announced] of [
      ['given', 1],
      ['other', 0],
    ] as const) {
      const { told, first } = asking(password);
      await using opened = new AsyncDisposableStack();
      const client = await WireClient.connect(await adminSocketOf(folder, opened, first));
      assert.match(client.greeting, /^200 .* ADMIN CONNECTION ready\.$/);
      assert.equal(told.length, announced, 'an administrator is made once');
      await opened.disposeAsync();
      assert.equal(await client.rest(), '');
    }
    openStore(folder).close();
  });

  it('tells the password that was made where none is given', async (t) => {
    const folder = await folderFor(t);
    const { told, first } = asking();
    await using opened = new AsyncDisposableStack();
    await adminSocketOf(folder, opened, first);
    assert.equal(told[0]?.generated, true);
    assert.ok(told[0]!.password.length >= 16);
  });

  it('is none where no server can be started, and says why', async (t) => {
    const file = join(await folderFor(t), 'letter.txt');
    await writeFile(file, 'Dear Ann');
    await using opened = new AsyncDisposableStack();
    await assert.rejects(adminSocketOf(file, opened, asking().first), {
      name: 'AppError',
      message: /^The folder .*letter\.txt cannot be used: something with this name already exists/,
    });
    assert.ok(existsSync(file));
  });
});
