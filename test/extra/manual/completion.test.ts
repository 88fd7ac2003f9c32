// Completion of shells: bash really completes; the scripts of the others name what there is.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { COMMANDS, SHELLS } from '../../../src/cli/command-table.ts';
import { OPTIONS, type Option } from '../../../src/cli/option-table.ts';
import { completionScript } from '../../../src/extra/manual/manual.ts';
import { complaint } from '../../support/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'vestibule-completion-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'saved'));
writeFileSync(join(folder, 'saved.db'), '');

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const script = `${completionScript('bash')}
COMP_WORDS=(vestibule "$@"); COMP_CWORD=$#
_vestibule
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['-c', script, 'bash', ...words], { cwd: folder, encoding: 'utf8' });
  return output.split('\n').filter((line) => line !== '');
}

const serving = Object.entries<Option>(OPTIONS)
  .filter(([, { command }]) => command === undefined)
  .map(([name]) => `--${name}`);
const GENERAL = ['--help', '--version'];

describe('completion in bash', () => {
  it('offers the commands, and the words of a command', () => {
    assert.deepEqual(offered('').sort(), [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]!))].sort());
    assert.deepEqual(offered('ser'), ['serve']);
    const ofUser = COMMANDS.flatMap(({ name }) => /^user (.*)/.exec(name)?.[1] ?? []);
    assert.ok(ofUser.includes('passwd'));
    assert.deepEqual(offered('user', ''), ofUser);
    assert.deepEqual(offered('completion', ''), [...SHELLS]);
    assert.deepEqual(offered('user', 'add', ''), [], 'a name is for the person to find');
  });

  it('offers the options that go with a command, and no others', () => {
    for (const words of [['--'], ['serve', '--'], ['config', '--port', '8081', '--']]) {
      assert.deepEqual(offered(...words), [...serving, ...GENERAL], words.join(' '));
    }
    assert.deepEqual(offered('doctor', '--'), [...serving, '--user', ...GENERAL]);
    assert.deepEqual(offered('user', 'add', 'carol', '--'), ['--config', '--data', '--admin', ...GENERAL]);
    assert.deepEqual(offered('backup', '--'), ['--config', '--data', ...GENERAL]);
    assert.deepEqual(offered('copy', '--from-'), ['--from-user']);
    assert.deepEqual(offered('--log-r'), ['--log-requests']);
  });

  it('offers files, folders or words where an option or a command takes them', () => {
    assert.deepEqual(offered('--config', 'sa').sort(), ['saved', 'saved.db']);
    assert.deepEqual(offered('--data', 'sa'), ['saved']);
    assert.deepEqual(offered('--log-format', ''), ['text', 'json']);
    assert.deepEqual(offered('--port', ''), []);
    assert.deepEqual(offered('--data', 'saved', 'check', 'saved.'), ['saved.db']);
  });
});

it('each script names every command and every option', () => {
  for (const shell of SHELLS) {
    const script = completionScript(shell);
    for (const word of COMMANDS.flatMap(({ name }) => name.split(' ')))
      assert.match(script, new RegExp(`\\b${word}\\b`));
    for (const name of Object.keys(OPTIONS)) {
      assert.match(script, new RegExp(shell === 'fish' ? ` -l ${name} ` : `--${name}\\b`), `${shell}: ${name}`);
    }
  }
});

it('a shell that is not known, and a word too many, are refused', () => {
  const message = 'vestibule completion takes one of: bash, zsh, fish';
  assert.equal(complaint(['completion']), message);
  assert.equal(complaint(['completion', 'csh']), message);
  assert.equal(complaint(['completion', 'bash', 'x']), 'vestibule completion takes no argument "x"');
  assert.equal(complaint(['completion', 'bash', '--demo']), '--demo cannot be used with vestibule completion');
});
