// `vestibule user …`, while the gateway runs and while it does not.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import { runVestibule, startGateway } from '../../support/gateway.ts';

const PASSWORD = { VESTIBULE_PASSWORD: 'first password' };
const ADMIN = { VESTIBULE_ADMIN_PASSWORD: 'secret' };

describe('vestibule user, while the gateway runs', async () => {
  const gateway = await startGateway({ after });
  const user = (words: string[], env?: Record<string, string>, input?: string) =>
    runVestibule(['user', ...words, '--data', gateway.dataFolder], env, input);
  const status = async (name: string, password: string) => (await gateway.as(name, password)('r/')).status;

  it('adds a user, who can log in at once, and an administrator', async () => {
    assert.deepEqual(await user(['add', 'Ann Smith'], PASSWORD), { code: 0, out: 'Added Ann Smith\n', err: '' });
    assert.equal(await status('ann smith', 'first password'), 200);
    assert.deepEqual(await user(['add', 'Boss', '--admin'], {}, 'typed\nmore\n'), {
      code: 0,
      out: 'Added Boss\n',
      err: '',
    });
    const whoami = await (await gateway.as('boss', 'typed')('a/whoami')).json();
    assert.equal((whoami as { axlevel: number }).axlevel, 6);
  });

  it('lists users', async () => {
    const { code, out } = await user(['list']);
    assert.equal(code, 0);
    const rows = out
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t'));
    assert.deepEqual(rows.map((row) => row[1]).sort(), ['Ann Smith', 'Boss', 'admin']);
    assert.equal(rows.find((row) => row[1] === 'Boss')?.[2], 'admin');
    assert.match(rows.find((row) => row[1] === 'Ann Smith')![3]!, /^\d{4}-\d\d-\d\dT/);
  });

  it('changes a password', async () => {
    const changed = await user(['passwd', 'Ann Smith'], {}, 'second password\n');
    assert.deepEqual(changed, { code: 0, out: 'Changed the password of Ann Smith\n', err: '' });
    assert.equal(await status('ann smith', 'second password'), 200);
  });

  it('makes, lists and ends app passwords', async () => {
    const made = await user(['add-app', 'Ann Smith', 'Old telephone', 'dav']);
    assert.match(made.out, /^[a-z2-9]{5}(-[a-z2-9]{5}){4}\n$/);
    const propfind = async () => {
      const as = gateway.as('ann smith', made.out.trim());
      return (await as('r/', { method: 'PROPFIND', headers: { depth: '0' } })).status;
    };
    assert.equal((await user(['apps', 'Ann Smith'])).out, '1\tdav\tOld telephone\tnever\n');
    assert.equal(await propfind(), 207);
    assert.match((await user(['apps', 'Ann Smith'])).out, /^1\tdav\tOld telephone\t\d{4}-\d\d-\d\dT.*Z\n$/);
    assert.equal((await user(['remove-app', 'admin', '1'])).code, 1, 'of another user');
    assert.deepEqual(await user(['remove-app', 'Ann Smith', '1']), {
      code: 0,
      out: 'Removed app password 1 of Ann Smith\n',
      err: '',
    });
    assert.equal(await propfind(), 401);
    assert.equal((await user(['apps', 'nobody'])).code, 1);
  });

  it('removes a user', async () => {
    await user(['add', 'Dave'], PASSWORD);
    assert.deepEqual(await user(['remove', 'Dave']), { code: 0, out: 'Removed Dave\n', err: '' });
    assert.doesNotMatch((await user(['list'])).out, /Dave/);
    assert.equal(await status('dave', 'first password'), 401);
    assert.equal((await user(['remove', 'Dave'])).code, 1);
  });

  it('removes a user who is logged in, and ends the session', async () => {
    assert.equal(await status('boss', 'typed'), 200);
    assert.equal((await user(['remove', 'Boss'])).code, 0);
    assert.equal(await status('boss', 'typed'), 401);
    await eventually(async () => (await user(['list'])).out.includes('Boss'), false);
  });

  it('says in one line what is wrong', async () => {
    const failures: [string[], Record<string, string>, string, number, RegExp][] = [
      [['add', 'Ann Smith'], PASSWORD, '', 1, /^[^\n]+\n$/],
      [['passwd', 'Nobody'], PASSWORD, '', 1, /^[^\n]+\n$/],
      [['add', 'Carol'], {}, '', 1, /^The password is empty\.\n$/],
      [['add', 'Carol'], { VESTIBULE_PASSWORD: 'a|b' }, '', 1, /^[^\n]+\n$/],
      [['add'], PASSWORD, '', 2, /^vestibule user add requires a NAME\n$/],
      [['rename', 'x'], {}, '', 2, /^vestibule user takes one of: [^\n]+\n$/],
    ];
    const endings = failures.map(async ([words, env, input, code, message]) => {
      const ended = await user(words, env, input);
      assert.equal(ended.code, code, words.join(' '));
      assert.match(ended.err, message, words.join(' '));
      assert.equal(ended.out, '');
    });
    await Promise.all(endings);
  });
});

describe('vestibule user, while nothing runs', () => {
  it('works on the data folder, and makes a new one with its administrator', async (t) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'vestibule-'));
    t.after(() => rm(dataFolder, { recursive: true, force: true }));
    const user = (words: string[], env?: Record<string, string>) =>
      runVestibule(['user', ...words, '--data', dataFolder], { ...ADMIN, ...env });
    const added = await user(['add', 'Ann'], PASSWORD);
    assert.deepEqual(added, { code: 0, out: 'Added Ann\n', err: 'Created the account admin\n' });
    const { out } = await user(['list']);
    assert.deepEqual(
      out
        .trimEnd()
        .split('\n')
        .map((row) => row.split('\t')[1])
        .sort(),
      ['Ann', 'admin'],
    );
    assert.equal((await user(['remove', 'Ann'])).code, 0);
    assert.doesNotMatch((await user(['list'])).out, /Ann/);
    assert.equal((await user(['passwd', 'Ann'], PASSWORD)).code, 1);
  });

  it('makes no data folder where only an account was asked for', async (t) => {
    const parent = await mkdtemp(join(tmpdir(), 'vestibule-'));
    t.after(() => rm(parent, { recursive: true, force: true }));
    const dataFolder = join(parent, 'mistyped');
    for (const words of [['list'], ['passwd', 'Ann'], ['remove', 'Ann']]) {
      const ended = await runVestibule(['user', ...words, '--data', dataFolder], PASSWORD);
      assert.deepEqual(ended, { code: 1, out: '', err: `There is no room server in ${dataFolder}.\n` });
    }
    assert.deepEqual(await readdir(parent), []);
  });

  it('finds the gateway of a data folder whose path is too long for a socket', async (t) => {
    const parent = await mkdtemp(join(tmpdir(), 'vestibule-'));
    t.after(() => rm(parent, { recursive: true, force: true }));
    const gateway = await startGateway(t, { dataFolder: join(parent, 'x'.repeat(120)) });
    const added = await runVestibule(['user', 'add', 'Ann', '--data', gateway.dataFolder], PASSWORD);
    assert.deepEqual(added, { code: 0, out: 'Added Ann\n', err: '' });
    assert.equal((await gateway.as('ann', 'first password')('r/')).status, 200);
  });
});
