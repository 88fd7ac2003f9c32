import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  KNOWN_NETWORK_RENEW_SECONDS,
  KNOWN_NETWORK_SECONDS,
  KNOWN_NETWORKS_WRITE_MS,
  MAX_KNOWN_NETWORKS_PER_ACCOUNT,
} from '../../src/limits/sessions.ts';
import { KnownNetworks } from '../../src/system/throttle.ts';
import { eventually } from '../support/eventually.ts';

async function fileOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'networks-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'known-networks');
}

const START = 1_795_000_000;

describe('the networks that an account has logged in from', () => {
  it('are known for KNOWN_NETWORK_SECONDS from the last log-in on, to the second', () => {
    const clock = { seconds: START };
    const networks = new KnownNetworks(undefined, () => clock.seconds);
    assert.equal(networks.has('account:ann', '192.0.2.1'), false);
    networks.note('account:ann', '192.0.2.1');
    assert.equal(networks.has('account:bob', '192.0.2.1'), false);
    assert.equal(networks.has('account:ann', '192.0.2.2'), false);
    clock.seconds = START + KNOWN_NETWORK_SECONDS - 1;
    assert.equal(networks.has('account:ann', '192.0.2.1'), true);
    clock.seconds += 1;
    assert.equal(networks.has('account:ann', '192.0.2.1'), false);
    networks.note('account:ann', '192.0.2.1');
    clock.seconds += KNOWN_NETWORK_RENEW_SECONDS;
    networks.note('account:ann', '192.0.2.1');
    clock.seconds += KNOWN_NETWORK_SECONDS - 1;
    assert.equal(networks.has('account:ann', '192.0.2.1'), true);
  });

  it('are so many of one account at most, the last ones, and push out none of another', () => {
    const networks = new KnownNetworks(undefined, () => START);
    networks.note('account:bob', 'first');
    for (let i = 0; i < MAX_KNOWN_NETWORKS_PER_ACCOUNT; i++) networks.note('account:ann', `n${i}`);
    assert.equal(networks.has('account:ann', 'n0'), true);
    networks.note('account:ann', 'one more');
    assert.equal(networks.has('account:ann', 'n0'), false);
    assert.equal(networks.has('account:ann', 'n1'), true);
    assert.equal(networks.has('account:ann', 'one more'), true);
    assert.equal(networks.has('account:bob', 'first'), true);
  });

  it('are so many of all accounts at most: that of the account goes which has not come for longest', () => {
    const networks = new KnownNetworks(undefined, () => START, 3);
    networks.note('account:ann', 'a');
    networks.note('account:bob', 'b');
    networks.note('account:ann', 'c');
    for (const [account, network] of [
      ['ann', 'a'],
      ['bob', 'b'],
      ['ann', 'c'],
    ] as const) {
      assert.equal(networks.has(`account:${account}`, network), true);
    }
    networks.note('account:cal', 'd');
    assert.equal(networks.has('account:bob', 'b'), false);
    for (const network of ['a', 'c']) assert.equal(networks.has('account:ann', network), true);
    assert.equal(networks.has('account:cal', 'd'), true);
  });

  it('survive a restart, in a file that tells nobody where somebody was', async (t) => {
    const path = await fileOf(t);
    const first = await KnownNetworks.open(path, () => START);
    first.note('account:ann', '192.0.2.1');
    first.note('account:ann', '2001:db8:0:0');
    await first.close();
    const text = await readFile(path, 'utf8');
    assert.match(text, /^(\d+ [\w-]{22} [\w-]{22}\n){2}$/);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    const again = await KnownNetworks.open(path, () => START + KNOWN_NETWORK_SECONDS - 1);
    assert.equal(again.has('account:ann', '192.0.2.1'), true);
    assert.equal(again.has('account:ann', '2001:db8:0:0'), true);
    const later = await KnownNetworks.open(path, () => START + KNOWN_NETWORK_SECONDS);
    later.note('account:bob', '192.0.2.1');
    await later.close();
    assert.equal((await readFile(path, 'utf8')).split('\n').length, 2, 'what has expired is left out');
  });

  it('are written soon, for those whom a kill leaves no time', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const path = await fileOf(t);
    const networks = await KnownNetworks.open(path, () => START);
    networks.note('account:ann', '192.0.2.1');
    t.mock.timers.tick(KNOWN_NETWORKS_WRITE_MS);
    t.mock.timers.reset();
    await eventually(async () => (await KnownNetworks.open(path, () => START)).has('account:ann', '192.0.2.1'), true);
    await networks.close();
  });

  it('are read where the file is torn or full, up to the bound, the last ones', async (t) => {
    const path = await fileOf(t);
    const first = await KnownNetworks.open(path, () => START);
    for (const account of ['ann', 'bob', 'cal']) first.note(account, 'n');
    await first.close();
    await writeFile(path, `rubbish\n\0\n${await readFile(path, 'utf8')}1795 torn`);
    const networks = await KnownNetworks.open(path, () => START, 2);
    assert.deepEqual(
      ['ann', 'bob', 'cal'].map((account) => networks.has(account, 'n')),
      [false, true, true],
    );
  });

  it('are remembered without a file that can be written, too', async (t) => {
    const path = join(await fileOf(t), 'no folder', 'known-networks');
    const networks = await KnownNetworks.open(path, () => START);
    networks.note('account:ann', '192.0.2.1');
    await networks.close();
    assert.equal(networks.has('account:ann', '192.0.2.1'), true);
  });
});
