// The first start on a new data folder: what must be told and kept even where it goes wrong.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runVestibule, startGateway } from '../support/gateway.ts';

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
      /^Created the account admin with the password (\S+) \(shown only once\)\n/.exec(err) ?? [];
    assert.match(err, /\nCannot listen on 127\.0\.0\.1 port \d+: it is taken already; see --host and --port\.\n$/);
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
