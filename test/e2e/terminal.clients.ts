// The commands as somebody at a terminal sees them: the question for a password, the bar of a copy, Ctrl-C. In tmux.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ADMIN_PASSWORD, runVestibule, startGateway } from '../support/gateway.ts';
import { startRelay } from '../support/relay.ts';
import { openTerminal } from '../support/terminal.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

// of the file, not of a test: tmux is ended through its socket first
const folder = await mkdtemp(join(tmpdir(), 'vestibule-'));
after(() => rm(folder, { recursive: true, force: true }));
let terminals = 0;
const terminalFor = (t: TestContext, words: string[]) => openTerminal(t, join(folder, `tmux${terminals++}`), words);

/** Ends with whether the terminal shows what is typed. */
const THEN_ECHO = '"$@"; code=$?; stty -a | grep -o " -\\?echo "; exit $code';

describe('the question for a password', () => {
  for (const [key, code, said] of [
    ['C-c', 130, /^Password:\n echo\nended with 130/],
    ['C-d', 1, /^Password:\nThe password is empty\.\n echo\nended with 1/],
  ] as const) {
    it(`ends with ${code} at ${key}, and the terminal shows again what is typed`, async (t) => {
      const words = [process.execPath, main, 'user', 'add', 'Ann', '--data', join(folder, `data ${code}`)];
      const terminal = await terminalFor(t, ['sh', '-c', THEN_ECHO, 'sh', ...words]);
      await terminal.until(/Password:/);
      await terminal.press(key);
      await terminal.until(said);
    });
  }

  it('takes what is typed without showing it', async (t) => {
    const gateway = await startGateway(t);
    const words = [process.execPath, main, 'user', 'add', 'Ann', '--data', gateway.dataFolder];
    const terminal = await terminalFor(t, words);
    await terminal.until(/Password:/);
    await terminal.enter('her own');
    await terminal.until(/^Password:\nAdded Ann\nended with 0/);
    assert.equal((await gateway.as('Ann', 'her own')('r/')).status, 200);
  });
});

describe('a copy', () => {
  it('shows a bar, and can be broken off and gone on with', async (t) => {
    const [from, to] = [await startGateway(t, { demo: true }), await startGateway(t)];
    const socket = join(to.dataFolder, 'citadel.socket');
    const relay = await startRelay(socket);
    t.after(() => relay.close());
    let posts = 0;
    relay.before = async (command) => {
      if (command.startsWith('ENT0 1|') && ++posts > 10) await new Promise(() => {});
    };
    const wordsTo = (path: string) => {
      const ends = ['--from', `embedded:${from.dataFolder}`, '--to', `unix:${path}`, '--to-user', 'admin'];
      return ['copy', ...ends, '--passwords', join(folder, 'passwords.txt')];
    };
    const env = { VESTIBULE_TO_PASSWORD: ADMIN_PASSWORD };
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const start = ['env', ...variables, process.execPath, main, ...wordsTo(relay.path)];
    const terminal = await terminalFor(t, start);
    await terminal.until(/^\[#+\.+\] \d+ of 50 {2}\S/m);
    await terminal.press('C-c');
    await terminal.until(/Interrupted\. Run the same command again to continue\.\nended with 130/);
    const { code, out } = await runVestibule(wordsTo(socket), env);
    assert.equal(code, 0, out);
    const [, copied, there] = /\n50\t(\d+)\t(\d+)\t0\ttotal\n/.exec(out)!;
    assert.equal(Number(copied) + Number(there), 50);
    assert.ok(Number(copied) > 0 && Number(there) > 0, out);
  });
});
