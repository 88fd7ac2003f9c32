// The command line and the environment: every option, which source wins, and the line a person gets for a mistake.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { COMMAND_WORDS } from '../../src/cli/command-table.ts';
import { OPTIONS } from '../../src/cli/option-table.ts';
import { parseCommandLine } from '../../src/cli/options.ts';
import type { ServeOptions } from '../../src/cli/serve-options.ts';
import { UPLOAD_BOUNDS } from '../../src/fleet/uploads.ts';
import { MAX_SYNC_DAYS } from '../../src/limits/backend.ts';
import {
  MAX_DRAIN_SECONDS,
  MAX_HSTS_DAYS,
  MOST_MAX_BODY_BYTES,
  MOST_MAX_HTTP_CONNECTIONS,
  MOST_MAX_SPACE_BYTES,
} from '../../src/limits/http.ts';
import { MAX_WORKERS } from '../../src/limits/processes.ts';
import {
  MAX_ROOM_SERVERS,
  MAX_UNIX_PATH_BYTES,
  MOST_MAX_CONNECTING,
  MOST_MAX_CONNECTIONS,
} from '../../src/limits/protocol.ts';
import { MAX_UPLOADS_PER_USER } from '../../src/limits/sessions.ts';
import { MIB } from '../../src/limits/units.ts';
import { complaint, DEFAULTS, serve } from '../support/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'vestibule-config-'));
after(() => rmSync(folder, { recursive: true }));

const ALL_ARGUMENTS: [option: string, text: string | undefined, key: keyof ServeOptions, value: unknown][] = [
  ['host', '::', 'host', '::'],
  ['host', '[::1]', 'host', '::1'],
  ['host', 'gateway.example.org', 'host', 'gateway.example.org'],
  ['port', '0', 'port', 0],
  ['port', '65535', 'port', 65535],
  ['hsts-days', '0', 'hstsDays', 0],
  ['hsts-days', '1', 'hstsDays', 1],
  ['hsts-days', String(MAX_HSTS_DAYS), 'hstsDays', MAX_HSTS_DAYS],
  ['data', folder, 'dataFolder', folder],
  ['data', 'elsewhere/data', 'dataFolder', resolve('elsewhere/data')],
  ['backend', 'embedded', 'backends', [{ name: '', hosts: [], address: 'embedded' }]],
  [
    'backend',
    'unix:/run/citadel.socket',
    'backends',
    [{ name: '', hosts: [], address: { kind: 'unix', path: '/run/citadel.socket' } }],
  ],
  [
    'backend',
    'unix:citadel.socket',
    'backends',
    [{ name: '', hosts: [], address: { kind: 'unix', path: resolve('citadel.socket') } }],
  ],
  [
    'backend',
    'tcp://bbs.example.org:504',
    'backends',
    [{ name: '', hosts: [], address: { kind: 'tcp', host: 'bbs.example.org', port: 504 } }],
  ],
  [
    'backend',
    'tcp://[::1]:504',
    'backends',
    [{ name: '', hosts: [], address: { kind: 'tcp', host: '::1', port: 504 } }],
  ],
  [
    'backend',
    'tls://bbs.example.org:504',
    'backends',
    [{ name: '', hosts: [], address: { kind: 'tls', host: 'bbs.example.org', port: 504 } }],
  ],
  ['backend-connections', '1', 'backendConnections', 1],
  ['backend-connections', String(MOST_MAX_CONNECTIONS), 'backendConnections', MOST_MAX_CONNECTIONS],
  ['backend-connecting', '1', 'backendConnecting', 1],
  ['backend-connecting', String(MOST_MAX_CONNECTING), 'backendConnecting', MOST_MAX_CONNECTING],
  ['line-listen', 'tcp://127.0.0.1:5504', 'lineListen', { kind: 'tcp', host: '127.0.0.1', port: 5504 }],
  ['line-listen', 'tcp://127.0.0.1:0', 'lineListen', { kind: 'tcp', host: '127.0.0.1', port: 0 }],
  ['line-listen', 'unix:/run/v.socket', 'lineListen', { kind: 'unix', path: '/run/v.socket' }],
  ['host', 'unix:v.sock', 'host', `unix:${resolve('v.sock')}`],
  ['admin-listen', 'tcp://127.0.0.1:9464', 'adminListen', { kind: 'tcp', host: '127.0.0.1', port: 9464 }],
  ['log-format', 'json', 'logFormat', 'json'],
  ['log-requests', undefined, 'logsRequests', true],
  ['workers', '1', 'workers', 1],
  ['workers', String(MAX_WORKERS), 'workers', MAX_WORKERS],
  ['max-body', '1', 'maxBodyBytes', MIB],
  ['max-body', String(MOST_MAX_BODY_BYTES / MIB), 'maxBodyBytes', MOST_MAX_BODY_BYTES],
  ['max-spool', '512', 'maxSpooledBytes', 512 * MIB],
  ['max-spool', String(MOST_MAX_SPACE_BYTES / MIB), 'maxSpooledBytes', MOST_MAX_SPACE_BYTES],
  ['max-upload-space', '512', 'uploadBounds', { ...UPLOAD_BOUNDS, bytes: 512 * MIB }],
  ['max-uploads-at-once', '1', 'uploadBounds', { ...UPLOAD_BOUNDS, underWay: 1 }],
  [
    'max-uploads-at-once',
    String(MAX_UPLOADS_PER_USER),
    'uploadBounds',
    { ...UPLOAD_BOUNDS, underWay: MAX_UPLOADS_PER_USER },
  ],
  ['max-connections', '1', 'maxConnections', 1],
  ['max-connections', String(MOST_MAX_HTTP_CONNECTIONS), 'maxConnections', MOST_MAX_HTTP_CONNECTIONS],
  ['max-per-address', '1', 'maxConnectionsPerAddress', 1],
  ['max-per-address', '100000', 'maxConnectionsPerAddress', MOST_MAX_HTTP_CONNECTIONS],
  ['max-event-streams', '1', 'maxEventStreams', 1],
  ['max-event-streams', String(MOST_MAX_HTTP_CONNECTIONS), 'maxEventStreams', MOST_MAX_HTTP_CONNECTIONS],
  ['bound', 'locks=1,rooms-of-user=20', 'bounds', { locks: 1, 'rooms-of-user': 20 }],
  ['drain-seconds', '1', 'drainSeconds', 1],
  ['drain-seconds', String(MAX_DRAIN_SECONDS), 'drainSeconds', MAX_DRAIN_SECONDS],
  ['sync-days', '1', 'syncDays', 1],
  ['sync-days', String(MAX_SYNC_DAYS), 'syncDays', MAX_SYNC_DAYS],
  ['static', folder, 'staticFolder', folder],
  ['landing', '/svc/s/index.html?a=b#c', 'landing', '/svc/s/index.html?a=b#c'],
  ['demo', undefined, 'isDemo', true],
  ['secure-cookies', undefined, 'hasSecureCookies', true],
  ['allow-origin', 'https://a.example,http://b:81', 'allowedOrigins', ['https://a.example', 'http://b:81']],
  ['trust-proxy', undefined, 'isProxyTrusted', true],
];

/** --backend with so many room servers. */
function manyBackends(count: number): string {
  return Array.from({ length: count }, (_, i) => `h${i}.example=unix:/run/${i}`).join(',');
}

describe('options of serve', () => {
  it('has a default for everything', () => {
    assert.deepEqual(serve([]), DEFAULTS);
    assert.deepEqual(serve(['serve']), DEFAULTS);
  });

  for (const [option, text, key, value] of ALL_ARGUMENTS) {
    it(`reads --${option} ${text ?? ''} from the command line and the environment`, () => {
      const expected = { ...DEFAULTS, [key]: value };
      const variable = `VESTIBULE_${option.replaceAll('-', '_').toUpperCase()}`;
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

  it('takes certificate and key as a pair, from where each is given', () => {
    const pair = { certificateFile: '/etc/v/cert.pem', keyFile: resolve('key.pem') };
    assert.deepEqual(serve(['--tls-cert', '/etc/v/cert.pem'], { VESTIBULE_TLS_KEY: 'key.pem' }).tls, pair);
    assert.equal(
      complaint(['--tls-cert', 'x']),
      '--tls-cert and --tls-key must be used together; --tls-key is missing',
    );
    assert.equal(
      complaint(['--tls-key', 'x']),
      '--tls-cert and --tls-key must be used together; --tls-cert is missing',
    );
    assert.equal(
      complaint(['--tls-cert', 'x', '--tls-key', 'y', '--host', 'unix:v.sock']),
      '--tls-cert cannot be used with a unix socket as --host; let the proxy terminate TLS',
    );
    for (const days of ['00', '-1', String(MAX_HSTS_DAYS + 1)]) {
      assert.match(complaint(['--hsts-days', days]), /from 0 to/);
    }
  });

  it('takes a room server for each host, one list or several, and one for all other hosts', () => {
    const [a, b] = [
      { kind: 'unix', path: '/a' },
      { kind: 'tls', host: 'b', port: 504 },
    ] as const;
    const expected = [
      { name: '', hosts: [], address: 'embedded' },
      { name: 'a.example', hosts: ['a.example', 'c.example'], address: a },
      { name: '[::1]', hosts: ['[::1]'], address: b },
    ];
    const entries = ['embedded', 'A.example.=unix:/a', 'c.example=unix:/a', '[0::1]=tls://b:504'];
    assert.deepEqual(serve(['--backend', entries.join(', ')]).backends, expected);
    assert.deepEqual(serve(entries.flatMap((entry) => ['--backend', entry])).backends, expected);
    assert.deepEqual(serve([], { VESTIBULE_BACKEND: entries.join(',') }).backends, expected);
    // one without a host, and another one with the same address: it is the same room server
    const [same] = serve(['--backend', 'a.example=unix:/a,unix:/a']).backends;
    assert.deepEqual(same, { name: '', hosts: ['a.example'], address: a });
    assert.equal(serve(['--backend', manyBackends(MAX_ROOM_SERVERS)]).backends.length, MAX_ROOM_SERVERS);
    assert.deepEqual(serve(['--backend', 'unix:/a=b']).backends[0]!.address, { kind: 'unix', path: '/a=b' });
    serve(['--backend', 'embedded,a.example=unix:/a', '--demo', '--sync-days', '2']);
  });

  it('takes what gateways share, and the keys of their cookies', () => {
    const { shared, sharedCaFile, secretFile } = serve(['--shared', 'rediss://:p@a:1/2', '--shared-ca', 'ca.pem']);
    assert.deepEqual([shared?.address.hosts, shared?.address.database], [[{ host: 'a', port: 1 }], 2]);
    assert.deepEqual(
      [shared?.text, sharedCaFile, secretFile],
      ['rediss://:(hidden)@a:1/2', resolve('ca.pem'), undefined],
    );
    assert.equal(serve(['--secret-file', 'keys']).secretFile, resolve('keys'));
    const told = complaint(['--shared', 'redis://a', '--shared-ca', 'ca.pem']);
    assert.equal(told, '--shared-ca can only be used with --shared rediss://host:port');
    assert.throws(() => serve(['--secret-file', 'keys'], { VESTIBULE_KEY: '11'.repeat(32) }), /use one of them/);
  });

  it('takes authorities for a room server on tls:// only, which is no place to listen on', () => {
    const words = ['--backend', 'tls://bbs.example.org:504', '--backend-ca', 'ca.pem'];
    assert.equal(serve(words).backendCaFile, resolve('ca.pem'));
    for (const backend of ['embedded', 'tcp://bbs.example.org:504', 'unix:/run/citadel.socket']) {
      const told = complaint(['--backend', backend, '--backend-ca', 'ca.pem']);
      assert.equal(told, '--backend-ca can only be used with --backend tls://host:port');
    }
    for (const text of ['tls://', 'tls://host', 'tls://host:0', 'tls://host:65536', 'tls:/run/citadel.socket']) {
      assert.match(complaint(['--backend', text]), /^--backend takes embedded, unix:.*, tls:\/\/host:port or tcp:/);
    }
    assert.match(complaint(['--line-listen', 'tls://127.0.0.1:504']), /^--line-listen takes unix:/);
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
        'VESTIBULE_KEY takes 32 bytes as 64 hex digits or as base64; the value is invalid',
      );
    }
    complaint([], { VESTIBULE_KEY: `${Buffer.alloc(32).toString('base64')}!` });
  });
});

it('every option of serve has a row above', () => {
  const ofServe = Object.entries(OPTIONS).flatMap(([name, option]) => ('command' in option ? [] : [name]));
  const covered = new Set([
    ...ALL_ARGUMENTS.map(([option]) => option),
    'prefix',
    'config',
    'tls-cert',
    'tls-key',
    'backend-ca',
    'shared',
    'line-gateways',
    'shared-ca',
    'secret-file',
  ]);
  assert.deepEqual([...covered].sort(), ofServe.sort());
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
    [['--port'], '--port requires a number from 0 to 65535'],
    [['--port='], '--port requires a number from 0 to 65535'],
    [['--data', '--demo'], '--data requires a folder'],
    [['--port', '65536'], '--port takes a number from 0 to 65535, not "65536"'],
    [['--port', '-1'], '--port takes a number from 0 to 65535, not "-1"'],
    [['--port', '8o'], '--port takes a number from 0 to 65535, not "8o"'],
    [['--host', 'http://x'], '--host takes a host name, an IP address or unix:/path, not "http://x"'],
    [['--host', '127.0.0.1:80'], /^--host takes/],
    [['--host', '[localhost]'], /^--host takes/],
    [['--host', 'unix:'], /^--host takes/],
    [['--workers', '0'], /^--workers takes a number from 1 to 64/],
    [['--workers', String(MAX_WORKERS + 1)], /^--workers takes/],
    [['--workers', '2', '--host', 'unix:/a'], /^--workers requires a TCP port/],
    [['--drain-seconds', '0'], /^--drain-seconds takes/],
    [['--drain-seconds', String(MAX_DRAIN_SECONDS + 1)], /^--drain-seconds takes a number from 1 to 3600, not/],
    [['--log-format', 'xml'], '--log-format takes text or json, not "xml"'],
    ...['/', '//', '/a//b', '/../', '/a/./b/', '/a%20b/', '/a b/', '/a?b', '/ü/', '/.well-known/'].map(
      (text): [string[], string] => [
        ['--prefix', text],
        `--prefix takes a path such as /svc/ of letters, digits and . _ ~ -, not ${JSON.stringify(text)}`,
      ],
    ),
    [
      ['--backend', 'localhost:504'],
      '--backend takes embedded, unix:/path (107 bytes at most), tls://host:port or tcp://host:port; '.concat(
        'HOST=ADDRESS for each host that has another one, not "localhost:504"',
      ),
    ],
    ...[
      'tcp://host',
      'tcp://host:0',
      'tcp://host:65536',
      'tcp://::1:504',
      'tcp://:504',
      'unix:',
      `unix:${longestPath}x`,
      '',
      ',',
      'unix:/a,unix:/b',
      'a.example=unix:/a,A.example.=unix:/b',
      'a.example:80=unix:/a',
      '=unix:/a',
      'a.example=',
      'a/b=unix:/a',
      manyBackends(MAX_ROOM_SERVERS + 1),
    ].map((text): [string[], RegExp] => [['--backend', text], /^--backend (?:takes|requires)/]),
    [['--line-listen', '5504'], '--line-listen takes unix:/path (107 bytes at most) or tcp://host:port, not "5504"'],
    ...['0', String(MOST_MAX_CONNECTING + 1), '-1', 'x', '4.5'].map((text): [string[], string] => [
      ['--backend-connecting', text],
      `--backend-connecting takes a number from 1 to ${MOST_MAX_CONNECTING}, not "${text}"`,
    ]),
    ...['0', String(MOST_MAX_CONNECTIONS + 1), 'all'].map((text): [string[], RegExp] => [
      ['--backend-connections', text],
      /^--backend-connections takes a number from 1 to 900, not "/,
    ]),
    ...['0', String(MOST_MAX_BODY_BYTES / MIB + 1), '1G', '-1'].map((text): [string[], string] => [
      ['--max-body', text],
      `--max-body takes a number of MiB from 1 to 1024, not "${text}"`,
    ]),
    ...['--max-spool', '--max-upload-space'].flatMap((option): [string[], string | RegExp][] => [
      [[option, '0'], /takes a number of MiB from 1 to 1048576, not "0"$/],
      [[option, String(MOST_MAX_SPACE_BYTES / MIB + 1)], /takes a number of MiB/],
      [[option, '511'], `${option} must not be less than --max-body`],
      [['--max-body', '700', option, '699'], /must not be less than --max-body/],
    ]),
    ...['0', String(MAX_UPLOADS_PER_USER + 1), 'x'].map((text): [string[], string] => [
      ['--max-uploads-at-once', text],
      `--max-uploads-at-once takes a number from 1 to 1000, not "${text}"`,
    ]),
    ...['--max-connections', '--max-per-address', '--max-event-streams'].flatMap((option) =>
      ['0', String(MOST_MAX_HTTP_CONNECTIONS + 1), 'all'].map((text): [string[], string] => [
        [option, text],
        `${option} takes a number from 1 to 100000, not "${text}"`,
      ]),
    ),
    [['--line-listen', 'embedded'], /^--line-listen takes/],
    [['--static', join(folder, 'none')], /^--static takes a folder that exists, not ".*none"$/],
    [['--static', file], /^--static takes a folder that exists/],
    ...['/', '//evil.example', '/\\evil.example', 'x.html', 'https://x/', '/a b', '/ü'].map(
      (text): [string[], RegExp] => [
        ['--landing', text],
        /^--landing takes a path on this site that begins with \/, such as \/svc\/s\/index.html, not "/,
      ],
    ),
    [['serv'], `"serv" is not a command; the commands are ${COMMAND_WORDS.join(', ')}`],
    [['serve', 'now'], 'vestibule serve takes no argument "now"'],
    [['--admin'], '--admin can only be used with vestibule user add'],
    [['--backend', 'tcp://h:1', '--demo'], '--demo is for the embedded room server and cannot be used with --backend'],
    [['--line-gateways', '10.0.0.1'], '--line-gateways can only be used with --line-listen'],
    [
      ['--line-listen', 'tcp://h:2', '--line-gateways', '10.0.0.1,host'],
      '--line-gateways takes IP addresses, or networks such as 10.0.0.0/24, by commas, not "10.0.0.1,host"',
    ],
    [
      ['--backend', 'tcp://h:1', '--line-listen', 'tcp://h:2'],
      '--line-listen is for the embedded room server and cannot be used with --backend',
    ],
    [
      ['--backend', 'tcp://h:1', '--sync-days', '2'],
      '--sync-days is for the embedded room server and cannot be used with --backend',
    ],
    [['--sync-days', String(MAX_SYNC_DAYS + 1)], /^--sync-days takes a number of days from 1 to 3650, not/],
    [['--sync-days', '0'], /^--sync-days takes/],
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
      `VESTIBULE_PORT ${takes}, not "tcp://10.0.0.1:80"`,
    );
    assert.equal(complaint([], { VESTIBULE_TRUST_PROXY: 'x' }), 'VESTIBULE_TRUST_PROXY takes 1 or 0, not "x"');
  });

  it('accepts the longest unix path', () => {
    assert.deepEqual(serve(['--backend', `unix:${longestPath}`]).backends[0]?.address, {
      kind: 'unix',
      path: longestPath,
    });
  });
});

describe('--help and --version', () => {
  it('are answered whatever else is asked', () => {
    const line = parseCommandLine(['--prefix', '/x/', '--help'], {});
    assert.equal(line.command, 'help');
    assert.deepEqual(parseCommandLine(['user', '-h'], {}), line);
  });

  it('says which version this is', () => {
    const line = parseCommandLine(['--version'], {});
    assert.match((line as { text: string }).text, /^vestibule \d+\.\d+\.\d+$/);
  });
});
