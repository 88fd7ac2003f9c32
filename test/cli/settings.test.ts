// What `vestibule config` prints, and what a reload finds changed.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseCommandLine } from '../../src/cli/options.ts';
import { changedSettings, type Environment, type Setting, variableOf } from '../../src/cli/settings.ts';
import { complaint } from '../support/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'vestibule-settings-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'vestibule.json');

function rowsOf(argv: string[], env: Environment = {}): readonly Setting[] {
  const line = parseCommandLine(argv, env);
  assert.ok(line.command === 'serve');
  return line.settings;
}

describe('vestibule config', () => {
  it('prints each value that counts, and where it is from', () => {
    writeFileSync(file, JSON.stringify({ port: 81, 'sync-days': 3, host: '::1' }));
    const words = ['config', '--config', file, '--port', '83', '--line-listen', 'tcp://127.0.0.1:5504'];
    const line = parseCommandLine(words, { VESTIBULE_HOST: '[::2]', VESTIBULE_TRUST_PROXY: 'yes' });
    assert.ok(line.command === 'config');
    const rows = line.text.split('\n').map((row) => row.split(/ {2,}/));
    for (const row of [
      ['host', '::2', 'VESTIBULE_HOST'],
      ['port', '83', '--port'],
      ['sync-days', '3', file],
      ['data', resolve('data'), 'default'],
      ['line-listen', 'tcp://127.0.0.1:5504', '--line-listen'],
      ['trust-proxy', 'on', 'VESTIBULE_TRUST_PROXY'],
      ['static', '-', 'default'],
    ]) {
      assert.deepEqual(
        rows.find(([name]) => name === row[0]),
        row,
      );
    }
  });

  it('shows the address of what is shared without its password, also where it is none', () => {
    const line = parseCommandLine(['config', '--shared', 'redis://ann:s3cret@a:1/0'], {});
    assert.ok(line.command === 'config');
    assert.match(line.text, /^shared +redis:\/\/ann:\(hidden\)@a:1\/0 +--shared$/m);
    for (const wrong of ['redis://ann:s3cret@a:1/x', 'redis://s3cret@a', 'http://:s3cret@a']) {
      assert.doesNotMatch(complaint(['--shared', wrong]), /s3cret/);
      assert.match(complaint(['--shared', wrong]), /^--shared takes redis:/);
    }
  });

  it('says of secrets only that they are there', () => {
    const key = 'ab'.repeat(32);
    const line = parseCommandLine(['config'], { VESTIBULE_KEY: key, VESTIBULE_ADMIN_PASSWORD: 'hunter2' });
    assert.ok(line.command === 'config');
    assert.ok(!/hunter2|abab/.test(line.text));
    assert.match(line.text, /^admin-password +\(hidden\) +VESTIBULE_ADMIN_PASSWORD$/m);
    assert.match(line.text, /^key +\(hidden\) +VESTIBULE_KEY$/m);
  });

  it('refuses what serve would refuse', () => {
    assert.match(complaint(['config', '--port', 'x']), /^--port takes a number/);
    assert.match(complaint(['config', '--from', 'embedded:x']), /^--from can only be used with vestibule copy/);
  });
});

describe('a reload', () => {
  it('tells what is live from what needs a restart', () => {
    const changed = changedSettings(rowsOf([]), rowsOf(['--port', '81', '--secure-cookies', '--landing', '/x']));
    assert.deepEqual(changed, { live: ['landing', 'secure-cookies'], fixed: ['port'] });
  });

  it('finds nothing changed where only the place is another one', () => {
    assert.deepEqual(changedSettings(rowsOf([]), rowsOf(['--port', '8080'])), { live: [], fixed: [] });
  });
});

it('a variable is named after its option', () => {
  assert.equal(variableOf('backend-connections'), 'VESTIBULE_BACKEND_CONNECTIONS');
});
