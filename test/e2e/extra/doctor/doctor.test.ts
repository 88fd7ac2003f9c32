// `vestibule doctor`: what it says of a deployment that is well, and of what is wrong with others.

import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { parseCommandLine } from '../../../../src/cli/options.ts';
import { behindGateway, runVestibule, startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startRealServer } from '../../../support/real-server.ts';

const AS_ALICE = ['--user', 'alice'];

function wordsFor({ url, dataFolder }: TestGateway): string[] {
  return ['--port', new URL(url).port, '--data', dataFolder];
}

/** Its exit code, and its lines by what they are about. */
async function doctor(words: string[], password = '') {
  const { code, out, err } = await runVestibule(['doctor', ...words], { VESTIBULE_PASSWORD: password });
  assert.equal(err, '');
  return { code, lines: out.trimEnd().split('\n') };
}

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('vestibule doctor', () => {
  it('finds a deployment well, logs in, posts and reads, and leaves nothing behind', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    const rooms = () =>
      Promise.all(
        ['f/', 'r/_DRAFTS_/msgs.all', 'r/_TRASH_/msgs.all'].map(async (path) =>
          (await gateway.as('alice')(path)).text(),
        ),
      );
    const before = await rooms();
    const { code, lines } = await doctor([...wordsFor(gateway), ...AS_ALICE], 'alice');
    assert.equal(code, 0, lines.join('\n'));
    for (const pattern of [
      /^ok {5}data folder: .* is readable and writable$/,
      /^ok {5}disk: [\d.]+ GB free$/,
      /^ok {5}clock: 20/,
      /^ok {5}room server: .*: Vestibule /,
      /^ok {5}gateway: 127\.0\.0\.1 port \d+ answers$/,
      /^ok {5}log-in: alice can log in$/,
      /^ok {5}draft: saved, read and deleted$/,
      /^Everything is fine\.$/,
    ]) {
      assert.ok(
        lines.some((line) => pattern.test(line)),
        `${pattern} in\n${lines.join('\n')}`,
      );
    }
    assert.deepEqual(await rooms(), before);
    assert.deepEqual(gateway.faults, []);
  });

  it('says what a wrong password and readable files are', async (t) => {
    const gateway = await startGateway(t, { demo: true });
    await chmod(join(gateway.dataFolder, 'session-key'), 0o644);
    const { code, lines } = await doctor([...wordsFor(gateway), ...AS_ALICE], 'wr0ng');
    assert.equal(code, 1);
    const file = join(gateway.dataFolder, 'session-key');
    assert.ok(lines.includes(`wrong  data folder: others have access to ${file}: chmod go= ${file}`), lines.join('\n'));
    // where others may write, they can replace the files
    for (const [mode, status] of [
      [0o755, 'note '],
      [0o770, 'wrong'],
      [0o707, 'wrong'],
    ] as const) {
      await chmod(gateway.dataFolder, mode);
      const folder = join(gateway.dataFolder, '.');
      const found = (await doctor(wordsFor(gateway))).lines.find((line) => line.includes(`to ${folder}: chmod`));
      assert.equal(found?.slice(0, 5), status, mode.toString(8));
    }
    assert.ok(lines.includes('wrong  log-in: alice: wrong name or password'));
    assert.ok(!lines.join('\n').includes('wr0ng'));
    assert.equal((await stat(file)).mode & 0o777, 0o644);
  });

  it('says that nothing runs, and makes nothing', async (t) => {
    const folder = join(await newFolder(t), 'none');
    const { code, lines } = await doctor(['--data', folder, '--port', '9']);
    assert.equal(code, 1);
    const missing = `${folder} does not exist: start the server once, or set --data`;
    assert.ok(lines.includes(`wrong  data folder: ${missing}`), lines.join('\n'));
    assert.ok(lines.some((line) => /^wrong {2}room server: .* start the server$/.test(line)));
    const nobody = '127.0.0.1 port 9: nothing listens; start it, or use the options it was started with';
    assert.ok(lines.includes(`wrong  gateway: ${nobody}`));
    assert.equal(lines.at(-1), 'Something is wrong, see above.');
    await assert.rejects(stat(folder));
  });

  it('looks at another room server, and says when it is away', async (t) => {
    const first = await startGateway(t, { demo: true, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
    const second = await behindGateway(t, first);
    const words = [...wordsFor(second), '--backend', first.lineUrl!];
    const well = await doctor([...words, ...AS_ALICE], 'alice');
    assert.equal(well.code, 0, well.lines.join('\n'));
    await first.close();
    const { code, lines } = await doctor(words);
    assert.equal(code, 1);
    const port = first.lineUrl!.split(':').at(-1);
    const why = 'The room server cannot be reached. check that it runs, --backend, and the network';
    assert.ok(lines.includes(`wrong  room server: 127.0.0.1 port ${port}: ${why}`), lines.join('\n'));
  });

  it('checks the settings of a Citadel server as an administrator, and leaves nothing behind', async (t) => {
    const settings = { c_maxsessions: '200', c_creataide: '0' };
    const real = await startRealServer(t, { users: { alice: 4 }, settings, maxMessageBytes: 1_000_000 });
    const backend = `unix:${real.path}`;
    const gateway = await startGateway(t, { backend });
    const words = [...wordsFor(gateway), '--backend', backend];
    const before = real.behind.store.all`SELECT name FROM room ORDER BY id`.length;
    const { code, lines } = await doctor([...words, '--user', 'admin'], 'adminpw');
    assert.equal(code, 1);
    assert.deepEqual(
      lines.filter((line) => / c_/.test(line)),
      [
        'wrong  room server: its c_maxsessions is 200, so it refuses log-ins when there are many; set it above --backend-connections, 256',
        'note   room server: its c_maxmsglen is 1000000, so larger files are refused; set it to the size of the largest file that people send',
        'note   room server: its c_creataide is 0: people do not administer the rooms that they create; set it to 1',
      ],
      lines.join('\n'),
    );
    assert.ok(lines.includes('ok     draft: saved, read and deleted'), lines.join('\n'));
    assert.equal(real.behind.store.all`SELECT name FROM room ORDER BY id`.length, before);
    const other = await doctor([...words, ...AS_ALICE], 'alicepw');
    assert.equal(other.code, 0, other.lines.join('\n'));
    const note = 'only administrators can read its settings; use one as --user to have them checked';
    assert.ok(other.lines.includes(`note   room server: ${note}`), other.lines.join('\n'));
  });

  it('takes the options of the server, and a user with a password', () => {
    const line = parseCommandLine(['doctor', '--port', '81', '--user', 'Ann'], { VESTIBULE_PASSWORD: 'x' });
    assert.ok(line.command === 'doctor');
    assert.deepEqual([line.options.port, line.user], [81, { name: 'Ann', password: 'x' }]);
    assert.throws(() => parseCommandLine(['doctor', '--user', 'Ann'], {}), {
      message: '--user requires VESTIBULE_PASSWORD in the environment',
    });
    assert.throws(() => parseCommandLine(['--user', 'Ann'], {}), {
      message: '--user can only be used with vestibule doctor',
    });
  });
});
