// The manual page: it has every command, option and variable, and groff finds nothing wrong with it where there is one.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { COMMANDS } from '../../../src/cli/command-table.ts';
import { OPTIONS, type Option, SECRETS, type SecretName } from '../../../src/cli/option-table.ts';
import { variableOf } from '../../../src/cli/settings.ts';
import { manualPage } from '../../../src/extra/manual/manual.ts';
import { complaint } from '../../support/command-line.ts';

const page = manualPage('1.2.3');
const plain = page.replaceAll('\\-', '-').replaceAll('\\(dq', '"');

it('names every command, option, default and variable', () => {
  assert.ok(plain.startsWith('.TH VESTIBULE 1 "" "vestibule 1.2.3" "User Commands"\n'));
  for (const { usage, does } of COMMANDS) assert.ok(plain.includes(`.TP\n.B ${usage}\n${does}\n`), usage);
  for (const [name, { help }] of Object.entries<Option>(OPTIONS)) {
    assert.ok(plain.includes(`--${name}`) && plain.includes(`\n${help}`), name);
  }
  for (const name of Object.keys(SECRETS)) assert.ok(plain.includes(variableOf(name as SecretName)), name);
});

it('has no line that roff would take for a request of its own', () => {
  for (const line of page.split('\n')) {
    if (/^[.']/.test(line)) assert.match(line, /^\.(TH|SH|SS|TP|BR?|BI|IR?|br)\b/, line);
  }
});

it('is formatted without a warning', () => {
  const { status, stdout, stderr, error } = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-cbou'], {
    input: page,
    encoding: 'utf8',
  });
  if (error) return assert.equal((error as NodeJS.ErrnoException).code, 'ENOENT');
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^ {7}--log-format FORMAT$/m);
});

it('man takes no arguments and no options', () => {
  assert.equal(complaint(['man', 'x']), 'vestibule man takes no argument "x"');
  assert.equal(complaint(['man', '--demo']), '--demo cannot be used with vestibule man');
});
