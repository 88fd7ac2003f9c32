// `vestibule copy` where it cannot begin: what it says, and that nothing is left behind.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ADMIN_PASSWORD, runVestibule, startGateway, type TestGateway } from '../../../support/gateway.ts';
import { runCopy as runCopyHere } from '../../../support/run-copy.ts';
import { storedContent } from '../../../support/stored-content.ts';

const ENV = { VESTIBULE_FROM_PASSWORD: ADMIN_PASSWORD, VESTIBULE_TO_PASSWORD: ADMIN_PASSWORD };
const folder = await mkdtemp(join(tmpdir(), 'vestibule-copy-'));
after(() => rm(folder, { recursive: true, force: true }));
const socketOf = ({ dataFolder }: TestGateway) => `unix:${join(dataFolder, 'citadel.socket')}`;
const site = await startGateway({ after }, { users: [{ name: 'ann', password: 'ann' }] });
const runCopy = (words: readonly string[]) => runCopyHere(words, ENV);

describe('vestibule copy, misused', () => {
  const from = `embedded:${site.dataFolder}`;
  for (const [what, words, message] of [
    ['no target', ['--from', from], 'vestibule copy requires --to ADDRESS'],
    ['a copy to itself', ['--from', from, '--to', `${from}/`], '--from and --to are the same'],
    [
      'a copy to the socket of the same folder',
      ['--from', from, '--to', socketOf(site), '--to-user', 'admin'],
      '--from and --to are the same room server.',
    ],
    [
      'what is no address',
      ['--from', from, '--to', 'x'],
      '--to takes embedded:DIR, unix:/path, tls://host:port or tcp://host:port, not "x"',
    ],
    [
      'a folder without a room server',
      ['--from', `embedded:${folder}/none`, '--to', from],
      `There is no room server in ${folder}/none.`,
    ],
    [
      'to read from a room server without being logged in, and makes no data folder then',
      ['--from', socketOf(site), '--to', `embedded:${folder}/unused`],
      '--from-user is required: this room server needs a log-in.',
    ],
    [
      'a room server that is not there',
      ['--from', from, '--to', `unix:${folder}/none`, '--to-user', 'x'],
      '--to: The room server cannot be reached.',
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(runCopy(words), { message });
      assert.equal(existsSync(join(folder, 'unused')), false);
    });
  }

  it('says in one line what is wrong, and ends with 2 or 1', async () => {
    const usage = await runVestibule(['copy', '--from', from], ENV);
    assert.deepEqual([usage.code, usage.err, usage.out], [2, 'vestibule copy requires --to ADDRESS\n', '']);
    const missing = await runVestibule(['copy', '--from', `embedded:${folder}/none`, '--to', from], ENV);
    assert.deepEqual([missing.code, missing.err], [1, `There is no room server in ${folder}/none.\n`]);
  });
});

it('stops at once where the new passwords cannot be kept', async (t) => {
  const peer = await startGateway(t);
  const words = ['--from', `embedded:${site.dataFolder}`, '--to', socketOf(peer), '--to-user', 'admin'];
  const file = join(folder, 'none', 'passwords.txt');
  const why = 'no such file or folder; choose another one with --passwords.';
  await assert.rejects(runCopy([...words, '--passwords', file]), {
    message: `The file of passwords ${file} cannot be used: ${why}`,
  });
  assert.deepEqual(
    storedContent(peer.dataFolder).users.map((row) => row.split('|')[0]),
    ['admin'],
  );
});
