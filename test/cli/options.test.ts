// The command line and the environment: every option, which source wins, and the line a person gets for a mistake.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from '../../src/cli/option-values.ts';
import { type Environment, parseCommandLine, type ServeOptions } from '../../src/cli/options.ts';
import { MAX_SYNC_DAYS, MAX_USER_NAME_BYTES } from '../../src/limits/backend.ts';
import {
  MAX_CONNECTING,
  MAX_CONNECTIONS,
  MAX_UNIX_PATH_BYTES,
  MOST_MAX_CONNECTING,
  MOST_MAX_CONNECTIONS,
} from '../../src/limits/protocol.ts';

const folder = mkdtempSync(join(tmpdir(), 'vestibule-config-'));
after(() => rmSync(folder, { recursive: true }));

function serve(argv: string[], env: Environment = {}): ServeOptions {
  const line = parseCommandLine(argv, env);
  assert.equal(line.command, 'serve');
  return (line as { options: ServeOptions }).options;
}

function complaint(argv: string[], env: Environment = {}): string {
  try {
    parseCommandLine(argv, env);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    assert.ok(!error.message.includes('\n'), 'one line');
    return error.message;
  }
  assert.fail(`accepted: ${argv.join(' ')}`);
}

const DEFAULTS: ServeOptions = {
  host: '127.0.0.1',
  port: 8080,
  prefix: '/svc/',
  dataFolder: resolve('data'),
  backend: 'embedded',
  backendConnections: MAX_CONNECTIONS,
  backendConnecting: MAX_CONNECTING,
  lineListen: undefined,
  syncDays: undefined,
  staticFolder: undefined,
  landing: '/svc/a/landing.html',
  isDemo: false,
  hasSecureCookies: false,
  isProxyTrusted: false,
  adminPassword: undefined,
  sessionKey: undefined,
};

const ALL_ARGUMENTS: [option: string, text: string | undefined, key: keyof ServeOptions, value: unknown][] = [
  ['host', '::', 'host', '::'],
  ['host', '[::1]', 'host', '::1'],
  ['host', 'gateway.example.org', 'host', 'gateway.example.org'],
  ['port', '0', 'port', 0],
  ['port', '65535', 'port', 65535],
  ['data', folder, 'dataFolder', folder],
  ['data', 'elsewhere/data', 'dataFolder', resolve('elsewhere/data')],
  ['backend', 'embedded', 'backend', 'embedded'],
  ['backend', 'unix:/run/citadel.socket', 'backend', { kind: 'unix', path: '/run/citadel.socket' }],
  ['backend', 'unix:citadel.socket', 'backend', { kind: 'unix', path: resolve('citadel.socket') }],
  ['backend', 'tcp://bbs.example.org:504', 'backend', { kind: 'tcp', host: 'bbs.example.org', port: 504 }],
  ['backend', 'tcp://[::1]:504', 'backend', { kind: 'tcp', host: '::1', port: 504 }],
  ['backend-connections', '1', 'backendConnections', 1],
  ['backend-connections', String(MOST_MAX_CONNECTIONS), 'backendConnections', MOST_MAX_CONNECTIONS],
  ['backend-connecting', '1', 'backendConnecting', 1],
  ['backend-connecting', String(MOST_MAX_CONNECTING), 'backendConnecting', MOST_MAX_CONNECTING],
  ['line-listen', 'tcp://127.0.0.1:5504', 'lineListen', { kind: 'tcp', host: '127.0.0.1', port: 5504 }],
  ['line-listen', 'tcp://127.0.0.1:0', 'lineListen', { kind: 'tcp', host: '127.0.0.1', port: 0 }],
  ['line-listen', 'unix:/run/v.socket', 'lineListen', { kind: 'unix', path: '/run/v.socket' }],
  ['sync-days', '1', 'syncDays', 1],
  ['sync-days', String(MAX_SYNC_DAYS), 'syncDays', MAX_SYNC_DAYS],
  ['static', folder, 'staticFolder', folder],
  ['landing', '/svc/s/index.html?a=b#c', 'landing', '/svc/s/index.html?a=b#c'],
  ['demo', undefined, 'isDemo', true],
  ['secure-cookies', undefined, 'hasSecureCookies', true],
  ['trust-proxy', undefined, 'isProxyTrusted', true],
];

describe('options of serve', () => {
  it('has a default for everything', () => {
    assert.deepEqual(serve([]), DEFAULTS);
    assert.deepEqual(serve(['serve']), DEFAULTS);
  });

  for (const [option, text, key, value] of ALL_ARGUMENTS) {
    it(`reads --${option} ${text ?? ''} from the command line and the environment`, () => {
      const expected = { ...DEFAULTS, [key]: value };
      const variable = `VESTIBULE_${option.replace('-', '_').toUpperCase()}`;
      assert.deepEqual(serve([], { [variable]: text ?? '1' }), expected);
      if (text === undefined) {
        assert.deepEqual(serve([`--${option}`, 'serve']), expected);
      } else {
        assert.deepEqual(serve([`--${option}`, text]), expected);
        assert.deepEqual(serve(['serve', `--${option}=${text}`]), expected);
      }
    });
  }

  it('makes a prefix begin and end with a slash, and the landing page follow it', () => {
    for (const [text, prefix] of [
      ['ctdl', '/ctdl/'],
      ['/ctdl', '/ctdl/'],
      ['ctdl/', '/ctdl/'],
      ['/a/b-1_.~/', '/a/b-1_.~/'],
    ] as const) {
      assert.deepEqual(serve(['--prefix', text]), { ...DEFAULTS, prefix, landing: `${prefix}a/landing.html` });
      assert.equal(serve(['--prefix', text, '--landing', '/x']).landing, '/x');
    }
  });

  it('lets the command line win over the environment, and not even look at what it overrides', () => {
    assert.equal(serve(['--port', '81'], { VESTIBULE_PORT: '82' }).port, 81);
    assert.equal(serve(['--port', '81'], { VESTIBULE_PORT: 'tcp://10.0.0.1:80' }).port, 81);
    assert.equal(serve(['--demo'], { VESTIBULE_DEMO: '0' }).isDemo, true);
  });

  it('takes an empty variable for none', () => {
    assert.deepEqual(serve([], { VESTIBULE_PORT: '', VESTIBULE_DEMO: '', VESTIBULE_KEY: '' }), DEFAULTS);
  });

  it('reads switches from the environment in the usual spellings', () => {
    for (const text of ['1', 'true', 'YES', 'on']) assert.equal(serve([], { VESTIBULE_DEMO: text }).isDemo, true);
    for (const text of ['0', 'False', 'no', 'off']) assert.equal(serve([], { VESTIBULE_DEMO: text }).isDemo, false);
  });

  it('reads the secrets from the environment only', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i * 7));
    for (const text of [key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
      const options = serve([], { VESTIBULE_ADMIN_PASSWORD: 's3 cret', VESTIBULE_KEY: text });
      assert.equal(options.adminPassword, 's3 cret');
      assert.deepEqual(options.sessionKey, key);
    }
    assert.match(complaint(['--key', 'x']), /"--key" is not an option/);
    assert.match(complaint(['--admin-password', 'x']), /not an option/);
  });

  it('never repeats a session key it refuses', () => {
    for (const bytes of [31, 33]) {
      const text = Buffer.alloc(bytes, 0xee).toString('hex');
      assert.equal(
        complaint([], { VESTIBULE_KEY: text }),
        'VESTIBULE_KEY takes 32 bytes as 64 hex digits or as base64; this is something else',
      );
    }
    complaint([], { VESTIBULE_KEY: `${Buffer.alloc(32).toString('base64')}!` });
  });
});

describe('mistakes on the command line', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const longestPath = `/${'x'.repeat(MAX_UNIX_PATH_BYTES - 1)}`;

  const refused: [argv: string[], message: string | RegExp][] = [
    [['--prot', '1'], '"--prot" is not an option; vestibule --help lists them'],
    [['-p', '1'], '"-p" is not an option; vestibule --help lists them'],
    [['--'], '"--" is not an option; vestibule --help lists them'],
    [['--constructor', '1'], '"--constructor" is not an option; vestibule --help lists them'],
    [['--a\nb'], '"--a\\nb" is not an option; vestibule --help lists them'],
    [['--port', '1', '--port=1'], '--port is given twice'],
    [['--demo', '--demo'], '--demo is given twice'],
    [['--demo=1'], '--demo is a switch and takes no value'],
    [['--port'], '--port takes a number from 0 to 65535; none is given'],
    [['--port='], '--port takes a number from 0 to 65535; none is given'],
    [['--data', '--demo'], '--data takes a folder; none is given'],
    [['--port', '65536'], '--port takes a number from 0 to 65535; this is "65536"'],
    [['--port', '-1'], '--port takes a number from 0 to 65535; this is "-1"'],
    [['--port', '8o'], '--port takes a number from 0 to 65535; this is "8o"'],
    [['--host', 'http://x'], '--host takes a host name or an IP address; this is "http://x"'],
    [['--host', '127.0.0.1:80'], /^--host takes/],
    [['--host', '[localhost]'], /^--host takes/],
    ...['/', '//', '/a//b', '/../', '/a/./b/', '/a%20b/', '/a b/', '/a?b', '/ü/', '/.well-known/'].map(
      (text): [string[], string] => [
        ['--prefix', text],
        `--prefix takes a path such as /svc/ of letters, digits and . _ ~ -; this is ${JSON.stringify(text)}`,
      ],
    ),
    [
      ['--backend', 'localhost:504'],
      '--backend takes embedded, unix:/path (107 bytes at most) or tcp://host:port; this is "localhost:504"',
    ],
    ...[
      'tcp://host',
      'tcp://host:0',
      'tcp://host:65536',
      'tcp://::1:504',
      'tcp://:504',
      'unix:',
      `unix:${longestPath}x`,
    ].map((text): [string[], RegExp] => [['--backend', text], /^--backend takes/]),
    [
      ['--line-listen', '5504'],
      '--line-listen takes unix:/path (107 bytes at most) or tcp://host:port; this is "5504"',
    ],
    ...['0', String(MOST_MAX_CONNECTING + 1), '-1', 'x', '4.5'].map((text): [string[], string] => [
      ['--backend-connecting', text],
      `--backend-connecting takes a number from 1 to ${MOST_MAX_CONNECTING}; this is "${text}"`,
    ]),
    ...['0', String(MOST_MAX_CONNECTIONS + 1), 'all'].map((text): [string[], RegExp] => [
      ['--backend-connections', text],
      /^--backend-connections takes a number from 1 to 900; this is "/,
    ]),
    [['--line-listen', 'embedded'], /^--line-listen takes/],
    [['--static', join(folder, 'none')], /^--static takes a folder that exists; this is ".*none"$/],
    [['--static', file], /^--static takes a folder that exists/],
    ...['/', '//evil.example', '/\\evil.example', 'x.html', 'https://x/', '/a b', '/ü'].map(
      (text): [string[], RegExp] => [
        ['--landing', text],
        /^--landing takes a path on this site that begins with \/, such as \/svc\/s\/index.html; this is "/,
      ],
    ),
    [['serv'], '"serv" is not a command; there are serve, user, copy, backup, check and compact'],
    [['serve', 'now'], 'vestibule serve takes no word "now"'],
    [['--admin'], '--admin goes with vestibule user add only'],
    [['--backend', 'tcp://h:1', '--demo'], '--demo is for the embedded room server and does not go with --backend'],
    [
      ['--backend', 'tcp://h:1', '--line-listen', 'tcp://h:2'],
      '--line-listen is for the embedded room server and does not go with --backend',
    ],
    [
      ['--backend', 'tcp://h:1', '--sync-days', '2'],
      '--sync-days is for the embedded room server and does not go with --backend',
    ],
    [['--sync-days', String(MAX_SYNC_DAYS + 1)], /^--sync-days takes a number of days from 1 to 3650; this is/],
    [['--sync-days', '0'], /^--sync-days takes/],
    [['user'], 'vestibule user takes one of: add NAME [--admin], passwd NAME, list, remove NAME'],
    [['user', 'drop', 'x'], 'vestibule user takes one of: add NAME [--admin], passwd NAME, list, remove NAME'],
    [['user', 'add'], 'vestibule user add takes a NAME; none is given'],
    [['user', 'add', 'Ann', 'Lee'], 'vestibule user add takes one NAME; write a name with spaces in quotes'],
    [['user', 'list', 'x'], 'vestibule user list takes no word "x"'],
    [['user', 'remove', 'x', '--admin'], '--admin goes with vestibule user add only'],
    [['user', 'list', '--port', '1'], '--port does not go with vestibule user'],
    [['user', 'add', 'a|b'], 'a user name has 1 to 63 bytes, no | and no control characters; this is "a|b"'],
    ...['', ' ', 'a\nb', 'x'.repeat(MAX_USER_NAME_BYTES + 1)].map((name): [string[], RegExp] => [
      ['user', 'add', name],
      /^a user name has 1 to 63 bytes/,
    ]),
  ];
  for (const [argv, message] of refused) {
    it(`refuses ${JSON.stringify(argv.join(' ')).slice(0, 70)}`, () => {
      if (typeof message === 'string') assert.equal(complaint(argv), message);
      else assert.match(complaint(argv), message);
    });
  }

  it('names the variable where the mistake is in the environment', () => {
    const takes = 'takes a number from 0 to 65535';
    assert.equal(
      complaint([], { VESTIBULE_PORT: 'tcp://10.0.0.1:80' }),
      `VESTIBULE_PORT ${takes}; this is "tcp://10.0.0.1:80"`,
    );
    assert.equal(complaint([], { VESTIBULE_TRUST_PROXY: 'x' }), 'VESTIBULE_TRUST_PROXY takes 1 or 0; this is "x"');
  });

  it('accepts the longest unix path and the longest user name', () => {
    assert.deepEqual(serve(['--backend', `unix:${longestPath}`]).backend, { kind: 'unix', path: longestPath });
    const name = 'x'.repeat(MAX_USER_NAME_BYTES);
    assert.deepEqual(parseCommandLine(['user', 'remove', name], {}), {
      command: 'user',
      dataFolder: resolve('data'),
      action: 'remove',
      name,
    });
  });
});

describe('vestibule copy', () => {
  const ends = ['--from', 'embedded:x', '--to', 'tcp://h:504'];

  it('names both ends, who logs in there, and where new passwords are kept', () => {
    const env = { VESTIBULE_FROM_PASSWORD: 'f', VESTIBULE_ADMIN_PASSWORD: 'secret' };
    const argv = ['copy', '--from', 'unix:s', '--from-user', 'Boss', '--to', 'embedded:x', '--passwords', 'p'];
    assert.deepEqual(parseCommandLine(argv, env), {
      command: 'copy',
      from: { kind: 'socket', address: { path: resolve('s') }, user: 'Boss', password: 'f' },
      to: { kind: 'embedded', folder: resolve('x') },
      passwordFile: resolve('p'),
      adminPassword: 'secret',
    });
    assert.deepEqual(parseCommandLine(['copy', ...ends], {}), {
      command: 'copy',
      from: { kind: 'embedded', folder: resolve('x') },
      to: { kind: 'socket', address: { host: 'h', port: 504 }, user: '', password: '' },
      passwordFile: resolve('vestibule-passwords.txt'),
      adminPassword: undefined,
    });
  });

  it('says what is wrong', () => {
    const wrong: [string[], string][] = [
      [['copy', '--to', 'embedded:x'], 'vestibule copy takes --from ADDRESS; none is given'],
      [['copy', ...ends, 'x'], 'vestibule copy takes no word "x"'],
      [['copy', ...ends, '--port', '1'], '--port does not go with vestibule copy'],
      [['copy', ...ends, '--from-user', 'x'], '--from-user does not go with an embedded room server'],
      [['copy', ...ends, '--to-user', 'x'], '--to-user takes the password from VESTIBULE_TO_PASSWORD; it is not set'],
      [
        ['copy', '--from', 'embedded', '--to', 'x'],
        '--from takes embedded:DIR, unix:/path or tcp://host:port; this is "embedded"',
      ],
      [['--from', 'embedded:x'], '--from goes with vestibule copy only'],
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
      [['backup'], 'vestibule backup takes a FILE to write; none is given'],
      [['backup', 'a', 'b'], 'vestibule backup takes no word "b"'],
      [['check', 'a', 'b'], 'vestibule check takes no word "b"'],
      [['compact', 'a'], 'vestibule compact takes no word "a"'],
      [['compact', '--port', '1'], '--port does not go with vestibule compact'],
      [['check', '--admin'], '--admin does not go with vestibule check'],
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
});

describe('--help and --version', () => {
  it('describes every option and variable', () => {
    const line = parseCommandLine(['--prefix', '/x/', '--help'], {});
    assert.equal(line.command, 'help');
    const text = (line as { text: string }).text;
    for (const [option] of ALL_ARGUMENTS) assert.match(text, new RegExp(`^  --${option} `, 'm'));
    for (const word of ['--prefix', '--admin', 'VESTIBULE_ADMIN_PASSWORD', 'VESTIBULE_KEY', 'VESTIBULE_PASSWORD']) {
      assert.ok(text.includes(word), word);
    }
    for (const row of text.split('\n')) assert.ok(row.length <= 120, row);
    assert.deepEqual(parseCommandLine(['user', '-h'], {}), line);
  });

  it('says which version this is', () => {
    const line = parseCommandLine(['--version'], {});
    assert.match((line as { text: string }).text, /^vestibule \d+\.\d+\.\d+$/);
  });
});
