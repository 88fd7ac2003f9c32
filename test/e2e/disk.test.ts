// A disk that is full and one that cannot be written: a clear answer to clients, a line in the log, nothing damaged,
// and service again when the disk is. On a small file system of its own, which only root may mount.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { cookieOf, runVestibule, spawnGateway } from '../support/gateway.ts';
import { sendHttp } from '../support/raw-http.ts';
import { WireClient } from '../support/wire-client.ts';

const SIZE = '8m';
const room = 'r/Town%20Square';

/** A folder that is a file system of its own; undefined, and the test skipped, where none may be mounted. */
function smallDisk(t: TestContext): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder]);
  t.after(() => {
    if (mounted.status === 0) execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  if (mounted.status === 0) return folder;
  t.skip('mounting a small file system is not permitted here: run as root');
  return undefined;
}

/** Not a byte more has room. */
function fill(file: string): void {
  for (let size = 1 << 20; size > 0; size >>= 1) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
}

function remount(folder: string, how: 'ro' | 'rw'): void {
  execFileSync('mount', ['-o', `remount,${how}`, folder]);
}

async function start(t: TestContext, folder: string) {
  const gateway = await spawnGateway(t, [
    '--data',
    join(folder, 'data'),
    '--demo',
    '--line-listen',
    'tcp://127.0.0.1:0',
  ]);
  const log = { text: '' };
  gateway.child.stderr!.on('data', (text: string) => (log.text += text));
  const api = gateway.as('alice');
  const post = (bytes: number) =>
    api(`${room}/new`, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: Buffer.alloc(bytes, 'x y ') });
  const numbers = async () => (await (await api(`${room}/msgs.all`)).json()) as number[];
  const line = async () => {
    const { hostname, port } = new URL(gateway.lineUrl!);
    const client = await WireClient.login({ host: hostname, port: Number(port) }, 'alice', 'alice');
    t.after(() => client.close());
    await client.expect('GOTO Town Square', 200);
    return client;
  };
  const sound = async () => {
    const { code, out } = await runVestibule(['check', '--data', join(folder, 'data')]);
    assert.equal(code, 0, out);
    assert.match(out, /^Sound: /);
  };
  return { gateway, log, api, post, numbers, line, sound };
}

describe('a full disk', () => {
  it('refuses what is posted, keeps what there is, and takes messages again when there is room', async (t) => {
    const folder = smallDisk(t);
    if (folder === undefined) return;
    const { gateway, log, api, post, numbers, line, sound } = await start(t, folder);
    const client = await line();
    assert.equal((await post(1000)).status, 201);
    writeFileSync(join(folder, 'filler'), Buffer.alloc(5 * 1024 * 1024));

    const kept: number[] = await numbers();
    let refused: Response | undefined;
    for (let i = 0; !refused && i < 100; i++) {
      // different ones, or they would share a body
      const answer = await post(100_000 + i);
      if (answer.status === 201) kept.push(Number(answer.headers.get('etag')!.slice(1, -1)));
      else refused = answer;
    }
    assert.equal(refused?.status, 507);
    assert.match(await refused.text(), /<D:error xmlns:D="DAV:"><D:sufficient-disk-space\/><\/D:error>/);
    const [confirmation, text] = await client.send('ENT0 1||0|1|x||1', 'y'.repeat(400_000));
    assert.deepEqual([confirmation, text], ['-1', 'The disk is full.']);
    await eventually(async () => log.text, /The disk is full\. Changes are refused until it is mended\./);
    assert.deepEqual(await numbers(), kept);
    assert.equal((await api(`${room}/${kept.at(-1)}`)).status, 200);

    const backup = await runVestibule(['backup', join(folder, 'x.db'), '--data', join(folder, 'data')]);
    assert.deepEqual([backup.code, backup.err], [1, 'vestibule backup failed: database or disk is full.\n']);
    assert.deepEqual(readdirSync(folder).sort(), ['data', 'filler']);

    // more than there is room for, so that it is the file in between that does not fit
    const large = { headers: { 'content-type': 'text/plain' }, body: Buffer.alloc(6 * 1024 * 1024, 'x y ') };
    assert.equal((await api(`${room}/new`, { method: 'PUT', ...large })).status, 507);
    assert.equal((await api('p?filename=large.txt', { method: 'POST', ...large })).status, 507);
    const leftIn = (place: string): number[] =>
      readdirSync(join(folder, 'data', place), { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => statSync(join(each.parentPath, each.name)).size);
    for (const place of ['spool', 'fleet/uploads']) assert.ok(Math.max(0, ...leftIn(place)) < 1000, place);
    assert.deepEqual(await numbers(), kept);
    fill(join(folder, 'filler'));
    const headers = { 'content-type': 'application/json' };
    const login = { method: 'POST', headers, body: JSON.stringify({ username: 'bob', password: 'bob' }) };
    const entered = await sendHttp(gateway.url, '/svc/a/login', login);
    assert.equal(entered.status, 200, 'who wants to delete something gets in');
    const cookie = { headers: { cookie: cookieOf(entered) } };
    assert.match(await (await sendHttp(gateway.url, '/svc/a/whoami', cookie)).text(), /"username":"bob"/);

    rmSync(join(folder, 'filler'));
    const after = await post(1000);
    assert.equal(after.status, 201);
    assert.deepEqual(await numbers(), [...kept, Number(after.headers.get('etag')!.slice(1, -1))]);
    await sound();
  });
});

describe('a data folder that cannot be written', () => {
  it('does not start a server, and says so in a line', async (t) => {
    const folder = smallDisk(t);
    if (folder === undefined) return;
    const dataFolder = join(folder, 'data');
    const gateway = await spawnGateway(t, ['--data', dataFolder, '--demo']);
    await gateway.kill();
    mkdirSync(join(folder, 'empty'));
    remount(folder, 'ro');
    for (const data of [dataFolder, join(folder, 'empty')]) {
      const { code, out, err } = await runVestibule(['--port', '0', '--data', data]);
      assert.deepEqual([code, out, err], [1, '', `The data folder ${data} cannot be written.\n`]);
    }
    remount(folder, 'rw');
    assert.equal((await runVestibule(['check', '--data', dataFolder])).code, 0);
  });
});
