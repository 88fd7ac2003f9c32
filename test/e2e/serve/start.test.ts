// The gateway as a whole: what must be told and kept at its first start even where that goes wrong, what it finds in a
// data folder, and that nothing of it is left when it closes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../../src/backend/store/store.ts';
import { parseCommandLine } from '../../../src/cli/options.ts';
import { start } from '../../../src/serve/start.ts';
import { runVestibule, startGateway } from '../../support/gateway.ts';

describe('the first start', () => {
  it('shows the password that it has made, although the port is taken', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'vestibule-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, err } = await runVestibule(['--port', String(port), '--data', folder], {
      VESTIBULE_ADMIN_PASSWORD: '',
    });
    assert.equal(code, 1);
    const [, password = ''] =
      /^Created the account admin with the password (\S+) \(shown only once\)$/m.exec(err) ?? [];
    assert.match(
      err,
      /\nCannot listen on 127\.0\.0\.1 port \d+: the address is already in use; see --host and --port\.\n$/,
    );
    const gateway = await startGateway(t, { dataFolder: folder });
    assert.equal((await gateway.as('admin', password)('r/')).status, 200);
  });

  it('keeps the database from others who may look into the folder', async (t) => {
    const { dataFolder } = await startGateway(t);
    for (const file of ['vestibule.db', 'vestibule.db-wal', 'session-key']) {
      assert.equal((await stat(join(dataFolder, file))).mode & 0o077, 0, file);
    }
  });
});

const ADMIN = { VESTIBULE_ADMIN_PASSWORD: 'secret' };

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** On a free port. */
async function serveOn(
  t: TestContext,
  folder: string,
  words: readonly string[] = [],
  env: Record<string, string> = ADMIN,
) {
  const line = parseCommandLine(['--port', '0', '--data', folder, ...words], env);
  assert.ok(line.command === 'serve');
  const logged: unknown[] = [];
  const gateway = await start(line.options, (_id, error) => void logged.push(error));
  t.after(() => gateway.close());
  return { ...gateway, logged };
}

describe('a gateway that closes', () => {
  it('answers nothing more, and leaves its data folder to the next', async (t) => {
    const folder = await newFolder(t);
    const gateway = await serveOn(t, folder);
    assert.equal((await fetch(`${gateway.url}svc/a/whoami`)).status, 200);
    await gateway.close();
    await assert.rejects(fetch(gateway.url));
    openStore(folder).close();
    assert.deepEqual(gateway.logged, []);
  });

  it('does not wait for streams of events, which do not end by themselves', async (t) => {
    const gateway = await serveOn(t, await newFolder(t));
    const headers = { authorization: `Basic ${Buffer.from('admin:secret').toString('base64')}` };
    const stream = await fetch(`${gateway.url}svc/a/events`, { headers });
    assert.equal(stream.status, 200);
    await gateway.close();
    await stream.text().catch(() => {});
  });

  it('is not there at all where one of its parts cannot start', async (t) => {
    const folder = await newFolder(t);
    await assert.rejects(serveOn(t, folder, ['--host', '192.0.2.1']), {
      name: 'AppError',
      message: /^Cannot listen on /,
    });
    openStore(folder).close();
    await (await serveOn(t, folder)).close();
  });
});

describe('in a data folder', () => {
  it('what a kill has left of bodies is removed, once nobody else can be using it', async (t) => {
    const folder = await newFolder(t);
    const spool = join(folder, 'spool');
    await mkdir(spool);
    await writeFile(join(spool, 'half'), 'of a body');
    const gateway = await serveOn(t, folder);
    assert.deepEqual(await readdir(spool), []);
    await writeFile(join(spool, 'in use'), 'of a body');
    await assert.rejects(serveOn(t, folder), { message: /is in use by another server/ });
    assert.deepEqual(await readdir(spool), ['in use']);
    await gateway.close();
  });

  it('a session key is made where none is given, and stays', async (t) => {
    const folder = await newFolder(t);
    const key = () => readFile(join(folder, 'session-key'), 'utf8').catch(() => '');
    await (await serveOn(t, folder, [], { ...ADMIN, VESTIBULE_KEY: 'ab'.repeat(32) })).close();
    assert.equal(await key(), '', 'the one that is given is not written down');
    await (await serveOn(t, folder)).close();
    const made = await key();
    assert.match(made.trim(), /^[0-9a-f]{64}$/);
    await (await serveOn(t, folder)).close();
    assert.equal(await key(), made);
  });
});

it('the files of the operator win over the built-in ones, which are there beside them', async (t) => {
  const folder = await newFolder(t);
  const own = join(folder, 'static');
  await mkdir(own);
  await writeFile(join(own, 'landing.html'), 'mine');
  const gateway = await serveOn(t, join(folder, 'data'), ['--static', own]);
  assert.equal(await (await fetch(`${gateway.url}svc/a/landing.html`)).text(), 'mine');
  assert.equal((await fetch(`${gateway.url}svc/s/guide/`)).status, 200);
});
