// The words and options of the commands beside `serve`, and the line a person gets for a mistake.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { parseCommandLine } from '../../src/cli/options.ts';
import { MAX_USER_NAME_BYTES } from '../../src/limits/backend.ts';
import { MAX_APP_PASSWORD_NAME_BYTES } from '../../src/limits/sessions.ts';
import { assertRefused, complaint, type Refused } from '../support/command-line.ts';

const folder = resolve(tmpdir());

const WORDS =
  'vestibule user takes one of: add NAME [--admin], passwd NAME, list, remove NAME, ' +
  'apps NAME, add-app NAME APP SCOPE, remove-app NAME NUMBER';
const SCOPE = 'vestibule user add-app takes NAME, a name for the APP, and a SCOPE: read, dav or all';
const NUMBER = 'vestibule user remove-app takes NAME and the NUMBER of an app password, as listed by apps';

describe('vestibule copy', () => {
  const ends = ['--from', 'embedded:x', '--to', 'tcp://h:504'];

  it('names both ends, who logs in there, and where new passwords are kept', () => {
    const env = { VESTIBULE_FROM_PASSWORD: 'f', VESTIBULE_ADMIN_PASSWORD: 'secret' };
    const argv = ['copy', '--from', 'unix:s', '--from-user', 'Boss', '--to', 'embedded:x', '--passwords', 'p'].concat([
      '--backend-ca',
      'ca',
    ]);
    assert.deepEqual(parseCommandLine(argv, env), {
      command: 'copy',
      from: { kind: 'socket', address: { kind: 'unix', path: resolve('s') }, user: 'Boss', password: 'f' },
      to: { kind: 'embedded', folder: resolve('x') },
      caFile: resolve('ca'),
      passwordFile: resolve('p'),
      adminPassword: 'secret',
    });
    assert.deepEqual(parseCommandLine(['copy', ...ends], {}), {
      command: 'copy',
      from: { kind: 'embedded', folder: resolve('x') },
      to: { kind: 'socket', address: { kind: 'tcp', host: 'h', port: 504 }, user: '', password: '' },
      caFile: undefined,
      passwordFile: resolve('vestibule-passwords.txt'),
      adminPassword: undefined,
    });
  });

  it('says what is wrong', () => {
    const wrong: [string[], string][] = [
      [['copy', '--to', 'embedded:x'], 'vestibule copy requires --from ADDRESS'],
      [['copy', ...ends, 'x'], 'vestibule copy takes no argument "x"'],
      [['copy', ...ends, '--port', '1'], '--port cannot be used with vestibule copy'],
      [['copy', ...ends, '--from-user', 'x'], '--from-user cannot be used with an embedded room server'],
      [['copy', ...ends, '--to-user', 'x'], '--to-user requires VESTIBULE_TO_PASSWORD in the environment'],
      [
        ['copy', '--from', 'embedded', '--to', 'x'],
        '--from takes embedded:DIR, unix:/path, tls://host:port or tcp://host:port, not "embedded"',
      ],
      [['--from', 'embedded:x'], '--from can only be used with vestibule copy'],
    ];
    for (const [argv, message] of wrong) assert.equal(complaint(argv), message);
  });
});

describe('vestibule backup, check and compact', () => {
  it('name the data folder, and files as absolute paths', () => {
    const store = { command: 'store', dataFolder: folder };
    const data = ['--data', folder];
    assert.deepEqual(parseCommandLine(['backup', 'x.db', ...data], {}), {
      ...store,
      action: 'backup',
      file: resolve('x.db'),
    });
    assert.deepEqual(parseCommandLine(['check', ...data], {}), { ...store, action: 'check' });
    assert.deepEqual(parseCommandLine(['check', 'x.db'], { VESTIBULE_DATA: folder }), {
      ...store,
      action: 'check',
      file: resolve('x.db'),
    });
    assert.deepEqual(parseCommandLine(['compact', ...data], {}), { ...store, action: 'compact' });
  });

  it('say what is wrong', () => {
    const wrong: [string[], string][] = [
      [['backup'], 'vestibule backup requires a FILE to write'],
      [['backup', 'a', 'b'], 'vestibule backup takes no argument "b"'],
      [['check', 'a', 'b'], 'vestibule check takes no argument "b"'],
      [['compact', 'a'], 'vestibule compact takes no argument "a"'],
      [['compact', '--port', '1'], '--port cannot be used with vestibule compact'],
      [['check', '--admin'], '--admin cannot be used with vestibule check'],
    ];
    for (const [argv, message] of wrong) assert.equal(complaint(argv), message);
  });
});

describe('vestibule user', () => {
  const dataFolder = resolve('data');

  it('reads the four actions', () => {
    const common = { command: 'user', dataFolder };
    assert.deepEqual(parseCommandLine(['user', 'list'], {}), { ...common, action: 'list' });
    assert.deepEqual(parseCommandLine(['user', 'add', 'Ann Lee'], {}), {
      ...common,
      action: 'add',
      name: 'Ann Lee',
      isAdmin: false,
      password: undefined,
    });
    assert.deepEqual(parseCommandLine(['user', '--admin', 'add', 'ann'], { VESTIBULE_PASSWORD: 'pw' }), {
      ...common,
      action: 'add',
      name: 'ann',
      isAdmin: true,
      password: 'pw',
    });
    assert.deepEqual(parseCommandLine(['user', 'passwd', 'ann'], { VESTIBULE_PASSWORD: 'pw' }), {
      ...common,
      action: 'passwd',
      name: 'ann',
      password: 'pw',
    });
  });

  it('takes the data folder wherever it stands', () => {
    for (const argv of [
      ['user', 'list', '--data', folder],
      [`--data=${folder}`, 'user', 'list'],
    ]) {
      assert.deepEqual(parseCommandLine(argv, {}), { command: 'user', dataFolder: folder, action: 'list' });
    }
    const line = parseCommandLine(['user', 'list'], { VESTIBULE_DATA: folder });
    assert.deepEqual(line, { command: 'user', dataFolder: folder, action: 'list' });
  });

  it('ignores variables that are for serve', () => {
    assert.equal(parseCommandLine(['user', 'list'], { VESTIBULE_PORT: 'x', VESTIBULE_DEMO: '1' }).command, 'user');
  });

  it('accepts the longest user name', () => {
    const name = 'x'.repeat(MAX_USER_NAME_BYTES);
    assert.deepEqual(parseCommandLine(['user', 'remove', name], {}), {
      command: 'user',
      dataFolder: resolve('data'),
      action: 'remove',
      name,
    });
  });

  it('takes app passwords by user, and what to call them', () => {
    const parsed = (...words: string[]) => parseCommandLine(['user', ...words], {});
    const common = { command: 'user', dataFolder: resolve('data'), name: 'Ann Lee' };
    assert.deepEqual(parsed('apps', 'Ann Lee'), { ...common, action: 'apps' });
    const app = 'x'.repeat(MAX_APP_PASSWORD_NAME_BYTES);
    assert.deepEqual(parsed('add-app', 'Ann Lee', app, 'dav'), { ...common, action: 'add-app', app, scope: 'dav' });
    assert.deepEqual(parsed('remove-app', 'Ann Lee', '12'), { ...common, action: 'remove-app', id: 12 });
  });

  it('says what is wrong', () => {
    const wrong: Refused[] = [
      [['user'], WORDS],
      [['user', 'drop', 'x'], WORDS],
      [['user', 'apps'], 'vestibule user apps requires a NAME'],
      [['user', 'apps', 'x', 'y'], 'vestibule user apps takes one NAME; write a name with spaces in quotes'],
      ...[[], ['phone'], ['phone', 'feed'], ['phone', 'dav', 'x']].map(
        (rest): Refused => [['user', 'add-app', 'x', ...rest], SCOPE],
      ),
      ...[' ', 'a|b', 'x'.repeat(MAX_APP_PASSWORD_NAME_BYTES + 1)].map(
        (app): Refused => [['user', 'add-app', 'x', app, 'dav'], /^an app name has 1 to 100 bytes/],
      ),
      ...[[], ['0'], ['x'], ['1', '2']].map((rest): Refused => [['user', 'remove-app', 'x', ...rest], NUMBER]),
      [['user', 'add'], 'vestibule user add requires a NAME'],
      [['user', 'add', 'Ann', 'Lee'], 'vestibule user add takes one NAME; write a name with spaces in quotes'],
      [['user', 'list', 'x'], 'vestibule user list takes no argument "x"'],
      [['user', 'remove', 'x', '--admin'], '--admin can only be used with vestibule user add'],
      [['user', 'list', '--port', '1'], '--port cannot be used with vestibule user'],
      [['user', 'add', 'a|b'], 'a user name has 1 to 63 bytes, without | and control characters; got "a|b"'],
      ...['', ' ', 'a\nb', 'x'.repeat(MAX_USER_NAME_BYTES + 1)].map((name): [string[], RegExp] => [
        ['user', 'add', name],
        /^a user name has 1 to 63 bytes/,
      ]),
    ];
    assertRefused(wrong);
  });
});
