// What lies in a data folder is for the account that runs the server, whatever the umask and whoever may look into the
// folder.

import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { basic, runVestibule, startGateway } from '../support/gateway.ts';

const OTHERS = 0o077;
let parent = '';
let umask = 0;

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'private-'));
  umask = process.umask(0);
});
after(async () => {
  process.umask(umask);
  await rm(parent, { recursive: true, force: true });
});

/** What others may read, write or enter below a folder, the folder included. */
async function openToOthers(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const open: string[] = [];
  for (const path of [folder, ...names.map((name) => join(folder, name))]) {
    const { mode } = await lstat(path);
    if (mode & OTHERS) open.push(`${relative(folder, path) || '.'} ${(mode & 0o777).toString(8)}`);
  }
  return open;
}

/** Starts, uploads, posts, and looks while a larger body is still on its way. */
async function use(t: TestContext, dataFolder: string): Promise<string[]> {
  const gateway = await startGateway(t, { dataFolder, demo: true });
  const alice = gateway.as('alice');
  assert.equal((await alice('p?filename=a.txt', { method: 'POST', body: 'text' })).status, 201);
  const session = await gateway.api('a/login', { method: 'POST', body: 'alice|alice' });
  const cookie = session.headers.getSetCookie()[0]!.split(';')[0]!;
  await gateway.api('a/logout', { method: 'POST', headers: { cookie } });
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  const fields = ['Host: x', `Authorization: ${basic('alice')}`, 'Content-Type: text/plain', 'Content-Length: 9000000'];
  socket.write(`PUT /svc/r/Lobby/new HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${'x'.repeat(300_000)}`);
  await eventually(async () => (await readdir(join(dataFolder, 'spool'))).length, 1);
  const open = await openToOthers(dataFolder);
  socket.destroy();
  const files = await readdir(dataFolder);
  for (const name of ['lock', 'vestibule.db', 'vestibule.db-wal', 'session-key', 'citadel.socket', 'fleet', 'spool']) {
    assert.ok(files.includes(name), name);
  }
  return open;
}

describe('the files of a data folder', () => {
  it('are for their owner alone, with the folder, when all is new', async (t) => {
    assert.deepEqual(await use(t, join(parent, 'new')), []);
  });

  it('are so too in a folder that was there, and when others could read them before', async (t) => {
    const folder = join(parent, 'old');
    await mkdir(folder);
    await mkdir(join(folder, 'fleet'), { mode: 0o700 });
    await writeFile(join(folder, 'session-key'), `${'ab'.repeat(32)}\n`);
    for (const name of ['lock', 'vestibule.db', 'fleet/lock']) await writeFile(join(folder, name), '');
    await chmod(folder, 0o755);
    assert.deepEqual(await use(t, folder), ['. 755'], 'a folder that an operator has made is his');
  });

  it('so is a backup', async (t) => {
    const dataFolder = join(parent, 'kept');
    await startGateway(t, { dataFolder });
    const file = join(parent, 'backup.db');
    assert.equal((await runVestibule(['backup', file, '--data', dataFolder])).code, 0);
    assert.equal((await lstat(file)).mode & OTHERS, 0);
  });
});
