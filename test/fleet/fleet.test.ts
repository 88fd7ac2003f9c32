import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openLocalFleet } from '../../src/fleet/fleet.ts';
import { FLEET_SWEEP_MS } from '../../src/limits/sessions.ts';

describe('fleet of one machine', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('keeps revocations and uploads from one opening to the next', async () => {
    const path = join(folder, 'a', 'b');
    const fleet = await openLocalFleet(path);
    assert.equal((await stat(path)).mode & 0o777, 0o700);
    await fleet.revocations.revoke('one', Date.now() / 1000 + 100);
    const { ref } = await fleet.uploads.add('ann', { uploadfilename: 'a', contenttype: 'text/plain' }, async (file) => {
      await writeFile(file, 'x');
      return 1;
    });
    await fleet.close();
    const again = await openLocalFleet(path);
    assert.equal(await again.revocations.isRevoked('one'), true);
    assert.ok(await again.uploads.get('ann', ref));
    assert.equal(await again.throttle.check(['account:ann']), 0);
    await again.close();
  });

  it('lets go of its folder when it cannot be opened', async () => {
    const path = join(folder, 'unusable');
    await mkdir(path);
    await writeFile(join(path, 'uploads'), 'a file where a folder has to be');
    await assert.rejects(openLocalFleet(path), { code: 'EEXIST' });
    await rm(join(path, 'uploads'));
    await (await openLocalFleet(path)).close();
  });

  it('sweeps by itself until it is closed', async (t) => {
    t.mock.timers.enable({ apis: ['Date', 'setInterval'], now: 1_700_000_000_000 });
    const fleet = await openLocalFleet(join(folder, 'sweeping'));
    await fleet.uploads.add('ann', { uploadfilename: 'a', contenttype: 'text/plain' }, async () => 0);
    t.mock.timers.tick(25 * FLEET_SWEEP_MS);
    await fleet.close();
    const [owner] = await readdir(join(folder, 'sweeping', 'uploads'));
    assert.deepEqual(await readdir(join(folder, 'sweeping', 'uploads', owner!)), []);
  });
});
